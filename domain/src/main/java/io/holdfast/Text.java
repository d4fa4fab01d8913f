package io.holdfast;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The one place where text is refused or cleaned (G10): the same words for every store, before any I/O. Needed because
 * engines differ: PostgreSQL refuses NUL, and every driver writes half of a surrogate pair as "?", so that two different
 * keys become one.
 */
public final class Text {
    private Text() {}

    /**
     * Returns {@code value} if every store can keep and compare it byte for byte.
     *
     * @param name what the text is, for the message
     * @param maxBytes the most bytes of UTF-8 that it may have
     * @throws IllegalArgumentException if it is blank, contains NUL or half of a surrogate pair, or is too long
     */
    public static String required(String name, String value, int maxBytes) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(name + " is blank: give it a value");
        }
        // Length first: a megabyte of text is refused without being read.
        if (value.length() > maxBytes) {
            throw tooLong(name, maxBytes);
        }
        if (value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(name + " contains NUL: remove it");
        }
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
            if (bytes.remaining() > maxBytes) {
                throw tooLong(name, maxBytes);
            }
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(name + " contains half of a surrogate pair: send valid Unicode", e);
        }
        return value;
    }

    /**
     * Returns text that tells an outcome in a form that every store can keep. It is never refused, so that work can
     * always be ended, whatever its log looks like: NUL and halves of surrogate pairs become U+FFFD, and what is too long
     * is cut at a character. Null, as an exception without a message has it, becomes "(no message)".
     *
     * @param maxBytes the most bytes of UTF-8 that are kept
     */
    public static String outcome(@Nullable String value, int maxBytes) {
        if (value == null) {
            return "(no message)";
        }
        // One char is at least one byte, so what is behind the first maxBytes chars is cut in any case; the char that
        // follows is looked at too, lest the cut makes half of a pair.
        String head = value.length() > maxBytes + 1 ? value.substring(0, maxBytes + 1) : value;
        ByteBuffer bytes = ByteBuffer.allocate(maxBytes);
        // The encoder stops in front of the first character that does not fit whole.
        StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(clean(head)), bytes, true);
        return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
    }

    private static String clean(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) ? 0xFFFD : c)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }

    private static IllegalArgumentException tooLong(String name, int maxBytes) {
        return new IllegalArgumentException(name + " is longer than " + maxBytes + " bytes of UTF-8: shorten it");
    }
}
