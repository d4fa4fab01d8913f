package io.holdfast;

import java.time.Duration;

/**
 * The time that one call may take, waiting for locks and repeating what the engine asks to repeat included.
 *
 * @param value more than 0 and at most 365 days
 */
public record Budget(Duration value) {
    /** Five seconds. */
    public static final Budget DEFAULT = new Budget(Duration.ofSeconds(5));

    public Budget {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("budget must be more than 0: " + value);
        }
        if (value.compareTo(SilenceLimit.MAX) > 0) {
            throw new IllegalArgumentException("budget must be at most 365 days: " + value);
        }
    }

    /**
     * As the constructor.
     *
     * @throws IllegalArgumentException if {@code value} is not positive or is longer than 365 days
     */
    public static Budget of(Duration value) {
        return new Budget(value);
    }

    /** Begins a call. */
    public Deadline begin() {
        return new Deadline(System::nanoTime, value.toNanos());
    }
}
