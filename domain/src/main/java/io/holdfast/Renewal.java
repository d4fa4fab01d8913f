package io.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** What a store said of one hold that was to be renewed. */
public sealed interface Renewal {
    /**
     * It is still held.
     *
     * @param remaining how long it stays untakeable without another renewal, by the database's clock and the row's own
     *     limit. Counted from the moment the renewal was <em>sent</em>, this never reaches beyond what the row says (G3).
     */
    record Held(Duration remaining) implements Renewal {}

    /**
     * It is over, for good: the holder ended it, or it was taken over.
     *
     * @param to who holds now; empty when nobody does
     */
    record Lost(Optional<Incumbent> to) implements Renewal {}

    default <R> R fold(Function<? super Held, ? extends R> held, Function<? super Lost, ? extends R> lost) {
        return this instanceof Held h ? held.apply(h) : lost.apply((Lost) this);
    }
}
