package io.holdfast.publish;

import io.holdfast.AttemptId;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.HoldStore;
import io.holdfast.Incumbent;
import io.holdfast.SilenceLimit;
import io.holdfast.Succession;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides who publishes an app. Every operation is one short transaction of its own, which never joins the caller's
 * (E1). Thread-safe.
 *
 * <p>Every operation throws {@link io.holdfast.StoreUnavailable} if the store could not answer within its budget, and
 * nothing else for the store's sake.
 */
public interface ClaimStore extends HoldStore<Claim> {
    /**
     * Takes the app for this attempt if nobody holds it, or if its holder has been silent for longer than the holder's
     * own limit. Claim and deployment are recorded as one (C10).
     *
     * @throws IllegalArgumentException if the attempt is known as a deployment of another app
     * @throws IllegalStateException if the app's fence is 2<sup>63</sup>-1, which only a hand can have made it
     */
    ClaimOutcome claim(ClaimRequest request);

    /**
     * Ends the deployment of this claim and lets the app go. Repeated, it says the same again: the first ending stands
     * (G12).
     */
    FinishOutcome finish(Claim claim, Ending ending);

    /**
     * Takes the app from the holder that was seen: it has lost at once, and its deployment ends as abandoned by nobody
     * (G15). Until others may take, they are refused as {@link Refusal.InProgress}; that, too, may be ended by evicting.
     *
     * <p>It is not repeatable: after an UNKNOWN, {@link Eviction.Moved} may tell of one's own eviction.
     *
     * @param seen the fence that an operator was told. It is moved on, so that this never hits the hold after the one meant
     * @throws IllegalStateException if the app's fence is 2<sup>63</sup>-1, which only a hand can have made it
     */
    Eviction evict(AppId app, Fence seen, Succession succession);

    /**
     * Clean-up: ends deployments whose holder has been silent for twice its own limit, as abandoned by nobody, and lets
     * their apps go (C9). Without it they would stay building until somebody publishes the app again.
     *
     * <p>After an outage all holders have been silent, and all of them live. So no hold is ended whose limit is longer than
     * the caller has been in contact with the database: whoever is alive has beaten again by then.
     *
     * @param atMost at least 1; if so many were ended, there may be more
     * @param inContact how long the caller has been in contact with the database, without a failure; not negative
     * @return what was ended, as it was held; after a failure what had been ended before it, if there was anything
     */
    List<Claim> endSilent(int atMost, Duration inContact);

    /** What {@link #claim} throws for an attempt that is known as a deployment of another app, in the same words everywhere. */
    static IllegalArgumentException ofAnotherApp(AttemptId attempt) {
        return new IllegalArgumentException(
                "attempt " + attempt + " is a deployment of another app: make a new one for each call");
    }

    /** What {@link #claim} and {@link #evict} throw when there is no higher fence (G4), in the same words everywhere. */
    static IllegalStateException fenceExhausted(AppId app) {
        return Fence.exhausted("app " + app.value());
    }

    /**
     * The longest limit that {@link #endSilent} may end for a caller who has been {@code inContact} for so long.
     *
     * @throws IllegalArgumentException if that is negative
     */
    static Duration longestLimit(Duration inContact) {
        if (inContact.isNegative()) {
            throw new IllegalArgumentException("the time in contact must not be negative: " + inContact);
        }
        return inContact.compareTo(SilenceLimit.MAX) < 0 ? inContact : SilenceLimit.MAX;
    }

    /** What came of finishing. */
    sealed interface FinishOutcome {
        /**
         * @param ending the one that stands: this one, or the first one
         */
        record Ended(Ending ending) implements FinishOutcome {}

        /**
         * The claim was taken over, and nothing was changed (G6).
         *
         * @param to who holds the app now; empty when nobody does
         */
        record Lost(Optional<Incumbent> to) implements FinishOutcome {}

        default <R> R fold(Function<? super Ended, ? extends R> ended, Function<? super Lost, ? extends R> lost) {
            return this instanceof Ended e ? ended.apply(e) : lost.apply((Lost) this);
        }
    }
}
