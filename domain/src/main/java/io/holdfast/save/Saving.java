package io.holdfast.save;

import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Deadline;
import io.holdfast.Heart;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.Moment;
import io.holdfast.NotDone;
import io.holdfast.Pulse;
import io.holdfast.SilenceLimit;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.SaveTokenStore.EndOutcome;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Saves, once for each token. Whoever comes with it again, at once or after a crash, gets the result of the one time.
 *
 * <p>Thread-safe. Owns no thread: the content is written on the caller's, and {@link Heartbeats} keeps the token.
 */
public final class Saving {
    /** How long whoever writes may stay silent: ten beats of {@link Heartbeats#DEFAULT_INTERVAL}. */
    public static final SilenceLimit DEFAULT_LIMIT = SilenceLimit.of(Duration.ofMinutes(5));

    private final SaveTokenStore tokens;
    private final Heart<Reservation> heart;
    private final Holder me;
    private final SilenceLimit limit;
    private final Budget budget;

    /** With the defaults. */
    public Saving(SaveTokenStore tokens, Heartbeats heartbeats, Holder me) {
        this(tokens, heartbeats, me, DEFAULT_LIMIT, Budget.DEFAULT);
    }

    /**
     * @param budget for how long a reservation whose outcome is unknown is repeated, though always at least once; and for how
     *     long the end of one that could not be delivered is waited for
     * @throws IllegalArgumentException if the limit is shorter than four heartbeats
     */
    public Saving(SaveTokenStore tokens, Heartbeats heartbeats, Holder me, SilenceLimit limit, Budget budget) {
        this.tokens = tokens;
        this.heart = heartbeats.of(tokens, limit);
        this.me = me;
        this.limit = limit;
        this.budget = budget;
    }

    /**
     * Makes a token for one save.
     *
     * @param validFor for how long it can be used; more than 0 and at most 365 days
     * @throws StoreUnavailable if the store stayed away; a token may be left behind that nobody has
     */
    public SaveToken issue(Duration validFor, IfInDoubt ifInDoubt) {
        SaveToken token = SaveToken.random();
        tokens.issue(token.digest(), validFor, ifInDoubt);
        return token;
    }

    /**
     * Reserves the token and writes, or tells why not. What the writer throws is passed on; after a {@link NotDone} the token
     * is given back, after anything else it is left to fall silent, for nobody knows what was written.
     *
     * @param payload of what {@code writer} writes
     * @throws NotDone if the writer says that surely nothing was written, this time
     * @throws E what else the writer threw
     * @throws StoreUnavailable if the store stayed away: ask again with the same token. Before the writer was called: nothing
     *     was written, nor will be, and with UNKNOWN the token may read as in progress until the store is back, when it is given
     *     back. Only if that takes longer than the silence limit, or this process ends before it, is it left to its policy: taken
     *     over and run again, or in doubt, though nothing was written, until it is given back or an operator has settled it.
     *     After it: it was written, and is known as soon as the store is back, while the token reads as in progress
     * @throws IllegalStateException if the heartbeats are closed
     */
    public <E extends Exception> SaveOutcome save(SaveToken token, Fingerprint payload, ContentWriter<E> writer)
            throws NotDone, E {
        TokenDigest digest = token.digest();
        Deadline deadline = budget.begin();
        do {
            ReserveRequest request = new ReserveRequest(digest, AttemptId.random(), payload, me, limit);
            Heart.Take<ReserveOutcome, Reservation> take = new Heart.Take<>(
                    fence -> new Reservation(digest, request.attempt(), fence),
                    () -> tokens.reserve(request),
                    outcome -> outcome instanceof Reserved won ? Optional.of(won.reservation()) : Optional.empty(),
                    mine -> tokens.end(mine, new Ending.NotSaved()));
            Answer answer = heart.taking(budget, take, this::kept);
            if (answer.outcome instanceof Reserved won) {
                return write(won, answer.pulse.orElseThrow(), writer);
            }
            if (answer.outcome instanceof Refusal refusal) {
                return refusal;
            }
            // Over: granted in a reply that was lost, and settled before the store was asked again. Nothing is ours.
        } while (deadline.pause());
        throw new StoreUnavailable(
                Effect.NOT_APPLIED,
                "the token was settled as often as it was taken, until the budget was spent",
                new IllegalStateException("settled before its take was known here"));
    }

    /** What the store said; with a pulse if it granted the token. */
    private record Answer(ReserveOutcome outcome, Optional<Pulse> pulse) {}

    private Answer kept(ReserveOutcome outcome, Moment sent) {
        return new Answer(outcome, outcome instanceof Reserved won ? Optional.of(keep(won, sent)) : Optional.empty());
    }

    private Pulse keep(Reserved won, Moment sent) {
        try {
            return heart.keep(won.reservation(), won.remaining(), sent);
        } catch (IllegalStateException closed) {
            // Won after the drain limit: give it back rather than leave it to fall silent.
            letGo(won.reservation(), new Ending.NotSaved());
            throw closed;
        }
    }

    private <E extends Exception> SaveOutcome write(Reserved won, Pulse pulse, ContentWriter<E> writer)
            throws NotDone, E {
        Reservation mine = won.reservation();
        SaveResult result;
        try {
            result = Objects.requireNonNull(writer.write(mine, won.takenOverFrom(), pulse), "the writer's result");
        } catch (Throwable e) {
            if (e instanceof NotDone) {
                letGo(mine, new Ending.NotSaved());
            } else {
                heart.stop(mine);
            }
            throw e;
        }
        return answered(letGo(mine, result))
                .fold(
                        SaveOutcome.Saved::new,
                        // An operator has settled it, while this process was silent.
                        notSaved -> new SaveTokenStore.Lost(Optional.empty()),
                        lost -> lost);
    }

    private CompletionStage<EndOutcome> letGo(Reservation mine, Ending ending) {
        return heart.letGo(mine, () -> tokens.end(mine, ending));
    }

    /** Waits for the store's word on the end, which is repeated while it is away; though not for ever. */
    private EndOutcome answered(CompletionStage<EndOutcome> end) {
        try {
            return end.toCompletableFuture().get(budget.value().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw writtenButNotTold(e);
        } catch (ExecutionException | TimeoutException e) {
            throw writtenButNotTold(e);
        }
    }

    private static StoreUnavailable writtenButNotTold(Throwable cause) {
        return new StoreUnavailable(
                Effect.UNKNOWN,
                "it was written, and the store could not be told so: ask again with the same token, for the result",
                cause);
    }
}
