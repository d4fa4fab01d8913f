package io.holdfast;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * This machine's two clocks, and how to wait by them. The monotonic one does not jump, but may stand still while the machine
 * is suspended; the wall clock goes on then, but may be set. So of two elapsed times the longer one counts: an error costs
 * certainty, never exclusion.
 */
record Clocks(LongSupplier nanoTime, InstantSource wall, Waiting waiting) {
    static final Clocks SYSTEM = new Clocks(System::nanoTime, InstantSource.system(), TimeUnit.NANOSECONDS::timedWait);

    /** {@link Object#wait} on a monitor that the caller has; it too may end for no reason. */
    @FunctionalInterface
    interface Waiting {
        void on(Object monitor, long nanos) throws InterruptedException;
    }

    Moment now() {
        return new Moment(nanoTime.getAsLong(), wall.millis());
    }

    long nanosSince(Moment then) {
        Moment now = now();
        return Math.max(now.nanos() - then.nanos(), (now.wallMillis() - then.wallMillis()) * 1_000_000);
    }
}
