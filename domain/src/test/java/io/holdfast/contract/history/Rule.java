package io.holdfast.contract.history;

import java.util.Optional;

/**
 * What an operation does to a key, and says.
 *
 * @param <S> the model of the key
 * @param <A> the answer
 */
@FunctionalInterface
public interface Rule<S, A> {
    /** The key afterwards; empty if it would not have said that. */
    Optional<S> follow(S key, Said<A> said);
}
