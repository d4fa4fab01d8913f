package io.holdfast.app;

import java.util.Locale;

/**
 * Which database, as {@code --store} says it. Says its address without the password.
 *
 * @param url what the driver takes; empty for {@link Kind#EMBEDDED}
 */
public record StoreAddress(Kind kind, String url) {
    public enum Kind {
        EMBEDDED,
        POSTGRES,
        MYSQL,
        MONGO
    }

    /**
     * Reads an option's value.
     *
     * @throws IllegalArgumentException if it is none of what is accepted; the message says what is
     */
    public static StoreAddress parse(String text) {
        String scheme = text.toLowerCase(Locale.ROOT);
        if (scheme.equals("embedded")) {
            return new StoreAddress(Kind.EMBEDDED, "");
        }
        if (scheme.startsWith("jdbc:postgresql:")) {
            return new StoreAddress(Kind.POSTGRES, text);
        }
        if (scheme.startsWith("jdbc:mysql:")) {
            return new StoreAddress(Kind.MYSQL, text);
        }
        if (scheme.startsWith("mongodb:") || scheme.startsWith("mongodb+srv:")) {
            return new StoreAddress(Kind.MONGO, text);
        }
        throw new IllegalArgumentException("no such store: " + Secrets.masked(text)
                + "\nAccepted are:"
                + "\n  embedded                                     a PostgreSQL of our own, kept in a folder"
                + "\n  jdbc:postgresql://HOST:5432/DATABASE?user=...&password=..."
                + "\n  jdbc:mysql://HOST:3306/DATABASE?user=...&password=..."
                + "\n  mongodb://USER:PASSWORD@HOST:27017/DATABASE  also mongodb+srv, also FerretDB");
    }

    @Override
    public String toString() {
        return kind == Kind.EMBEDDED ? "embedded" : Secrets.masked(url);
    }
}
