package io.holdfast;

/**
 * When a call to a store was sent, by this machine's clocks: an opaque value that {@link Heart#taking} gives and {@link
 * Heart#keep} takes. It means nothing outside this process.
 */
public final class Moment {
    private final long nanos;
    private final long wallMillis;

    Moment(long nanos, long wallMillis) {
        this.nanos = nanos;
        this.wallMillis = wallMillis;
    }

    long nanos() {
        return nanos;
    }

    long wallMillis() {
        return wallMillis;
    }
}
