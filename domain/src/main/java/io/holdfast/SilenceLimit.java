package io.holdfast;

import java.time.Duration;

/**
 * How long a holder may stay silent before another may take over. It is no guess at how long the work takes: work that
 * is alive is renewed, however long it runs.
 *
 * @param value more than 0 and at most 365 days; a fraction of a millisecond is rounded up (G11)
 */
public record SilenceLimit(Duration value) {
    /** The longest limit. */
    public static final Duration MAX = Duration.ofDays(365);

    private static final long NANOS_PER_MILLI = 1_000_000;

    public SilenceLimit {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("silence limit must be more than 0: " + value);
        }
        if (value.compareTo(MAX) > 0) {
            throw new IllegalArgumentException("silence limit must be at most 365 days: " + value);
        }
        value = Duration.ofMillis(value.plusNanos(NANOS_PER_MILLI - 1).toMillis());
    }

    /**
     * As the constructor.
     *
     * @throws IllegalArgumentException if {@code value} is not positive or is longer than {@link #MAX}
     */
    public static SilenceLimit of(Duration value) {
        return new SilenceLimit(value);
    }
}
