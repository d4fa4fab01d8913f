package io.holdfast.contract.interleaving;

import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.Ports;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Something that is held or can be, in one state, and all that may be done to it at once.
 *
 * @param rules that are at stake, such as "G1 C8"
 * @param made makes a new one
 */
record World(String name, String rules, Function<EngineSubject, Scene> made) {
    /** What a call says that may always say nothing: a row that was locked is stepped over (G14, C9). */
    static final String NO_WORD = "no word";

    /** How the name of each renewal ends. */
    static final String RENEWS = " renews";

    /** The names of calls that may renew: renewals, and takes that are repeated. */
    static final Pattern BEATS = Pattern.compile(".*(" + RENEWS + "| again acquires| again reserves| claims again)");

    /** What they are told who have a hold then. */
    static final Pattern HAS = Pattern.compile("held|acquired|reserved|claimed");

    /** One of them. */
    interface Scene {
        /** The same ones each time, in the same order. */
        List<Act> acts();

        /**
         * What is left when all is done, in words that are the same for the same outcome: also that the next one who comes gets
         * through. Then it is gone.
         */
        String end();
    }

    /** One call, and what it answers, in words that are the same for the same outcome. */
    record Act(String name, Function<Ports, String> call) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<World> all() {
        return Stream.of(Publishes.ALL, Leases.ALL, Saves.ALL, Families.ALL, Sanctions.ALL)
                .flatMap(List::stream);
    }

    @Override
    public String toString() {
        return name;
    }
}
