package io.holdfast;

import java.util.UUID;

/**
 * Names one call of a use case. That call makes it, in memory, before anything is sent, and nobody outside can present
 * it; a client's own idempotency key is another thing, see {@link io.holdfast.publish.RequestKey}.
 *
 * <p>The same call asks again with the same attempt until it has an answer. An attempt takes at most once, ever (G5).
 */
public record AttemptId(UUID value) {
    public static AttemptId random() {
        return new AttemptId(UUID.randomUUID());
    }

    /**
     * Reads what {@link #toString()} wrote.
     *
     * @throws IllegalArgumentException if {@code text} is not a UUID in its 36-character form
     */
    public static AttemptId parse(String text) {
        // UUID.fromString also reads "1-1-1-1-1": two spellings of one id would be one too many.
        if (text.length() == 36) {
            try {
                return new AttemptId(UUID.fromString(text));
            } catch (IllegalArgumentException e) {
                throw malformed(e);
            }
        }
        throw malformed(null);
    }

    private static IllegalArgumentException malformed(@org.jspecify.annotations.Nullable Throwable cause) {
        return new IllegalArgumentException(
                "id is not a UUID: send it as it was given, 36 characters with hyphens", cause);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
