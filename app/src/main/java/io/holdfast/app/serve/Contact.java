package io.holdfast.app.serve;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * For how long this process has been in contact with the database: since the first answer after the last failure. Who has
 * not looked for a while does not know: that breaks it off as well, whether it slept or was stopped. Not thread-safe.
 */
final class Contact {
    private final long longestGap;
    private final LongSupplier nanos;

    private boolean lasts;
    private long began;
    private long last;

    /** @param longestGap between two answers of one contact */
    Contact(Duration longestGap, LongSupplier nanos) {
        this.longestGap = longestGap.toNanos();
        this.nanos = nanos;
    }

    void answered() {
        long now = nanos.getAsLong();
        if (!lasts || now - last > longestGap) {
            began = now;
        }
        lasts = true;
        last = now;
    }

    void failed() {
        lasts = false;
    }

    /** Up to the last answer. */
    Duration lasted() {
        return lasts ? Duration.ofNanos(last - began) : Duration.ZERO;
    }
}
