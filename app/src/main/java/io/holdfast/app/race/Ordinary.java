package io.holdfast.app.race;

import io.holdfast.app.race.OrdinaryTables.Duplicate;
import io.holdfast.app.race.OrdinaryTables.Keyed;
import io.holdfast.app.race.OrdinaryTables.Listed;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** What the ways to publish without Holdfast have in common: ordinary tables, and a build that is started and written down. */
abstract class Ordinary implements PublishingWay {
    static final String BUILDING = "building";
    static final String LIVE = "live";
    static final String FAILED = "failed";

    private static final Duration LONG_AGO = Duration.ofDays(1);

    /** Each with its app; the slugs are unique. */
    final Keyed sites;

    final Listed deployments;
    private final Effects effects;

    Ordinary(OrdinaryTables tables, Effects effects) {
        this.sites = tables.keyed("site");
        this.deployments = tables.listed("deployment");
        this.effects = effects;
    }

    /** Inserts a deployment and starts its build. */
    final Pressed start(String app) {
        String id = UUID.randomUUID().toString();
        deployments.insert(id, app, BUILDING, Duration.ZERO);
        return new Pressed(Answer.started(id, null), effects.start(app, id).thenApply(over -> {
            // By the id alone, as everybody writes it: one that was superseded comes alive again.
            deployments.mark(id, LIVE);
            return Report.DONE;
        }));
    }

    /**
     * Sees to it that the app has the name, whoever of its publishes registers it.
     *
     * @return false if another app has it
     */
    final boolean hasName(String slug, String app) {
        try {
            sites.insert(slug, app);
            return true;
        } catch (Duplicate e) {
            Optional<String> owner = sites.find(slug);
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
        deployments.insert(UUID.randomUUID().toString(), app, LIVE, LONG_AGO);
        deployments.insert(UUID.randomUUID().toString(), app, FAILED, LONG_AGO.dividedBy(2));
    }

    @Override
    public final String leaveDead(String app, String slug) {
        String id = UUID.randomUUID().toString();
        takeName(slug, app);
        deployments.insert(id, app, BUILDING, Contender.SILENCE);
        return id;
    }
}
