package io.holdfast.app.race;

/**
 * What a contender is told to do.
 *
 * @param ticket names this order in the reports about it
 * @param atMicros when, in microseconds since 1970 by this machine's clock: the barrier, plus the contender's distance;
 *     zero: at once
 */
record Order(String ticket, Kind kind, Strategy strategy, Scenario scenario, String app, long atMicros) {
    enum Kind {
        /** Bring the app into the state that the scenario begins with. */
        PREPARE,
        /** Press publish. */
        PUBLISH
    }
}
