package io.holdfast.save;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** 32 bytes that stand for others. Compared in a time that tells nothing of how alike they are. */
abstract sealed class Sha256 permits TokenDigest, Fingerprint {
    private static final int LENGTH = 32;

    private final byte[] bytes;

    Sha256(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("a SHA-256 has " + LENGTH + " bytes, not " + bytes.length);
        }
        this.bytes = bytes.clone();
    }

    static byte[] hash(byte[] text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text);
        } catch (NoSuchAlgorithmException e) {
            throw new LinkageError("every Java platform has SHA-256", e);
        }
    }

    /** All 32; a copy. */
    public final byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof Sha256 that
                && getClass() == that.getClass()
                && MessageDigest.isEqual(bytes, that.bytes);
    }

    @Override
    public final int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** In hex. */
    @Override
    public final String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
