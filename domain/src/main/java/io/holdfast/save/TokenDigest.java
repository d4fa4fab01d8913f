package io.holdfast.save;

/**
 * The SHA-256 of a {@link SaveToken}: the key of its row, and all that a store sees of it. Not secret: 256 random bits
 * cannot be found by trying.
 */
public final class TokenDigest extends Sha256 {
    private TokenDigest(byte[] sha256) {
        super(sha256);
    }

    /**
     * Reads what {@link #bytes()} gave.
     *
     * @throws IllegalArgumentException if it is not 32 bytes long
     */
    public static TokenDigest ofSha256(byte[] sha256) {
        return new TokenDigest(sha256);
    }
}
