package io.holdfast.postgres;

import java.util.List;

/**
 * A way to spoil the schema, or the session.
 *
 * @param session a parameter of the JDBC URL; empty if it is the schema alone that is spoilt
 * @param sql what spoils it; tables are called {@code holdfast_...} here and have a prefix of their own there
 * @param said what the message of {@code check()} contains
 */
record PostgresDefect(String name, String session, String sql, List<String> said) {
    private static final String CASE_IS_IGNORED =
            "CREATE COLLATION IF NOT EXISTS any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false); ";

    static final List<PostgresDefect> ALL = List.of(
            schema("a table is missing", "DROP TABLE holdfast_deployment", "deployment is missing", "Run migrate()"),
            schema(
                    "the index that makes slugs unique is missing",
                    "DROP INDEX holdfast_app_slug",
                    "no unique index on (slug)",
                    "CREATE UNIQUE INDEX"),
            schema(
                    "a unique index is not unique",
                    "DROP INDEX holdfast_app_slug; CREATE INDEX holdfast_app_slug ON holdfast_app (slug)",
                    "no unique index on (slug)",
                    "DROP INDEX"),
            schema(
                    "a unique index is on another column, and another one on its own",
                    "DROP INDEX holdfast_app_slug; CREATE UNIQUE INDEX holdfast_app_slug ON holdfast_app (holder);"
                            + " CREATE UNIQUE INDEX holdfast_app_other ON holdfast_app (slug)",
                    "no unique index on (slug) that is valid and called",
                    "but CREATE UNIQUE INDEX",
                    "DROP INDEX"),
            schema(
                    "a unique index has lost its predicate",
                    "DROP INDEX holdfast_deployment_building;"
                            + " CREATE UNIQUE INDEX holdfast_deployment_building ON holdfast_deployment (app)",
                    "no unique index on (app) WHERE (state = 'building'::text)",
                    "but CREATE UNIQUE INDEX",
                    "DROP INDEX"),
            schema(
                    "a unique index has another predicate",
                    "DROP INDEX holdfast_deployment_request;"
                            + " CREATE UNIQUE INDEX holdfast_deployment_request ON holdfast_deployment (app, request)"
                            + " WHERE state = 'live'",
                    "no unique index on (app, request) WHERE (request IS NOT NULL)",
                    "DROP INDEX"),
            schema(
                    "who was sanctioned once can never be again: the index over active ones has lost its predicate",
                    "DROP INDEX holdfast_sanction_active;"
                            + " CREATE UNIQUE INDEX holdfast_sanction_active ON holdfast_sanction (account)",
                    "no unique index on (account) WHERE (state = 'active'::text)",
                    "but CREATE UNIQUE INDEX",
                    "DROP INDEX"),
            schema(
                    "several sanctions may be active: the index over active ones is missing",
                    "DROP INDEX holdfast_sanction_active",
                    "no unique index on (account) WHERE (state = 'active'::text)",
                    "CREATE UNIQUE INDEX"),
            schema(
                    "a unique index has lost a column",
                    "DROP INDEX holdfast_deployment_request;"
                            + " CREATE UNIQUE INDEX holdfast_deployment_request ON holdfast_deployment (request)"
                            + " WHERE request IS NOT NULL",
                    "no unique index on (app, request) WHERE (request IS NOT NULL)",
                    "DROP INDEX"),
            schema(
                    "a unique index is over an expression",
                    "DROP INDEX holdfast_app_slug; CREATE UNIQUE INDEX holdfast_app_slug ON holdfast_app (lower(slug))",
                    "no unique index on (slug)",
                    "DROP INDEX"),
            schema(
                    "a unique index is in another collation",
                    CASE_IS_IGNORED + "DROP INDEX holdfast_app_slug;"
                            + " CREATE UNIQUE INDEX holdfast_app_slug ON holdfast_app (slug COLLATE any_case)",
                    "no unique index on (slug) that is valid",
                    "COLLATE any_case",
                    "DROP INDEX"),
            schema(
                    "a unique index was not built to its end",
                    "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'holdfast_app_slug'::regclass",
                    "no unique index on (slug) that is valid",
                    "DROP INDEX"),
            schema(
                    "an index makes unique what repeats",
                    "CREATE UNIQUE INDEX holdfast_deployment_slug ON holdfast_deployment (slug)",
                    "lets (slug) be there once only",
                    "DROP INDEX"),
            schema(
                    "a constraint makes unique what repeats",
                    "ALTER TABLE holdfast_deployment ADD CONSTRAINT holdfast_deployment_slug UNIQUE (slug)",
                    "lets (slug) be there once only",
                    "DROP CONSTRAINT"),
            schema(
                    "the key is no primary key",
                    "ALTER TABLE holdfast_app DROP CONSTRAINT holdfast_app_key",
                    "no unique index on (app)",
                    "ADD CONSTRAINT"),
            schema(
                    "the key is checked at the end of the transaction only",
                    "ALTER TABLE holdfast_deployment DROP CONSTRAINT holdfast_deployment_key,"
                            + " ADD CONSTRAINT holdfast_deployment_key PRIMARY KEY (id) DEFERRABLE",
                    "no unique index on (id)",
                    "ADD CONSTRAINT"),
            schema(
                    "the key ignores case",
                    CASE_IS_IGNORED + "ALTER TABLE holdfast_app ALTER COLUMN app TYPE text COLLATE any_case",
                    "column app of table",
                    "is text COLLATE any_case",
                    "ALTER COLUMN app TYPE text COLLATE \"C\""),
            schema(
                    "the key is in a language's order",
                    "ALTER TABLE holdfast_app ALTER COLUMN app TYPE text COLLATE \"default\"",
                    "is text COLLATE \"default\"",
                    "ALTER COLUMN app TYPE text COLLATE \"C\""),
            schema(
                    "a request key is cut",
                    "ALTER TABLE holdfast_app ALTER COLUMN request TYPE varchar(40) COLLATE \"C\"",
                    "column request of table",
                    "is character varying(40)",
                    "ALTER COLUMN request TYPE text"),
            schema(
                    "a fence is too short",
                    "ALTER TABLE holdfast_app ALTER COLUMN fence TYPE integer",
                    "column fence of table",
                    "is integer",
                    "ALTER COLUMN fence TYPE bigint"),
            schema(
                    "a time may be unknown",
                    "ALTER TABLE holdfast_app ALTER COLUMN free_at DROP NOT NULL",
                    "column free_at of table",
                    "may be NULL",
                    "SET NOT NULL"),
            schema(
                    "a column is missing",
                    "ALTER TABLE holdfast_app DROP COLUMN taken_over",
                    "has no column taken_over",
                    "ADD COLUMN taken_over uuid"),
            schema(
                    "the key of the leases is no primary key",
                    "ALTER TABLE holdfast_lease DROP CONSTRAINT holdfast_lease_key",
                    "no unique index on (name)",
                    "ADD CONSTRAINT"),
            schema(
                    "a lease may be free at a time that is unknown",
                    "ALTER TABLE holdfast_lease ALTER COLUMN free_at DROP NOT NULL",
                    "column free_at of table",
                    "may be NULL",
                    "SET NOT NULL"),
            schema(
                    "the key of the families is no primary key",
                    "ALTER TABLE holdfast_refresh DROP CONSTRAINT holdfast_refresh_key",
                    "no unique index on (family)",
                    "ADD CONSTRAINT"),
            schema(
                    "a generation is too short",
                    "ALTER TABLE holdfast_refresh ALTER COLUMN generation TYPE integer",
                    "column generation of table",
                    "is integer",
                    "ALTER COLUMN generation TYPE bigint"),
            schema(
                    "a column more must be given",
                    "ALTER TABLE holdfast_deployment ADD COLUMN \"Who\" text NOT NULL",
                    "column \"Who\" of table",
                    "must be given",
                    "ALTER COLUMN \"Who\" DROP NOT NULL"),
            schema(
                    "a table does not survive a crash",
                    "ALTER TABLE holdfast_app SET UNLOGGED",
                    "is emptied when the server crashes",
                    "SET LOGGED"),
            session(
                    "the user may not write",
                    "options=-c%20role=pg_read_all_data",
                    "user pg_read_all_data has no right to UPDATE",
                    "GRANT UPDATE"),
            // A setting of the whole server, which others use: feigned, for this session, by a function before the
            // server's own.
            new PostgresDefect(
                    "acknowledged writes are not on the disk",
                    "options=-c%20search_path=feigned,pg_catalog,public",
                    """
                    CREATE SCHEMA IF NOT EXISTS feigned;
                    CREATE OR REPLACE FUNCTION feigned.current_setting(name text) RETURNS text LANGUAGE sql AS
                        $$ SELECT CASE name WHEN 'fsync' THEN 'off' ELSE pg_catalog.current_setting(name) END $$""",
                    List.of("fsync is off", "Set fsync to on")),
            session(
                    "the session is read-only",
                    "options=-c%20default_transaction_read_only=on",
                    "the session is read-only",
                    "Connect to the primary"));

    private static PostgresDefect schema(String name, String sql, String... said) {
        return new PostgresDefect(name, "", sql, List.of(said));
    }

    private static PostgresDefect session(String name, String session, String... said) {
        return new PostgresDefect(name, session, "", List.of(said));
    }

    /** Spoils tables of this prefix, and returns the stores on them. */
    PostgresStores spoil(PostgresServer server, String prefix) {
        PostgresStores.of(server.source("")).tables(prefix).migrate();
        server.run(sql.replace("holdfast_", prefix));
        return PostgresStores.of(server.source(session)).tables(prefix);
    }
}
