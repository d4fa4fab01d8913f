package io.holdfast.mysql;

import java.util.List;

/**
 * A way to spoil the schema.
 *
 * @param sql what spoils it; tables are called {@code holdfast_...} and get the prefix of a schema that is thrown away
 * @param said what must be in the message of {@code check()}, with the prefix put in as well
 */
record MysqlDefect(String name, String sql, List<String> said) {
    static final List<MysqlDefect> ALL = List.of(
            new MysqlDefect(
                    "a table is missing",
                    "DROP TABLE holdfast_deployment",
                    List.of("table holdfast_deployment is missing", "migrate()")),
            new MysqlDefect(
                    "a table has no transactions",
                    "ALTER TABLE holdfast_app ENGINE = MyISAM",
                    List.of("holdfast_app is kept by MyISAM", "ALTER TABLE holdfast_app ENGINE = InnoDB")),
            new MysqlDefect(
                    "an app has no key",
                    "ALTER TABLE holdfast_app DROP PRIMARY KEY",
                    List.of("no unique index PRIMARY on (app)", "ALTER TABLE holdfast_app ADD PRIMARY KEY (app)")),
            new MysqlDefect(
                    "the slug is not unique",
                    "ALTER TABLE holdfast_app DROP INDEX holdfast_app_slug",
                    List.of(
                            "no unique index holdfast_app_slug on (slug)",
                            "ADD UNIQUE INDEX holdfast_app_slug (slug)")),
            new MysqlDefect(
                    "the slug has an index that is not unique",
                    "ALTER TABLE holdfast_app DROP INDEX holdfast_app_slug, ADD INDEX holdfast_app_slug (slug)",
                    List.of(
                            "no unique index holdfast_app_slug on (slug), but a plain one",
                            "DROP INDEX holdfast_app_slug, ADD UNIQUE INDEX holdfast_app_slug (slug)")),
            new MysqlDefect(
                    "only the beginning of the slug is unique",
                    "ALTER TABLE holdfast_app DROP INDEX holdfast_app_slug, ADD UNIQUE INDEX holdfast_app_slug (slug(10))",
                    List.of(
                            "no unique index holdfast_app_slug on (slug), but one on (slug(10))",
                            "ADD UNIQUE INDEX holdfast_app_slug (slug)")),
            new MysqlDefect(
                    "a lease has no key",
                    "ALTER TABLE holdfast_lease DROP PRIMARY KEY",
                    List.of("no unique index PRIMARY on (name)", "ALTER TABLE holdfast_lease ADD PRIMARY KEY (name)")),
            new MysqlDefect(
                    "a lease must have been taken",
                    "ALTER TABLE holdfast_lease MODIFY holder varbinary(200) NOT NULL",
                    List.of("column holder of table holdfast_lease must not be NULL", "MODIFY holder")),
            new MysqlDefect(
                    "several sanctions may be active: nothing says which are",
                    "ALTER TABLE holdfast_sanction DROP COLUMN active_account",
                    List.of(
                            "holdfast_sanction has no column active_account",
                            "ADD COLUMN active_account VARBINARY(255) GENERATED ALWAYS AS",
                            "no unique index holdfast_sanction_active on (active_account)")),
            new MysqlDefect(
                    "several sanctions may be active: a column that nobody fills",
                    "ALTER TABLE holdfast_sanction DROP INDEX holdfast_sanction_active, DROP COLUMN active_account,"
                            + " ADD COLUMN active_account VARBINARY(255),"
                            + " ADD UNIQUE KEY holdfast_sanction_active (active_account)",
                    List.of(
                            "holdfast_sanction has no column active_account that is the account of an active sanction",
                            "but one that is varbinary(255)",
                            "DROP INDEX holdfast_sanction_active, DROP COLUMN active_account, ADD COLUMN")),
            new MysqlDefect(
                    "who was sanctioned once can never be again: ended ones count",
                    "ALTER TABLE holdfast_sanction DROP INDEX holdfast_sanction_active, DROP COLUMN active_account,"
                            + " ADD COLUMN active_account VARBINARY(255)"
                            + " GENERATED ALWAYS AS (CASE WHEN state <> 'lifted' THEN account END) VIRTUAL,"
                            + " ADD UNIQUE KEY holdfast_sanction_active (active_account)",
                    List.of(
                            "holdfast_sanction has no column active_account that is the account of an active sanction",
                            "but one that is (case when",
                            "DROP INDEX holdfast_sanction_active, DROP COLUMN active_account, ADD COLUMN")),
            new MysqlDefect(
                    "several sanctions may be active: the index is not unique",
                    "ALTER TABLE holdfast_sanction DROP INDEX holdfast_sanction_active,"
                            + " ADD INDEX holdfast_sanction_active (active_account)",
                    List.of(
                            "no unique index holdfast_sanction_active on (active_account), but a plain one",
                            "ADD UNIQUE INDEX holdfast_sanction_active (active_account)")),
            new MysqlDefect(
                    "a save token has no key",
                    "ALTER TABLE holdfast_save DROP PRIMARY KEY",
                    List.of("no unique index PRIMARY on (token)", "ALTER TABLE holdfast_save ADD PRIMARY KEY (token)")),
            new MysqlDefect(
                    "a result is cut at 64 KiB",
                    "ALTER TABLE holdfast_save MODIFY result blob",
                    List.of("column result of table holdfast_save is blob", "MODIFY result mediumblob")),
            new MysqlDefect(
                    "a deployment has no key",
                    "ALTER TABLE holdfast_deployment DROP PRIMARY KEY",
                    List.of("no unique index PRIMARY on (id)", "ALTER TABLE holdfast_deployment ADD PRIMARY KEY (id)")),
            new MysqlDefect(
                    "the unique index of request keys lacks a column",
                    "ALTER TABLE holdfast_deployment DROP INDEX holdfast_deployment_request,"
                            + " ADD UNIQUE INDEX holdfast_deployment_request (request)",
                    List.of(
                            "no unique index holdfast_deployment_request on (app, request), but one on (request)",
                            "ADD UNIQUE INDEX holdfast_deployment_request (app, request)")),
            new MysqlDefect(
                    "the name of the slug's index is on something else",
                    "ALTER TABLE holdfast_app DROP INDEX holdfast_app_slug,"
                            + " ADD UNIQUE INDEX holdfast_app_slug (holder), ADD UNIQUE INDEX another (slug)",
                    List.of(
                            "no unique index holdfast_app_slug on (slug), but one on (holder)",
                            "DROP INDEX holdfast_app_slug, ADD UNIQUE INDEX holdfast_app_slug (slug)")),
            new MysqlDefect(
                    "the app is unique, and something else is the key",
                    "ALTER TABLE holdfast_app DROP PRIMARY KEY, ADD PRIMARY KEY (fence), ADD UNIQUE INDEX another (app)",
                    List.of(
                            "no unique index PRIMARY on (app), but one on (fence)",
                            "DROP PRIMARY KEY, ADD PRIMARY KEY (app)")),
            new MysqlDefect(
                    "something is unique that must not be",
                    "ALTER TABLE holdfast_deployment ADD UNIQUE INDEX one_slug (slug)",
                    List.of("one_slug", "lets (slug) be there once only", "DROP INDEX one_slug")),
            new MysqlDefect(
                    "a key is compared without case",
                    "ALTER TABLE holdfast_app MODIFY app VARCHAR(255) NOT NULL",
                    List.of(
                            "column app of table holdfast_app is varchar(255)",
                            "'job' and 'JOB'",
                            "ALTER TABLE holdfast_app MODIFY app varbinary(255) NOT NULL")),
            new MysqlDefect(
                    "a request key is too short",
                    "ALTER TABLE holdfast_deployment MODIFY request VARBINARY(36)",
                    List.of(
                            "column request of table holdfast_deployment is varbinary(36)",
                            "MODIFY request varbinary(255)")),
            new MysqlDefect(
                    "a time is a DATETIME without a fraction",
                    "ALTER TABLE holdfast_app MODIFY free_at DATETIME NOT NULL",
                    List.of(
                            "column free_at of table holdfast_app is datetime",
                            "rounds to whole seconds",
                            "ALTER TABLE holdfast_app MODIFY free_at bigint NOT NULL")),
            new MysqlDefect(
                    "a time is a TIMESTAMP",
                    "ALTER TABLE holdfast_app MODIFY beat TIMESTAMP(6) NULL",
                    List.of(
                            "column beat of table holdfast_app is timestamp(6)",
                            "time zone",
                            "ALTER TABLE holdfast_app MODIFY beat bigint")),
            new MysqlDefect(
                    "a fence has too little room",
                    "ALTER TABLE holdfast_app MODIFY fence INT NOT NULL",
                    List.of("column fence of table holdfast_app is int", "MODIFY fence bigint NOT NULL")),
            new MysqlDefect(
                    "the key of the families is no primary key",
                    "ALTER TABLE holdfast_refresh DROP PRIMARY KEY",
                    List.of(
                            "no unique index PRIMARY on (family)",
                            "ALTER TABLE holdfast_refresh ADD PRIMARY KEY (family)")),
            new MysqlDefect(
                    "a generation has too little room",
                    "ALTER TABLE holdfast_refresh MODIFY generation INT NOT NULL",
                    List.of("column generation of table holdfast_refresh is int", "MODIFY generation bigint NOT NULL")),
            new MysqlDefect(
                    "a column is missing",
                    "ALTER TABLE holdfast_app DROP COLUMN taken_over",
                    List.of("holdfast_app has no column taken_over", "ADD COLUMN taken_over binary(16)")),
            new MysqlDefect(
                    "a time may be unknown",
                    "ALTER TABLE holdfast_app MODIFY free_at BIGINT",
                    List.of("column free_at of table holdfast_app may be NULL", "MODIFY free_at bigint NOT NULL")),
            new MysqlDefect(
                    "a new app has no room",
                    "ALTER TABLE holdfast_app MODIFY slug VARBINARY(63) NOT NULL",
                    List.of("column slug of table holdfast_app must not be NULL", "MODIFY slug varbinary(63)")),
            new MysqlDefect(
                    "a column more must have a value",
                    "ALTER TABLE holdfast_deployment ADD COLUMN tenant INT NOT NULL",
                    List.of(
                            "column tenant of table holdfast_deployment must have a value",
                            "ALTER TABLE holdfast_deployment MODIFY tenant int NULL")));

    /** Spoils tables of this prefix, and returns the stores on them. */
    MysqlStores spoil(MysqlServer server, MysqlStores on, String prefix) {
        MysqlStores stores = on.tables(prefix);
        stores.migrate();
        server.run(with(prefix, sql));
        return stores;
    }

    List<String> said(String prefix) {
        return said.stream().map(text -> with(prefix, text)).toList();
    }

    private static String with(String prefix, String text) {
        return text.replace("holdfast_", prefix);
    }
}
