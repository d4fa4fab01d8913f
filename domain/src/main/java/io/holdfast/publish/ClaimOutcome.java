package io.holdfast.publish;

import io.holdfast.AttemptId;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** What came of asking for a claim. */
public sealed interface ClaimOutcome permits ClaimOutcome.Claimed, Refusal {
    /**
     * The app is this attempt's: now, or already before, when the attempt is a repeated one.
     *
     * @param remaining time until somebody else may take it, as in {@link io.holdfast.Renewal.Held}
     * @param takenOverFrom the deployment whose owner had fallen silent and that is now abandoned, if there was one
     */
    record Claimed(Claim claim, Duration remaining, Optional<AttemptId> takenOverFrom) implements ClaimOutcome {}

    default <R> R fold(Function<? super Claimed, ? extends R> claimed, Function<? super Refusal, ? extends R> refused) {
        return this instanceof Claimed c ? claimed.apply(c) : refused.apply((Refusal) this);
    }
}
