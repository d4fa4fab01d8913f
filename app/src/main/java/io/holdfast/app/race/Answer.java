package io.holdfast.app.race;

import org.jspecify.annotations.Nullable;

/**
 * What somebody who pressed publish is told.
 *
 * @param deployment the id of the one that was started, or is said to be running
 * @param takenOver the id of the one whose owner was found dead
 * @param text the words of an error
 */
record Answer(
        Kind kind,
        @Nullable String deployment,
        @Nullable String takenOver,
        @Nullable String text) {
    enum Kind {
        PREPARED,
        STARTED,
        IN_PROGRESS,
        NAME_TAKEN,
        ERROR
    }

    /** The app is in the state that the scenario begins with; {@code deployment} is the one in it that is building. */
    static Answer prepared(@Nullable String deployment) {
        return new Answer(Kind.PREPARED, deployment, null, null);
    }

    static Answer started(String deployment, @Nullable String takenOver) {
        return new Answer(Kind.STARTED, deployment, takenOver, null);
    }

    static Answer inProgress(String deployment) {
        return new Answer(Kind.IN_PROGRESS, deployment, null, null);
    }

    static Answer nameTaken() {
        return new Answer(Kind.NAME_TAKEN, null, null, null);
    }

    static Answer error(Throwable e) {
        return new Answer(Kind.ERROR, null, null, e.toString());
    }

    boolean started() {
        return kind == Kind.STARTED;
    }
}
