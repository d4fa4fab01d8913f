package io.holdfast.publish;

import io.holdfast.AttemptId;
import io.holdfast.publish.Refusal.AlreadyRun;
import io.holdfast.publish.Refusal.InProgress;
import io.holdfast.publish.Refusal.OtherRequest;
import io.holdfast.publish.Refusal.SlugFixed;
import io.holdfast.publish.Refusal.SlugTaken;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** What came of asking for a publish. */
public sealed interface PublishOutcome permits PublishOutcome.Started, Refusal {
    /**
     * This call does it. {@code claim.attempt()} is the deployment's id.
     *
     * @param takenOverFrom the deployment whose owner had fallen silent, if there was one
     * @param conclusion completes, never exceptionally, when this process has no more to do for it
     */
    record Started(Claim claim, Optional<AttemptId> takenOverFrom, CompletionStage<Conclusion> conclusion)
            implements PublishOutcome {}

    default <R> R fold(
            Function<? super Started, ? extends R> started,
            Function<? super AlreadyRun, ? extends R> alreadyRun,
            Function<? super OtherRequest, ? extends R> otherRequest,
            Function<? super InProgress, ? extends R> inProgress,
            Function<? super SlugFixed, ? extends R> slugFixed,
            Function<? super SlugTaken, ? extends R> slugTaken) {
        if (this instanceof Started s) {
            return started.apply(s);
        }
        if (this instanceof AlreadyRun r) {
            return alreadyRun.apply(r);
        }
        if (this instanceof OtherRequest o) {
            return otherRequest.apply(o);
        }
        if (this instanceof InProgress p) {
            return inProgress.apply(p);
        }
        if (this instanceof SlugFixed f) {
            return slugFixed.apply(f);
        }
        return slugTaken.apply((SlugTaken) this);
    }
}
