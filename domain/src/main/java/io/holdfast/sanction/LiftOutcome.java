package io.holdfast.sanction;

import io.holdfast.sanction.ImposeOutcome.Over;
import java.util.Optional;
import java.util.function.Function;

/** What came of lifting: {@link Over} if the sanction that was seen has ended, by this lift or before it. */
public sealed interface LiftOutcome permits Over, LiftOutcome.Missed {
    /**
     * The account does not have the sanction that was seen, and this call has changed nothing; one before it whose answer was
     * lost may have lifted that sanction, and {@link SanctionStore#history} tells.
     *
     * @param active the one that it has in its place (B4); empty if it has none, and the one that was seen is not known
     */
    record Missed(Optional<Sanction> active) implements LiftOutcome {}

    default <R> R fold(Function<? super Over, ? extends R> over, Function<? super Missed, ? extends R> missed) {
        return this instanceof Over o ? over.apply(o) : missed.apply((Missed) this);
    }
}
