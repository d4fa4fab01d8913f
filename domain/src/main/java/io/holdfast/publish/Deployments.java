package io.holdfast.publish;

import io.holdfast.AttemptId;
import java.util.List;
import java.util.Optional;

/**
 * The reading side of publishing; decides nothing. Thread-safe.
 *
 * <p>The last {@value #HISTORY} deployments of each app are kept, and besides them the live and the running one. Every
 * operation throws {@link io.holdfast.StoreUnavailable} if the store could not answer.
 */
public interface Deployments {
    /** How many deployments of an app are kept besides the live and the running one. */
    int HISTORY = 50;

    /** Finds a deployment by its id; empty if there never was one, or if it has left the history. */
    Optional<Deployment> find(AttemptId id);

    /** The one that is building, else the last one; empty if the app was never published. */
    Optional<Deployment> current(AppId app);

    /** The one that users see: the last that ended as {@link Ending.Live}. Republishing does not take it down (C5). */
    Optional<Deployment> live(AppId app);

    /**
     * The newest first, in the order of their fences (C10).
     *
     * @param atMost 1 or more
     * @throws IllegalArgumentException if {@code atMost} is less than 1
     */
    List<Deployment> recent(AppId app, int atMost);

    /**
     * Returns a number that {@link #recent} can do with; in the same words for all stores.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    static int atLeastOne(int atMost) {
        if (atMost < 1) {
            throw new IllegalArgumentException("ask for 1 deployment or more, not for " + atMost);
        }
        return atMost;
    }
}
