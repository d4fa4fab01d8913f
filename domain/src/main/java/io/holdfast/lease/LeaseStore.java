package io.holdfast.lease;

import io.holdfast.AttemptId;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.HoldStore;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.SilenceLimit;
import io.holdfast.Succession;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides who has a lease. Every operation is one short transaction of its own, which never joins the caller's (E1).
 * Thread-safe.
 *
 * <p>Every operation throws {@link io.holdfast.StoreUnavailable} if the store could not answer within its budget, and
 * nothing else for the store's sake.
 */
public interface LeaseStore extends HoldStore<Lease> {
    /**
     * Takes the lease for this attempt if nobody holds it, or if its holder has been silent for longer than the holder's
     * own limit (L1). A name that was never used is a free one (L4).
     *
     * @param attempt the same one in every repetition of the same call
     * @param limit how long this holder may stay silent; kept in the row
     * @throws IllegalStateException if the lease's fence is 2<sup>63</sup>-1, which only a hand can have made it
     */
    LeaseOutcome acquire(LeaseName name, AttemptId attempt, Holder holder, SilenceLimit limit);

    /**
     * Lets the lease go (L3). Repeated, it says the same until the next take or eviction, and the first minimum stands
     * (G12).
     *
     * @param minimum for how long nobody else gets it, counted from the take, however early it is let go: so a fast job does
     *     not run twice in a row on nodes whose timers differ. Zero: anybody may take it at once
     * @throws IllegalArgumentException as {@link #checkedMinimum} does
     */
    Release release(Lease lease, Duration minimum);

    /** Who holds the lease now; empty when nobody does. */
    Optional<Incumbent> find(LeaseName name);

    /**
     * Ends the hold that was seen; or what keeps others from taking when nobody holds: a minimum, or an eviction (G15). It is
     * not repeatable: after an UNKNOWN, {@link Eviction.Moved} may tell of one's own eviction.
     *
     * @param seen the fence that the operator was told. It is moved on, so that the holder has lost, and so that a resource
     *     which is told of the new one refuses the holder's writes at once
     * @throws IllegalStateException if the lease's fence is 2<sup>63</sup>-1
     */
    Eviction evict(LeaseName name, Fence seen, Succession succession);

    /**
     * The minimum of a release as it counts: a fraction of a millisecond is rounded up (G11).
     *
     * @throws IllegalArgumentException if {@code minimum} is negative or longer than 365 days
     */
    static Duration checkedMinimum(Duration minimum) {
        if (minimum.isNegative() || minimum.compareTo(SilenceLimit.MAX) > 0) {
            throw new IllegalArgumentException("minimum hold must be from 0 to 365 days: " + minimum);
        }
        return Duration.ofMillis(minimum.plusNanos(999_999).toMillis());
    }

    /** What a take or an eviction throws when there is no higher fence (G4), in the same words everywhere. */
    static IllegalStateException fenceExhausted(LeaseName name) {
        return Fence.exhausted("lease " + name.value());
    }

    /** What came of letting go. */
    sealed interface Release {
        /** It was this hold's until now, or was let go by it before and nobody has taken or evicted since. */
        record Released() implements Release {}

        /**
         * It was taken over or evicted, and nothing was changed (G6).
         *
         * @param to who holds the lease now; empty when nobody does
         */
        record Lost(Optional<Incumbent> to) implements Release {}

        default <R> R fold(Function<? super Released, ? extends R> released, Function<? super Lost, ? extends R> lost) {
            return this instanceof Released r ? released.apply(r) : lost.apply((Lost) this);
        }
    }
}
