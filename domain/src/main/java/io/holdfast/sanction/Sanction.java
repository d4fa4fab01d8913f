package io.holdfast.sanction;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * One sanction of one account, as the database knows it.
 *
 * @param id the attempt that imposed it
 * @param since by the database's clock; for display only
 * @param state what has become of it
 */
public record Sanction(AttemptId id, Terms terms, Instant since, State state) {

    /** It is active, or has ended in one of three ways. */
    public sealed interface State permits Active, Lifted, Replaced, RanOut {}

    /**
     * The one that its account has.
     *
     * @param endsIn time until it ends by itself, by the database's clock; empty if it does not
     */
    public record Active(Optional<Duration> endsIn) implements State {}

    /**
     * An operator ended it.
     *
     * @param at by the database's clock; for display only
     */
    public record Lifted(Holder by, Instant at) implements State {}

    /**
     * Another one was imposed in its place.
     *
     * @param by the id of that one
     */
    public record Replaced(AttemptId by) implements State {}

    /** Its time was over (B3). */
    public record RanOut() implements State {}

    /** Folds the state. */
    public <R> R fold(
            Function<? super Active, ? extends R> active,
            Function<? super Lifted, ? extends R> lifted,
            Function<? super Replaced, ? extends R> replaced,
            Function<? super RanOut, ? extends R> ranOut) {
        if (state instanceof Active a) {
            return active.apply(a);
        }
        if (state instanceof Lifted l) {
            return lifted.apply(l);
        }
        if (state instanceof Replaced r) {
            return replaced.apply(r);
        }
        return ranOut.apply((RanOut) state);
    }
}
