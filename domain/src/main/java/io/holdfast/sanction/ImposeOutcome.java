package io.holdfast.sanction;

import java.util.function.Function;

/** What came of imposing. */
public sealed interface ImposeOutcome {
    /** It is active: now, or already before, when the id is a repeated one. */
    record Imposed(Sanction sanction) implements ImposeOutcome, ReplaceOutcome {}

    /** Another one is active, and was left alone. */
    record Another(Sanction active) implements ImposeOutcome, ReplaceOutcome {}

    /**
     * It has ended, as {@link Sanction#state()} tells: an id that was imposed once is never imposed again (B2), and one that
     * has ended keeps its first ending (G12).
     */
    record Over(Sanction sanction) implements ImposeOutcome, ReplaceOutcome, LiftOutcome {}

    default <R> R fold(
            Function<? super Imposed, ? extends R> imposed,
            Function<? super Another, ? extends R> another,
            Function<? super Over, ? extends R> over) {
        if (this instanceof Imposed i) {
            return imposed.apply(i);
        }
        if (this instanceof Another a) {
            return another.apply(a);
        }
        return over.apply((Over) this);
    }
}
