package io.holdfast.app.race;

import java.util.Locale;

/** What the app is going through when its publishes come. In each of them exactly one deployment should run. */
enum Scenario {
    /** The app and its name are new. */
    FIRST_PUBLISH,
    /** The app is live; the last attempt to publish it failed. */
    REPUBLISH,
    /** A deployment is marked as building, and its owner has been silent for ten minutes. */
    DEAD_OWNER,
    /** A deployment is building, alive, and older than the silence limit. */
    SLOW_BUILD;

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
