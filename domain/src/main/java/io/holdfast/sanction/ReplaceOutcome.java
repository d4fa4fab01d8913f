package io.holdfast.sanction;

import io.holdfast.sanction.ImposeOutcome.Another;
import io.holdfast.sanction.ImposeOutcome.Imposed;
import io.holdfast.sanction.ImposeOutcome.Over;
import java.util.function.Function;

/** What came of replacing: what comes of imposing, and one case more. */
public sealed interface ReplaceOutcome permits Imposed, Another, Over, ReplaceOutcome.NoneActive {
    /** The account has no sanction any more, so there was nothing to replace, and nothing was changed. */
    record NoneActive() implements ReplaceOutcome {}

    default <R> R fold(
            Function<? super Imposed, ? extends R> imposed,
            Function<? super Another, ? extends R> another,
            Function<? super Over, ? extends R> over,
            Function<? super NoneActive, ? extends R> noneActive) {
        if (this instanceof ImposeOutcome outcome) {
            return outcome.<R>fold(imposed, another, over);
        }
        return noneActive.apply((NoneActive) this);
    }
}
