package io.holdfast.lease;

import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Deadline;
import io.holdfast.Heart;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.Moment;
import io.holdfast.Pulse;
import io.holdfast.SilenceLimit;
import io.holdfast.StoreUnavailable;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs any work on the calling thread while nobody else does the same: a nightly job, an import. The lease is renewed
 * for as long as the work takes, so a short limit is safe.
 *
 * <p>Thread-safe. Owns no thread: {@link Heartbeats} keeps the lease alive.
 */
public final class UnderLease {
    private final LeaseStore leases;
    private final Heart<Lease> heart;
    private final Holder me;
    private final SilenceLimit limit;
    private final Budget budget;

    /**
     * @param budget for how long an acquire whose outcome is unknown is repeated, though always at least once
     * @throws IllegalArgumentException if the limit is shorter than four heartbeats
     */
    public UnderLease(LeaseStore leases, Heartbeats heartbeats, Holder me, SilenceLimit limit, Budget budget) {
        this.leases = leases;
        this.heart = heartbeats.of(leases, limit);
        this.me = me;
        this.limit = limit;
        this.budget = budget;
    }

    /** What one at a time may do. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object, E extends Exception> {
        /**
         * Runs on the caller's thread, while the lease is renewed.
         *
         * @param lease its fence goes with every write to a resource that can compare fences
         * @param pulse how sure it is, just now, that nobody else does the same; to be asked before each step
         */
        T run(Lease lease, Pulse pulse) throws E;
    }

    /** What came of asking for work to be run. */
    public sealed interface Run<T extends @Nullable Object> {
        /**
         * The work was run, here and now.
         *
         * @param result what it returned
         * @param lease what is known of the lease. HELD: nobody else had it until the work's end. LOST: it was taken over or
         *     evicted before that. UNSURE: the store could not say, and is told as soon as it can be reached
         */
        record Ran<T extends @Nullable Object>(T result, Pulse.View lease) implements Run<T> {}

        /** The work was not run. */
        record Refused<T extends @Nullable Object>(Incumbent by) implements Run<T> {}

        default <R> R fold(
                Function<? super Ran<T>, ? extends R> ran, Function<? super Refused<T>, ? extends R> refused) {
            return this instanceof Ran<T> r ? ran.apply(r) : refused.apply((Refused<T>) this);
        }
    }

    /**
     * Takes the lease, runs the work, and lets the lease go at once.
     *
     * @see #run(LeaseName, Duration, Work)
     */
    public <T extends @Nullable Object, E extends Exception> Run<T> run(LeaseName name, Work<T, E> work) throws E {
        return run(name, Duration.ZERO, work);
    }

    /**
     * Takes the lease, runs the work, and lets the lease go. What happens to the lease hides neither the work's result nor
     * its exception.
     *
     * @param minimum for how long nobody else gets the lease, as in {@link LeaseStore#release}
     * @throws E what the work threw; the lease was let go
     * @throws StoreUnavailable if the store stayed away. The work was not run, nor will be. NOT_APPLIED: no trace is left.
     *     UNKNOWN: the lease may have been left behind; it is let go as soon as the store is back, or falls silent if this
     *     process ends before that
     * @throws IllegalStateException if the heartbeats are closed
     */
    public <T extends @Nullable Object, E extends Exception> Run<T> run(
            LeaseName name, Duration minimum, Work<T, E> work) throws E {
        LeaseStore.checkedMinimum(minimum);
        Deadline deadline = budget.begin();
        do {
            AttemptId attempt = AttemptId.random();
            Heart.Take<LeaseOutcome, Lease> take = new Heart.Take<>(
                    fence -> new Lease(name, attempt, fence),
                    () -> leases.acquire(name, attempt, me, limit),
                    outcome ->
                            outcome instanceof LeaseOutcome.Acquired won ? Optional.of(won.lease()) : Optional.empty(),
                    lease -> leases.release(lease, Duration.ZERO));
            Asked asked = heart.taking(budget, take, this::kept);
            if (asked.outcome instanceof LeaseOutcome.Acquired won) {
                return run(won.lease(), asked.pulse.orElseThrow(), minimum, work);
            }
            if (asked.outcome instanceof LeaseOutcome.Taken taken) {
                return new Run.Refused<>(taken.by());
            }
            // Over: granted in a reply that was lost, and evicted before the store was asked again. Nothing is ours.
        } while (deadline.pause());
        throw new StoreUnavailable(
                StoreUnavailable.Effect.NOT_APPLIED,
                "the lease was evicted as often as it was taken, until the budget was spent",
                new IllegalStateException(name.value()));
    }

    /** What the store said; with a pulse if it granted the lease. */
    private record Asked(LeaseOutcome outcome, Optional<Pulse> pulse) {}

    private Asked kept(LeaseOutcome outcome, Moment sent) {
        return new Asked(
                outcome,
                outcome instanceof LeaseOutcome.Acquired won ? Optional.of(keep(won, sent)) : Optional.empty());
    }

    private Pulse keep(LeaseOutcome.Acquired won, Moment sent) {
        try {
            return heart.keep(won.lease(), won.remaining(), sent);
        } catch (IllegalStateException closed) {
            // Won after the drain limit: give it back rather than leave it to fall silent.
            heart.letGo(won.lease(), () -> leases.release(won.lease(), Duration.ZERO));
            throw closed;
        }
    }

    private <T extends @Nullable Object, E extends Exception> Run<T> run(
            Lease lease, Pulse pulse, Duration minimum, Work<T, E> work) throws E {
        T result;
        try {
            result = work.run(lease, pulse);
        } catch (Throwable e) {
            letGo(lease, pulse, minimum);
            throw e;
        }
        return new Run.Ran<>(result, letGo(lease, pulse, minimum));
    }

    /**
     * Throws nothing: it is the work's word that counts. Only a taker ends a hold (G7), so that a release that was not too
     * late says of the whole of it that nobody else had it.
     */
    private Pulse.View letGo(Lease lease, Pulse pulse, Duration minimum) {
        return heart.letGo(lease, () -> leases.release(lease, minimum))
                .handle((said, failure) -> said == null
                        ? pulse.view()
                        : said.<Pulse.View>fold(released -> Pulse.View.HELD, lost -> Pulse.View.LOST))
                .toCompletableFuture()
                .getNow(pulse.view());
    }
}
