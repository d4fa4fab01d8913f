package io.holdfast.app.race;

/** What a loser is told instead of the truth, which is: that one is at it, or has done it. */
enum Untruth {
    OWN_NAME_TAKEN("that its own name is taken"),
    NEVER_ARRIVED("to follow one that never arrived"),
    LOGGED_OUT("to log in again"),
    ERROR("an error");

    /** Completes: it is told ... */
    final String words;

    Untruth(String words) {
        this.words = words;
    }
}
