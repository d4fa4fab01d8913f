package io.holdfast.app.race;

import io.holdfast.app.race.OrdinaryTables.Duplicate;
import java.util.Optional;

/**
 * {@link Strategy#FAIL_THEN_START}: cleaning up and publishing in one, so that everybody's deployment is left over from
 * somebody's point of view. And the name is looked up before it is inserted, so that whoever comes in between is told
 * that it is taken, though it is the app's own.
 */
final class FailThenStart extends Ordinary {
    FailThenStart(OrdinaryTables tables, Effects effects) {
        super(tables, effects);
    }

    @Override
    public Pressed publish(String app, String slug) {
        Optional<String> owner = sites.find(slug);
        if (owner.isPresent() && !owner.get().equals(app)) {
            return Pressed.told(Answer.nameTaken());
        }
        deployments.markAll(app, BUILDING, FAILED, "superseded");
        if (owner.isEmpty()) {
            try {
                sites.insert(slug, app);
            } catch (Duplicate e) {
                return Pressed.told(Answer.nameTaken());
            }
        }
        return start(app);
    }
}
