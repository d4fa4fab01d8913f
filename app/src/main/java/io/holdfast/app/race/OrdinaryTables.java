package io.holdfast.app.race;

import io.holdfast.app.Backend;
import java.io.Serial;
import java.time.Duration;
import java.util.Optional;

/**
 * The tables that a service without Holdfast keeps: one of sites, whose slugs are unique, and one of deployments. Each
 * operation is one statement of its own, and right by itself; what the strategies make of them is not. Thread-safe.
 */
interface OrdinaryTables {
    /** On the connections of a backend, which is not closed here. */
    static OrdinaryTables on(Backend backend, String prefix) {
        return backend.on(
                sql -> new SqlTables(sql, SqlTables.Dialect.of(backend.url()), prefix),
                mongo -> new MongoTables(mongo, prefix));
    }

    /** Creates the tables. */
    void create();

    /** The app whose site has this name. */
    Optional<String> ownerOf(String slug);

    /**
     * Gives the name to the app.
     *
     * @throws DuplicateName if some app has it
     */
    void register(String slug, String app);

    /**
     * The newest deployment of the app that is marked as building.
     *
     * @param youngerThan older ones are taken for dead
     */
    Optional<String> building(String app, Duration youngerThan);

    /** Marks as failed whatever is marked as building. */
    void failBuilding(String app, String error);

    /**
     * Inserts a deployment.
     *
     * @param age how long ago it was started
     */
    void insert(String id, String app, String state, Duration age);

    /** Sets the state of a deployment. */
    void mark(String id, String state);

    /** The unique index on the slug has refused it. */
    final class DuplicateName extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        DuplicateName(String slug, Throwable cause) {
            super("the name " + slug + " is taken", cause);
        }
    }
}
