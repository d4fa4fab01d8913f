package io.holdfast.refresh;

import java.util.function.Function;

/**
 * What came of presenting a token.
 *
 * @param <T> what stands for a token: its {@link Generation} in a store, a {@link RefreshToken} in the use case
 */
public sealed interface RotateOutcome<T> {
    /** It was the family's current one and is spent now (R1); or one that the store has forgotten in a fail-over (R7). */
    record Rotated<T>(T successor) implements RotateOutcome<T> {}

    /** It was spent already, a moment ago: by another tab, or by a call whose reply was lost. The same successor (R2). */
    record Replayed<T>(T successor) implements RotateOutcome<T> {}

    /** It was spent long ago: somebody has a copy. The whole family is revoked now (R3). */
    record Reused<T>(FamilyId family) implements RotateOutcome<T> {}

    /** It is good for nothing, and nothing was changed. */
    record Refused<T>(Why why) implements RotateOutcome<T> {}

    /** Why a token was refused; the first of them that applies, but for OVERTAKEN in the order of their names here. */
    enum Why {
        /** No such family; or no token of ours at all. */
        UNKNOWN,
        /** Its family was revoked. */
        REVOKED,
        /** It, or its family, was not used for too long. */
        EXPIRED,
        /** Not only its successor is out, that one was used too, a moment ago (R3). Nothing is wrong: use the newest one. */
        OVERTAKEN
    }

    /** The same outcome, with another thing for a token. */
    default <U> RotateOutcome<U> map(Function<? super T, ? extends U> token) {
        return fold(
                rotated -> new Rotated<>(token.apply(rotated.successor)),
                replayed -> new Replayed<>(token.apply(replayed.successor)),
                reused -> new Reused<>(reused.family),
                refused -> new Refused<>(refused.why));
    }

    default <R> R fold(
            Function<? super Rotated<T>, ? extends R> rotated,
            Function<? super Replayed<T>, ? extends R> replayed,
            Function<? super Reused<T>, ? extends R> reused,
            Function<? super Refused<T>, ? extends R> refused) {
        if (this instanceof Rotated<T> r) {
            return rotated.apply(r);
        }
        if (this instanceof Replayed<T> r) {
            return replayed.apply(r);
        }
        if (this instanceof Reused<T> r) {
            return reused.apply(r);
        }
        return refused.apply((Refused<T>) this);
    }
}
