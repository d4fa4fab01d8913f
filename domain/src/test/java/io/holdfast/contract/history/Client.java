package io.holdfast.contract.history;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.contract.Ports;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * One of those who work on a key, for one thread. What it does comes from its seed, and from what it was told.
 *
 * @param <S> the model of the key
 */
public final class Client<S> {
    private final String name;
    private final Random random;
    private final Wire wire;
    private final List<Event<S>> history;

    /**
     * @param history to be written to by this client alone
     */
    Client(String name, Random random, Wire wire, List<Event<S>> history) {
        this.name = name;
        this.random = random;
        this.wire = wire;
        this.history = history;
    }

    Random random() {
        return random;
    }

    Ports ports() {
        return wire.ports();
    }

    /** Calls, and records it. Empty if it heard no answer. What surely was not applied has not happened. */
    <A> Optional<A> ask(String asked, Supplier<A> call, Rule<S, A> rule) {
        long called = System.nanoTime();
        try {
            A answer = wire.send(call);
            history.add(Event.answered(name, called, System.nanoTime(), asked, answer, rule));
            return Optional.of(answer);
        } catch (StoreUnavailable e) {
            if (e.effect() == Effect.UNKNOWN) {
                history.add(Event.unknown(name, called, asked, rule));
            }
            return Optional.empty();
        }
    }

    /**
     * As {@link #ask}, for what may renew a hold. The call may have done so besides what it was told: by a try whose reply was
     * lost on the way to the answer, or that followed one which has taken it.
     */
    <A> Optional<A> askToBeat(String asked, Supplier<A> call, Rule<S, A> rule, UnaryOperator<S> beat) {
        int before = history.size();
        Optional<A> answer = ask(asked, call, rule);
        if (history.size() > before) {
            history.add(history.get(before).besides("beat of " + asked, beat));
        }
        return answer;
    }

    // What it asks for.

    boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }

    <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    AttemptId newAttempt() {
        return new AttemptId(new UUID(random.nextLong(), random.nextLong()));
    }

    Holder me() {
        return new Holder(name);
    }

    SilenceLimit anyLimit() {
        return SilenceLimit.of(anyTime());
    }

    /** Some hours and twenty minutes. */
    Duration anyTime() {
        return Duration.ofMinutes(20 + 60L * random.nextInt(3));
    }
}
