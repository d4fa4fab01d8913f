package io.holdfast.save;

import io.holdfast.AttemptId;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** What came of asking for a token. */
public sealed interface ReserveOutcome permits ReserveOutcome.Reserved, ReserveOutcome.Over, Refusal {
    /**
     * The token is this attempt's: now, or already before, when the attempt is a repeated one.
     *
     * @param remaining time until somebody else may take it, as in {@link io.holdfast.Renewal.Held}
     * @param takenOverFrom the last attempt whose holder had fallen silent, and that may have written; also if others have given
     *     the token back since
     */
    record Reserved(Reservation reservation, Duration remaining, Optional<AttemptId> takenOverFrom)
            implements ReserveOutcome {}

    /** This very attempt has had the token and it was given back: nothing was taken (G5). */
    record Over() implements ReserveOutcome {}

    default <R> R fold(
            Function<? super Reserved, ? extends R> reserved,
            Function<? super Over, ? extends R> over,
            Function<? super Refusal, ? extends R> refused) {
        if (this instanceof Reserved r) {
            return reserved.apply(r);
        }
        return this instanceof Over o ? over.apply(o) : refused.apply((Refusal) this);
    }
}
