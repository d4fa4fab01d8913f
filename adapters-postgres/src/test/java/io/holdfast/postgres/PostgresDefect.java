package io.holdfast.postgres;

import java.util.List;

/**
 * A way to spoil the schema.
 *
 * @param sql what spoils it; tables are called {@code holdfast_...} and get the prefix of a schema that is thrown away
 * @param said what must be in the message of {@code check()}, with the prefix put in as well
 */
record PostgresDefect(String name, String sql, List<String> said) {
    static final List<PostgresDefect> ALL = List.of(new PostgresDefect(
            "the slug is not unique",
            "DROP INDEX holdfast_app_slug",
            List.of("no unique index on (slug)", "CREATE UNIQUE INDEX")));

    /** Spoils tables of this prefix, and returns the stores on them. */
    PostgresStores spoil(PostgresServer server, String prefix) {
        PostgresStores stores = PostgresStores.of(server.pool()).tables(prefix);
        stores.migrate();
        server.run(sql.replace("holdfast_", prefix));
        return stores;
    }
}
