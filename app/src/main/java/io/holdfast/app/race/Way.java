package io.holdfast.app.race;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One way to publish, on one database. Thread-safe. */
interface Way {
    /**
     * Presses publish.
     *
     * @param slug the name that the app is to have
     */
    Pressed publish(String app, String slug);

    /** Leaves the app live, and a failed attempt after that. May be repeated when it has failed. */
    void leaveLive(String app, String slug);

    /**
     * Leaves a deployment that is marked as building, and whose owner has been silent for ten minutes. May be repeated when
     * it has failed.
     *
     * @return its id
     */
    String leaveDead(String app, String slug);

    /**
     * What came of pressing publish.
     *
     * @param end how the build ended that was started, as {@link Report#end()}; null if none was
     */
    record Pressed(Answer answer, @Nullable CompletionStage<String> end) {
        static Pressed refused(Answer answer) {
            return new Pressed(answer, null);
        }
    }
}
