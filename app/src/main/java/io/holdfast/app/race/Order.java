package io.holdfast.app.race;

/**
 * What a contender is told to do.
 *
 * @param ticket names this order in the reports about it
 * @param key what the race is about
 * @param given what the contender has in its hands, as {@link Way} says; empty: nothing
 * @param atMicros when, in microseconds since 1970 by this machine's clock: the barrier, plus the contender's distance;
 *     zero: at once
 */
record Order(String ticket, Kind kind, Strategy strategy, Scenario scenario, String key, String given, long atMicros) {
    enum Kind {
        /** Bring it all into the state that the scenario begins with. */
        PREPARE,
        /** Press the button. */
        PRESS,
        /** Come again when it is over. */
        AGAIN
    }
}
