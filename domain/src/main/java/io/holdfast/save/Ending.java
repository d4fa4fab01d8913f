package io.holdfast.save;

import java.util.function.Function;

/** How a reservation ends, told by its holder, or by an operator who has looked. */
public sealed interface Ending extends SaveTokenStore.EndOutcome permits SaveResult, Ending.NotSaved {
    /**
     * Surely nothing was written: the token is given back, and may be used for another payload, too (S5). A holder that took it
     * over says so of itself alone: the doubt about whom it took over stays, and the payload with it. An operator says it of all.
     */
    record NotSaved() implements Ending {}

    default <R> R fold(
            Function<? super SaveResult, ? extends R> saved, Function<? super NotSaved, ? extends R> notSaved) {
        return this instanceof SaveResult s ? saved.apply(s) : notSaved.apply((NotSaved) this);
    }
}
