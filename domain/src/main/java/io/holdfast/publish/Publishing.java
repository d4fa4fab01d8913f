package io.holdfast.publish;

import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Heart;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.Moment;
import io.holdfast.NotDone;
import io.holdfast.Pulse;
import io.holdfast.Renewal;
import io.holdfast.SilenceLimit;
import io.holdfast.StoreUnavailable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes an app, at most once at a time. Whoever loses never reaches the orchestrator, and is told who is at it.
 *
 * <p>Thread-safe. Owns no thread: the claim is made on the caller's, the work runs where the {@link Orchestrator} likes,
 * and {@link Heartbeats} keeps it alive.
 */
public final class Publishing {
    /** How long an owner may stay silent: ten beats of {@link Heartbeats#DEFAULT_INTERVAL}. */
    public static final SilenceLimit DEFAULT_LIMIT = SilenceLimit.of(Duration.ofMinutes(5));

    private static final Ending WITHDRAWN = new Ending.NotStarted(
            "the database did not say in time whether the app was claimed, and so nothing was started");

    private final ClaimStore claims;
    private final Orchestrator orchestrator;
    private final Heart<Claim> heart;
    private final Holder me;
    private final SilenceLimit limit;
    private final Budget budget;

    /** With the defaults. */
    public Publishing(ClaimStore claims, Orchestrator orchestrator, Heartbeats heartbeats, Holder me) {
        this(claims, orchestrator, heartbeats, me, DEFAULT_LIMIT, Budget.DEFAULT);
    }

    /**
     * @param budget for how long a claim whose outcome is unknown is repeated, though always at least once; a call takes at
     *     most this and twice the store's own budget, and what the pool waits for a connection
     * @throws IllegalArgumentException if the limit is shorter than four heartbeats
     */
    public Publishing(
            ClaimStore claims,
            Orchestrator orchestrator,
            Heartbeats heartbeats,
            Holder me,
            SilenceLimit limit,
            Budget budget) {
        this.claims = claims;
        this.orchestrator = orchestrator;
        this.heart = heartbeats.of(claims, limit);
        this.me = me;
        this.limit = limit;
        this.budget = budget;
    }

    /**
     * Publishes without an idempotency key: each call is a wish of its own.
     *
     * @see #publish(AppId, Slug, Optional)
     */
    public PublishOutcome publish(AppId app, Slug slug) {
        return publish(app, slug, Optional.empty());
    }

    /**
     * Claims the app and starts its deployment, or tells why not.
     *
     * @throws StoreUnavailable if the store stayed away. Nothing was started, nor will be. NOT_APPLIED: no trace is left.
     *     UNKNOWN: a claim may have been left behind, which reads as in progress; it is withdrawn as soon as the store is back,
     *     ends as not started and sets its request key free. If this process ends before that, the claim falls silent
     * @throws IllegalStateException if the heartbeats are closed
     */
    public PublishOutcome publish(AppId app, Slug slug, Optional<RequestKey> requestKey) {
        ClaimRequest request = new ClaimRequest(AttemptId.random(), app, slug, me, limit, requestKey);
        Heart.Take<ClaimOutcome, Claim> take = new Heart.Take<>(
                fence -> new Claim(app, request.attempt(), fence),
                () -> claims.claim(request),
                outcome -> outcome.fold(won -> Optional.of(won.claim()), refused -> Optional.empty()),
                claim -> claims.finish(claim, WITHDRAWN));
        return heart.taking(
                budget,
                take,
                (outcome, sent) -> outcome.<PublishOutcome>fold(won -> start(won, slug, sent), refused -> refused));
    }

    /**
     * A sign of life of work that goes on elsewhere; any node may be told.
     *
     * @return what the store says of the claim; empty when it has no word just now: tell it again
     * @throws StoreUnavailable if the store could not be asked
     */
    public Optional<Renewal> alive(Claim claim) {
        return Optional.ofNullable(claims.renew(List.of(claim)).get(claim));
    }

    /**
     * The end of work that went on elsewhere; any node may be told, and more than once.
     *
     * @throws StoreUnavailable if the store could not be told: tell it again
     */
    public ClaimStore.FinishOutcome ended(Claim claim, Ending ending) {
        return claims.finish(claim, ending);
    }

    private PublishOutcome start(ClaimOutcome.Claimed won, Slug slug, Moment sent) {
        Claim claim = won.claim();
        Pulse pulse = keep(won, sent);
        CompletionStage<Orchestrator.Work> work;
        try {
            work = Objects.requireNonNull(
                    orchestrator.deploy(claim, slug, won.takenOverFrom(), pulse), "the orchestrator's stage");
        } catch (Throwable e) {
            // The claim is won: whatever went wrong, the caller is told that its deployment exists, in doubt.
            work = CompletableFuture.failedFuture(e);
        }
        CompletionStage<Conclusion> conclusion = work.handle((result, failure) -> conclude(claim, result, failure))
                .thenCompose(stage -> stage);
        return new PublishOutcome.Started(claim, won.takenOverFrom(), conclusion);
    }

    private Pulse keep(ClaimOutcome.Claimed won, Moment sent) {
        try {
            return heart.keep(won.claim(), won.remaining(), sent);
        } catch (IllegalStateException closed) {
            // Won after the drain limit: give it back rather than leave it to fall silent.
            end(won.claim(), new Ending.NotStarted("the process that had claimed it was shutting down"));
            throw closed;
        }
    }

    private CompletionStage<Conclusion> conclude(
            Claim claim, Orchestrator.@Nullable Work work, @Nullable Throwable failure) {
        if (work != null) {
            return work.fold(ended -> end(claim, ended.ending()), elsewhere -> {
                heart.stop(claim);
                return CompletableFuture.completedFuture(new Conclusion.HandedOver());
            });
        }
        Throwable cause = failure == null ? new NullPointerException("the orchestrator's work") : unwrapped(failure);
        if (cause instanceof NotDone notDone) {
            return end(claim, new Ending.NotStarted(notDone.getMessage()));
        }
        heart.stop(claim);
        return CompletableFuture.completedFuture(new Conclusion.InDoubt(cause));
    }

    private CompletionStage<Conclusion> end(Claim claim, Ending ending) {
        return heart.letGo(claim, () -> claims.finish(claim, ending))
                .handle((outcome, failure) -> outcome == null
                        ? new Conclusion.InDoubt(failure)
                        : outcome.fold(
                                ended -> new Conclusion.Ended(ended.ending()), lost -> new Conclusion.Lost(lost.to())));
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
