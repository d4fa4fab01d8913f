package io.holdfast.save;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What was written gave this back: kept with the token, byte for byte, for whoever asks again (S2). */
public final class SaveResult implements Ending {
    /** The most bytes that a result may have: 256 KiB. */
    public static final int MAX_BYTES = 256 * 1024;

    private final byte[] bytes;

    private SaveResult(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * A result; also an empty one.
     *
     * @throws IllegalArgumentException if it has more than {@link #MAX_BYTES}
     */
    public static SaveResult of(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("a save's result is longer than " + MAX_BYTES
                    + " bytes: give back where it was saved, and not what");
        }
        return new SaveResult(bytes.clone());
    }

    /** A copy. */
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SaveResult that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "result of " + bytes.length + " bytes";
    }
}
