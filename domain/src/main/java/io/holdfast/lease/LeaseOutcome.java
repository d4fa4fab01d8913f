package io.holdfast.lease;

import io.holdfast.Incumbent;
import java.time.Duration;
import java.util.function.Function;

/** What came of asking for a lease. */
public sealed interface LeaseOutcome {
    /**
     * The lease is this attempt's: now, or already before, when the attempt is a repeated one.
     *
     * @param remaining time until somebody else may take it, as in {@link io.holdfast.Renewal.Held}
     */
    record Acquired(Lease lease, Duration remaining) implements LeaseOutcome {}

    /**
     * Nobody else may take it yet.
     *
     * @param by who holds it; while a {@link MinimumHold} or an eviction still runs, who held it last
     */
    record Taken(Incumbent by) implements LeaseOutcome {}

    /** This very attempt has had the lease, and that is over: nothing was taken (G5). */
    record Over() implements LeaseOutcome {}

    default <R> R fold(
            Function<? super Acquired, ? extends R> acquired,
            Function<? super Taken, ? extends R> taken,
            Function<? super Over, ? extends R> over) {
        if (this instanceof Acquired a) {
            return acquired.apply(a);
        }
        if (this instanceof Taken t) {
            return taken.apply(t);
        }
        return over.apply((Over) this);
    }
}
