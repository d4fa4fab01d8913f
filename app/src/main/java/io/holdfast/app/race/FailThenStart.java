package io.holdfast.app.race;

import io.holdfast.app.race.OrdinaryTables.DuplicateName;
import java.util.Optional;

/**
 * {@link Strategy#FAIL_THEN_START}: cleaning up and publishing in one, so that everybody's deployment is left over from
 * somebody's point of view. And the name is looked up before it is inserted, so that whoever comes in between is told
 * that it is taken, though it is the app's own.
 */
final class FailThenStart extends Ordinary {
    FailThenStart(OrdinaryTables tables, Builds builds) {
        super(tables, builds);
    }

    @Override
    public Pressed publish(String app, String slug) {
        Optional<String> owner = tables.ownerOf(slug);
        if (owner.isPresent() && !owner.get().equals(app)) {
            return Pressed.refused(Answer.nameTaken());
        }
        tables.failBuilding(app, "superseded");
        if (owner.isEmpty()) {
            try {
                tables.register(slug, app);
            } catch (DuplicateName e) {
                return Pressed.refused(Answer.nameTaken());
            }
        }
        return start(app);
    }
}
