package io.holdfast.sanction;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import java.util.List;
import java.util.Optional;

/**
 * Decides which sanction an account has: one at most, guarded by the engine's own unique index over the active ones. Every
 * operation is one short transaction of its own, which never joins the caller's (E1). Thread-safe.
 *
 * <p>The last {@value #HISTORY} sanctions of each account are kept, the active one among them. Every operation throws {@link
 * io.holdfast.StoreUnavailable} if the store could not answer within its budget, and nothing else for the store's sake.
 */
public interface SanctionStore {
    /** How many sanctions of an account are kept. */
    int HISTORY = 100;

    /**
     * Imposes a sanction if the account has none: none that is active, that is, and whose time is not over.
     *
     * @param id the same one in every repetition of the same call
     * @throws IllegalArgumentException if the id is known as a sanction of another account; while this account has a sanction, a
     *     store MAY answer {@link ImposeOutcome.Another} instead
     */
    ImposeOutcome impose(AttemptId id, Terms terms);

    /**
     * Imposes a sanction in the place of the one that was seen, in one write: there is no moment without one.
     *
     * @param seen the one that is to go; another one in its place is left alone, and returned (B4)
     * @param id as for {@link #impose}
     * @throws IllegalArgumentException as {@link #impose}
     */
    ReplaceOutcome replace(AttemptId seen, AttemptId id, Terms terms);

    /**
     * Ends the sanction that was seen. Repeated, it says the same again, until another one is active: the first ending stands
     * (G12).
     *
     * @param seen as for {@link #replace}
     */
    LiftOutcome lift(Account account, AttemptId seen, Holder by);

    /** The one that is active; decides nothing. */
    Optional<Sanction> active(Account account);

    /**
     * The active one and those before it, the newest first (B5); decides nothing.
     *
     * @param atMost 1 or more
     * @throws IllegalArgumentException if {@code atMost} is less than 1
     */
    List<Sanction> history(Account account, int atMost);

    /** What {@link #impose} throws for an id that is known as another account's, in the same words everywhere. */
    static IllegalArgumentException ofAnotherAccount(AttemptId id) {
        return new IllegalArgumentException(
                "attempt " + id + " is a sanction of another account: make a new one for each call");
    }

    /**
     * Returns a number that {@link #history} can do with; in the same words for all stores.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    static int atLeastOne(int atMost) {
        if (atMost < 1) {
            throw new IllegalArgumentException("ask for 1 sanction or more, not for " + atMost);
        }
        return atMost;
    }
}
