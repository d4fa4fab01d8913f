package io.holdfast.app.race;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One way to do what one at a time may do, or what may be done but once, on one database. Thread-safe. */
interface Way {
    /**
     * Brings what the race is about into the state that the scenario begins with. May be repeated when it has failed.
     *
     * @param key what the race is about
     * @return an answer whose effect, if it has one, is what the contenders are given
     */
    Pressed prepare(Scenario scenario, String key);

    /**
     * Presses the button.
     *
     * @param given what the preparation gave; empty if nothing
     */
    Pressed press(String key, String given);

    /**
     * Comes again when it is all over, where the port knows such a thing.
     *
     * @param given as {@link Port.Again} says
     */
    default Answer again(String key, String given) {
        throw new IllegalStateException("nobody comes again for " + key);
    }

    /**
     * What came of pressing.
     *
     * @param end how it ended what was started, as {@link Report#end()}; null if nothing was
     */
    record Pressed(Answer answer, @Nullable CompletionStage<String> end) {
        /** Nothing was started. */
        static Pressed told(Answer answer) {
            return new Pressed(answer, null);
        }
    }
}
