package io.holdfast.save;

/**
 * The SHA-256 of a payload, so that a token is not used for two. Whoever takes JSON takes it in a canonical form (RFC
 * 8785), so that the order of its fields does not make another payload of it.
 */
public final class Fingerprint extends Sha256 {
    private Fingerprint(byte[] sha256) {
        super(sha256);
    }

    /** Of this payload. */
    public static Fingerprint of(byte[] payload) {
        return new Fingerprint(hash(payload));
    }

    /**
     * Of a payload that was hashed elsewhere, as it came in.
     *
     * @throws IllegalArgumentException if it is not 32 bytes long
     */
    public static Fingerprint ofSha256(byte[] sha256) {
        return new Fingerprint(sha256);
    }
}
