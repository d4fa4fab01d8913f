package io.holdfast.publish;

import io.holdfast.AttemptId;
import io.holdfast.Pulse;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Builds and releases an app; the host brings it. {@code claim.attempt()} is the idempotency key of the call, and a
 * fence smaller than one that it has seen for the app is to be refused: that call comes from a holder that was taken
 * over.
 */
@FunctionalInterface
public interface Orchestrator {
    /**
     * Starts the deployment and returns at once. The stage completes with how it ended, or with {@link Work.Elsewhere}
     * once somebody else has taken it on. It completes exceptionally with {@link io.holdfast.NotDone} if surely nothing was
     * started. Any other exception, also one thrown here, means that nobody knows, and the claim is left to fall silent.
     *
     * <p>What ends the work in the store runs on the thread that completes the stage, so let that be one that may wait.
     *
     * @param takenOverFrom the deployment that this one takes over, so that its work can be stopped if it still runs
     * @param pulse whether the app is still this deployment's
     */
    CompletionStage<Work> deploy(Claim claim, Slug slug, Optional<AttemptId> takenOverFrom, Pulse pulse);

    /** What has become of the work that was started. */
    sealed interface Work {
        /** It is over. */
        record Ended(Ending ending) implements Work {}

        /**
         * It goes on in another system, which reports signs of life and the end to any node: {@link
         * Publishing#alive(Claim)}, {@link Publishing#ended(Claim, Ending)}. This node beats for it no more, so that work
         * that goes quiet is found out.
         */
        record Elsewhere() implements Work {}

        default <R> R fold(
                Function<? super Ended, ? extends R> ended, Function<? super Elsewhere, ? extends R> elsewhere) {
            return this instanceof Ended e ? ended.apply(e) : elsewhere.apply((Elsewhere) this);
        }
    }
}
