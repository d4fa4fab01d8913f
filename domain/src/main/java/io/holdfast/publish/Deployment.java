package io.holdfast.publish;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * One attempt to publish one app, as the database knows it.
 *
 * @param holder who started it
 * @param startedAt by the database's clock; for display only
 * @param takenOverFrom the deployment that this one took over, when its owner had fallen silent
 * @param state what has become of it
 */
public record Deployment(
        AttemptId id,
        AppId app,
        Slug slug,
        Fence fence,
        Holder holder,
        Instant startedAt,
        Optional<AttemptId> takenOverFrom,
        State state) {

    /** What has become of a deployment: it is building, it was abandoned, or its holder told an {@link Ending}. */
    public sealed interface State permits Building, Abandoned, Ending {}

    /** Its holder is at it, or has fallen silent and was not taken over yet: {@code by} tells which. */
    public record Building(Incumbent by) implements State {}

    /**
     * Its owner fell silent or was evicted; what became of the work is not known.
     *
     * @param by the deployment that took over; empty if nobody did, because an operator or the clean-up ended it
     */
    public record Abandoned(Optional<AttemptId> by) implements State {}

    /** Folds the state. */
    public <R> R fold(
            Function<? super Building, ? extends R> building,
            Function<? super Abandoned, ? extends R> abandoned,
            Function<? super Ending, ? extends R> ended) {
        if (state instanceof Building b) {
            return building.apply(b);
        }
        if (state instanceof Abandoned a) {
            return abandoned.apply(a);
        }
        return ended.apply((Ending) state);
    }
}
