package io.holdfast.sanction;

import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Deadline;
import io.holdfast.Holder;
import io.holdfast.StoreUnavailable;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Sanctions accounts. Each call is a wish of its own; while it is not known what came of it, it is made again as the same
 * one, so that a lost answer never makes an operator lose to herself. Thread-safe.
 */
public final class Sanctioning {
    private final SanctionStore store;
    private final Budget budget;

    /** With {@link Budget#DEFAULT}. */
    public Sanctioning(SanctionStore store) {
        this(store, Budget.DEFAULT);
    }

    /**
     * @param budget for how long a call whose outcome is unknown is repeated, though always at least once; a call takes at most
     *     this and twice the store's own budget, and what the pool waits for a connection
     */
    public Sanctioning(SanctionStore store, Budget budget) {
        this.store = store;
        this.budget = budget;
    }

    /**
     * Imposes a sanction if the account has none.
     *
     * @return {@link ImposeOutcome.Over} if it was imposed and, before that was known, has ended again
     * @throws StoreUnavailable if the store stayed away. NOT_APPLIED: nothing was imposed. UNKNOWN: it may have been, see {@link
     *     #active}
     */
    public ImposeOutcome impose(Terms terms) {
        AttemptId id = AttemptId.random();
        return untilKnown(() -> store.impose(id, terms));
    }

    /**
     * Imposes a sanction in the place of the one that was seen.
     *
     * @throws StoreUnavailable as {@link #impose}
     */
    public ReplaceOutcome replace(AttemptId seen, Terms terms) {
        AttemptId id = AttemptId.random();
        return untilKnown(() -> store.replace(seen, id, terms));
    }

    /**
     * Ends the sanction that was seen.
     *
     * @throws StoreUnavailable if the store stayed away: lift it again
     */
    public LiftOutcome lift(Account account, AttemptId seen, Holder by) {
        return untilKnown(() -> store.lift(account, seen, by));
    }

    /** As {@link SanctionStore#active}. */
    public Optional<Sanction> active(Account account) {
        return store.active(account);
    }

    /** As {@link SanctionStore#history}. */
    public List<Sanction> history(Account account, int atMost) {
        return store.history(account, atMost);
    }

    private <R> R untilKnown(Supplier<R> call) {
        Deadline deadline = budget.begin();
        StoreUnavailable unknown = null;
        for (int calls = 0; ; calls++) {
            try {
                return call.get();
            } catch (StoreUnavailable e) {
                // A repetition that was surely not applied says nothing about the call before it.
                if (e.effect() == StoreUnavailable.Effect.UNKNOWN) {
                    unknown = e;
                }
                if (unknown == null) {
                    throw e;
                }
                boolean over = !deadline.pause() && calls > 0;
                if (over || Thread.currentThread().isInterrupted()) {
                    throw unknown;
                }
            }
        }
    }
}
