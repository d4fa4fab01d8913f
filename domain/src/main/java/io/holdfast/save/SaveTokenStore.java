package io.holdfast.save;

import io.holdfast.Fence;
import io.holdfast.HoldStore;
import io.holdfast.Incumbent;
import io.holdfast.SilenceLimit;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides who saves with a token. Every operation is one short transaction of its own, which never joins the caller's
 * (E1). Thread-safe.
 *
 * <p>Every operation throws {@link io.holdfast.StoreUnavailable} if the store could not answer within its budget, and
 * nothing else for the store's sake.
 */
public interface SaveTokenStore extends HoldStore<Reservation> {
    /**
     * Makes a token known. Repeated, it changes nothing, whatever has become of the token: the first terms stand.
     *
     * @param validFor for how long it can be reserved, from now on by the database's clock (S7)
     * @throws IllegalArgumentException if {@link #validity} refuses the time
     */
    void issue(TokenDigest token, Duration validFor, IfInDoubt ifInDoubt);

    /**
     * Takes the token for this attempt if nobody has it and it was not used (S1), or if its holder has been silent for longer
     * than the holder's own limit and the token may be run again (S6).
     *
     * @throws IllegalStateException if the token's fence is 2<sup>63</sup>-1, which only a hand can have made it
     */
    ReserveOutcome reserve(ReserveRequest request);

    /**
     * Ends the reservation: with its result, which everybody gets from then on (S2), or by giving the token back (S5).
     * Repeated, it says the same until the next take: the first ending stands (G12). Whoever took over gives back for itself
     * alone: the next one is told of the same doubt.
     */
    EndOutcome end(Reservation reservation, Ending ending);

    /**
     * The word of an operator who has looked: ends the reservation that was seen, if its holder is silent beyond its limit, or
     * has given the token back and left a doubt (S5). It is an ending like the holder's own, who if it comes back after all is
     * told that this one stands (G12); and it ends every doubt.
     *
     * @param seen the fence that the operator was told
     * @return the ending that stands; {@link Lost} if that fence is not in doubt, and nothing was changed
     */
    EndOutcome settle(TokenDigest token, Fence seen, Ending ending);

    /**
     * Forgets tokens that have been over for a time: used, or expired without a holder or a doubt. Whoever comes with one is
     * told that it is unknown. Never forgets one that somebody has, silent or not, or may have written for.
     *
     * @param keep for how long the result of a used token is still given back; from 0 to 365 days
     * @param atMost how many tokens; 1 or more
     * @return how many it were; if as many as asked for, there may be more
     * @throws IllegalArgumentException if {@link #clearing} refuses what is asked
     */
    int forget(Duration keep, int atMost);

    /**
     * Returns the time in a form that every store can keep, a fraction of a millisecond rounded up (G11); refuses it in the same
     * words everywhere.
     *
     * @throws IllegalArgumentException if it is not more than 0, or longer than 365 days
     */
    static Duration validity(Duration validFor) {
        if (validFor.isNegative() || validFor.isZero() || validFor.compareTo(SilenceLimit.MAX) > 0) {
            throw new IllegalArgumentException(
                    "a save token must be valid for more than 0 and at most 365 days: " + validFor);
        }
        return SilenceLimit.of(validFor).value();
    }

    /**
     * Refuses, in the same words everywhere, what {@link #forget} cannot do.
     *
     * @throws IllegalArgumentException if {@code keep} is not from 0 to 365 days, or {@code atMost} is less than 1
     */
    static void clearing(Duration keep, int atMost) {
        if (keep.isNegative() || keep.compareTo(SilenceLimit.MAX) > 0) {
            throw new IllegalArgumentException("used save tokens are kept for 0 to 365 days: " + keep);
        }
        if (atMost < 1) {
            throw new IllegalArgumentException("forget 1 save token or more, not " + atMost);
        }
    }

    /** What a take throws when there is no higher fence (G4), in the same words everywhere. */
    static IllegalStateException fenceExhausted(TokenDigest token) {
        return Fence.exhausted("save token " + token);
    }

    /** What came of ending a reservation: the {@link Ending} that stands, this one or the first one, or that it was lost. */
    sealed interface EndOutcome permits Ending, Lost {
        default <R> R fold(
                Function<? super SaveResult, ? extends R> saved,
                Function<? super Ending.NotSaved, ? extends R> notSaved,
                Function<? super Lost, ? extends R> lost) {
            return this instanceof Ending e ? e.fold(saved, notSaved) : lost.apply((Lost) this);
        }
    }

    /**
     * It was taken over or settled, and nothing was changed (G6).
     *
     * @param to who has the token now; empty when nobody does
     */
    record Lost(Optional<Incumbent> to) implements EndOutcome, SaveOutcome {}
}
