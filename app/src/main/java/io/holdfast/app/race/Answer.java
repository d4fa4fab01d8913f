package io.holdfast.app.race;

import org.jspecify.annotations.Nullable;

/**
 * What somebody who pressed the button is told.
 *
 * @param effect the id of the one that was started, or that somebody else has started
 * @param takenOver the id of the one whose owner was found dead
 * @param text the words of an error
 */
record Answer(
        Kind kind,
        @Nullable String effect,
        @Nullable String takenOver,
        @Nullable String text) {
    enum Kind {
        PREPARED,
        STARTED,
        /** Somebody is at it. */
        IN_PROGRESS,
        /** Somebody has done it: this is what came of it. */
        GIVEN,
        NAME_TAKEN,
        /** Log in again. */
        LOGGED_OUT,
        ERROR
    }

    /**
     * All is in the state that the scenario begins with.
     *
     * @param given what the contenders are given, or what is in progress already
     */
    static Answer prepared(@Nullable String given) {
        return new Answer(Kind.PREPARED, given, null, null);
    }

    static Answer started(String effect, @Nullable String takenOver) {
        return new Answer(Kind.STARTED, effect, takenOver, null);
    }

    static Answer inProgress(String effect) {
        return new Answer(Kind.IN_PROGRESS, effect, null, null);
    }

    static Answer given(String effect) {
        return new Answer(Kind.GIVEN, effect, null, null);
    }

    static Answer nameTaken() {
        return new Answer(Kind.NAME_TAKEN, null, null, null);
    }

    /** @param text why, for a person */
    static Answer loggedOut(String text) {
        return new Answer(Kind.LOGGED_OUT, null, null, text);
    }

    static Answer error(Throwable e) {
        return new Answer(Kind.ERROR, null, null, e.toString());
    }

    boolean started() {
        return kind == Kind.STARTED;
    }
}
