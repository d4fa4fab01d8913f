package io.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** What came of evicting a holder by the fence that was seen (G15). */
public sealed interface Eviction {
    /**
     * The holder has lost, from now on.
     *
     * @param now the key's fence: nobody's, and higher than every one that was granted, so that a resource that is told of it
     *     refuses the evicted holder even before the next one comes
     * @param takeableIn time until others may take; zero when they may now
     */
    record Evicted(Fence now, Duration takeableIn) implements Eviction {}

    /**
     * Nobody holds by that fence, or keeps others from taking, and this call has changed nothing; one before it that ended as
     * UNKNOWN may have evicted.
     *
     * @param now who holds now; empty when nobody does
     */
    record Moved(Optional<Incumbent> now) implements Eviction {}

    default <R> R fold(Function<? super Evicted, ? extends R> evicted, Function<? super Moved, ? extends R> moved) {
        return this instanceof Evicted e ? evicted.apply(e) : moved.apply((Moved) this);
    }
}
