package io.holdfast.app.race;

/** What a loser is told instead of the truth, which is: that deployment is running. */
enum Untruth {
    OWN_NAME_TAKEN("that its own name is taken"),
    NOT_RUNNING("to follow a deployment that does not run"),
    ERROR("an error");

    /** Completes: it is told ... */
    final String words;

    Untruth(String words) {
        this.words = words;
    }
}
