package io.holdfast.app.race;

import java.time.Duration;
import java.util.Optional;

/**
 * {@link Strategy#CHECK_THEN_ACT}: right as long as nobody comes between the two statements, and as long as nothing builds
 * for longer than somebody once thought.
 */
final class CheckThenAct extends Ordinary {
    private final Duration longestBuild;

    /**
     * @param longestBuild whatever was started before that is taken for dead: there is no sign of life to look at
     */
    CheckThenAct(OrdinaryTables tables, Effects effects, Duration longestBuild) {
        super(tables, effects);
        this.longestBuild = longestBuild;
    }

    @Override
    public Pressed publish(String app, String slug) {
        Optional<String> running = deployments.newest(app, BUILDING, longestBuild);
        if (running.isPresent()) {
            return Pressed.told(Answer.inProgress(running.get()));
        }
        if (!hasName(slug, app)) {
            return Pressed.told(Answer.nameTaken());
        }
        return start(app);
    }
}
