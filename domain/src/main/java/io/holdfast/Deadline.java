package io.holdfast;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/** The end of one call's {@link Budget}, and the pauses between its repetitions. For one thread. */
public final class Deadline {
    private static final long FIRST_PAUSE_MILLIS = 5;
    private static final long LONGEST_PAUSE_MILLIS = 500;

    private final LongSupplier nanoTime;
    private final long end;
    private long pauseMillis = FIRST_PAUSE_MILLIS;

    Deadline(LongSupplier nanoTime, long nanos) {
        this.nanoTime = nanoTime;
        this.end = nanoTime.getAsLong() + nanos;
    }

    /** Time that is left; zero when the budget is spent. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, end - nanoTime.getAsLong()));
    }

    /**
     * Waits a little before the call is repeated: at random, so that rivals do not come back in step, and up to twice as
     * long each time.
     *
     * @return false if the call must give up: the budget is spent, or the thread was interrupted, whose flag is kept
     */
    public boolean pause() {
        long longest = Math.min(pauseMillis, left().toMillis());
        pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(longest + 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return !left().isZero();
    }
}
