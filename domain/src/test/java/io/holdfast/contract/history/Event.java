package io.holdfast.contract.history;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * One operation of a history. Moments are those of {@link System#nanoTime()}.
 *
 * @param returned {@link #NEVER} when its outcome is unknown: it may have happened at any time since the call
 * @param isOptional whether it may not have happened at all
 * @param told the key afterwards; empty if it would not have said what this client was told
 * @param untold the key afterwards, whatever it said
 */
public record Event<S>(
        String client,
        long called,
        long returned,
        String asked,
        String answer,
        boolean isOptional,
        Function<S, Optional<S>> told,
        Function<S, Optional<S>> untold) {
    /** Later than any other moment. Only to be compared with: nothing may be added to it. */
    static final long NEVER = Long.MAX_VALUE;

    /** One that was answered. */
    public static <S, A> Event<S> answered(
            String client, long called, long returned, String asked, A answer, Rule<S, A> rule) {
        return new Event<>(
                client,
                called,
                returned,
                asked,
                answer.toString(),
                false,
                key -> rule.follow(key, Said.of(answer)),
                key -> rule.follow(key, Said.nothing()));
    }

    /** One that nobody knows the outcome of. */
    public static <S, A> Event<S> unknown(String client, long called, String asked, Rule<S, A> rule) {
        Function<S, Optional<S>> untold = key -> rule.follow(key, Said.nothing());
        return new Event<>(client, called, NEVER, asked, "UNKNOWN", true, untold, untold);
    }

    /** Something that the same call may have done besides. */
    Event<S> besides(String what, UnaryOperator<S> effect) {
        Function<S, Optional<S>> done = key -> Optional.of(effect.apply(key));
        return new Event<>(client, called, returned, what, "(maybe)", true, done, done);
    }

    boolean isUnknown() {
        return returned == NEVER;
    }

    /** The same, as if nobody knew its outcome. */
    Event<S> forgotten() {
        return new Event<>(client, called, NEVER, asked, "(does not matter)", true, untold, untold);
    }
}
