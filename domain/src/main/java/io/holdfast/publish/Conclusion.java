package io.holdfast.publish;

import io.holdfast.Incumbent;
import java.util.Optional;
import java.util.function.Function;

/** How a publish that this process had started left its hands. */
public sealed interface Conclusion {
    /**
     * The database knows how it ended.
     *
     * @param ending the ending that stands
     */
    record Ended(Ending ending) implements Conclusion {}

    /**
     * It was taken over before its end was known to the database.
     *
     * @param to who holds the app now, if anybody does
     */
    record Lost(Optional<Incumbent> to) implements Conclusion {}

    /** The work goes on in another system, and lives by its own signs of life. */
    record HandedOver() implements Conclusion {}

    /**
     * Nobody knows what became of it, or the database could not be told: the claim is left to fall silent, and can be
     * taken over after its limit.
     */
    record InDoubt(Throwable cause) implements Conclusion {}

    default <R> R fold(
            Function<? super Ended, ? extends R> ended,
            Function<? super Lost, ? extends R> lost,
            Function<? super HandedOver, ? extends R> handedOver,
            Function<? super InDoubt, ? extends R> inDoubt) {
        if (this instanceof Ended e) {
            return ended.apply(e);
        }
        if (this instanceof Lost l) {
            return lost.apply(l);
        }
        if (this instanceof HandedOver h) {
            return handedOver.apply(h);
        }
        return inDoubt.apply((InDoubt) this);
    }
}
