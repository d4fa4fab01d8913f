package io.holdfast.contract;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One thing that a host may set, and what it may be set to.
 *
 * @param <S> what it is set on: a pool, or a client in the making
 */
public record Setting<S>(String name, List<Choice<S>> choices) {
    /** Sets it to one thing. */
    public record Choice<S>(String name, Consumer<? super S> set) {
        @Override
        public String toString() {
            return name;
        }
    }

    public Setting {
        choices = List.copyOf(choices);
    }

    /** The first choice is to leave it alone. */
    public static <S> Setting<S> of(String name) {
        return new Setting<>(name, List.of(new Choice<>("no " + name, host -> {})));
    }

    public Setting<S> or(String choice, Consumer<? super S> set) {
        return new Setting<>(
                name,
                Stream.concat(choices.stream(), Stream.of(new Choice<S>(choice, set)))
                        .toList());
    }
}
