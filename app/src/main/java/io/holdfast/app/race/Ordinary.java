package io.holdfast.app.race;

import io.holdfast.app.race.OrdinaryTables.DuplicateName;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** What the ways without Holdfast have in common: ordinary tables, and a build that is started and written down. */
abstract class Ordinary implements Way {
    static final String BUILDING = "building";
    static final String LIVE = "live";
    static final String FAILED = "failed";

    private static final Duration LONG_AGO = Duration.ofDays(1);

    final OrdinaryTables tables;
    private final Builds builds;

    Ordinary(OrdinaryTables tables, Builds builds) {
        this.tables = tables;
        this.builds = builds;
    }

    /** Inserts a deployment and starts its build. */
    final Pressed start(String app) {
        String id = UUID.randomUUID().toString();
        tables.insert(id, app, BUILDING, Duration.ZERO);
        return new Pressed(Answer.started(id, null), builds.start(app, id).thenApply(over -> {
            // By the id alone, as everybody writes it: one that was superseded comes alive again.
            tables.mark(id, LIVE);
            return Report.LIVE;
        }));
    }

    /**
     * Sees to it that the app has the name, whoever of its publishes registers it.
     *
     * @return false if another app has it
     */
    final boolean hasName(String slug, String app) {
        try {
            tables.register(slug, app);
            return true;
        } catch (DuplicateName e) {
            Optional<String> owner = tables.ownerOf(slug);
            return owner.isPresent() && owner.get().equals(app);
        }
    }

    private void takeName(String slug, String app) {
        if (!hasName(slug, app)) {
            throw new IllegalStateException("another app has the name " + slug);
        }
    }

    @Override
    public final void leaveLive(String app, String slug) {
        takeName(slug, app);
        tables.insert(UUID.randomUUID().toString(), app, LIVE, LONG_AGO);
        tables.insert(UUID.randomUUID().toString(), app, FAILED, LONG_AGO.dividedBy(2));
    }

    @Override
    public final String leaveDead(String app, String slug) {
        String id = UUID.randomUUID().toString();
        takeName(slug, app);
        tables.insert(id, app, BUILDING, Contender.SILENCE);
        return id;
    }
}
