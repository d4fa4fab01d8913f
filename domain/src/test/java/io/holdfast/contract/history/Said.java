package io.holdfast.contract.history;

import java.util.Optional;
import java.util.function.BiFunction;

/** An answer; or none, when nobody knows what it would have been. Then it is any. */
public record Said<A>(Optional<A> answer) {
    static <A> Said<A> of(A answer) {
        return new Said<>(Optional.of(answer));
    }

    static <A> Said<A> nothing() {
        return new Said<>(Optional.empty());
    }

    /** {@code next}, if this answer is the one that is due. */
    <S> Optional<S> is(A due, S next) {
        return answer.isEmpty() || answer.get().equals(due) ? Optional.of(next) : Optional.empty();
    }

    /** {@code next}, with what else an answer of the kind that is due tells of it. */
    <S, B extends A> Optional<S> as(Class<B> due, S next, BiFunction<S, B, Optional<S>> told) {
        if (answer.isEmpty()) {
            return Optional.of(next);
        }
        return due.isInstance(answer.get()) ? told.apply(next, due.cast(answer.get())) : Optional.empty();
    }
}
