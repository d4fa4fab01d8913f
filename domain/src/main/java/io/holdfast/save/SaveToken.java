package io.holdfast.save;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * The right to save once: a secret of 256 random bits. It leaves this object by {@link #reveal()} and in no other way, so
 * that neither a log nor a message has it (S8); there is no equals, compare {@link #digest()}.
 */
public final class SaveToken {
    /** In front of every token, for scanners that look for secrets where they do not belong. */
    public static final String PREFIX = "hfs_";

    private static final int BYTES = 32;
    private static final Pattern FORM = Pattern.compile(PREFIX + "[A-Za-z0-9_-]{43}");
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String secret;

    private SaveToken(String secret) {
        this.secret = secret;
    }

    /** A new one. It counts once it is issued. */
    public static SaveToken random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new SaveToken(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /**
     * Reads what {@link #reveal()} gave.
     *
     * @throws IllegalArgumentException if {@code text} does not look like a token; the message does not repeat it
     */
    public static SaveToken parse(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "save token is malformed: send it as it was given, " + PREFIX + " and 43 letters, digits, - or _");
        }
        return new SaveToken(text);
    }

    /** The token itself, for whoever is to have it and for nobody else. */
    public String reveal() {
        return secret;
    }

    /** What stands for it in a store. */
    public TokenDigest digest() {
        return TokenDigest.ofSha256(Sha256.hash(secret.getBytes(StandardCharsets.US_ASCII)));
    }

    /** Says nothing of the secret. */
    @Override
    public String toString() {
        return PREFIX + "...";
    }
}
