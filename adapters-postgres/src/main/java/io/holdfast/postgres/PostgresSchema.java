package io.holdfast.postgres;

import io.holdfast.Budget;
import io.holdfast.Finding;
import io.holdfast.UnfitDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** The tables: makes them, and looks whether they are what the statements rely on. */
final class PostgresSchema {
    /**
     * In the order in which they run.
     *
     * @param last what the script makes last of all
     */
    private record Script(String name, String last) {}

    private static final List<Script> SCRIPTS = List.of(
            new Script("V1__publish.sql", "holdfast_deployment_building"),
            new Script("V2__lease.sql", "holdfast_lease"),
            new Script("V3__save.sql", "holdfast_save_over"),
            new Script("V4__refresh.sql", "holdfast_refresh_expiry"),
            new Script("V5__sanction.sql", "holdfast_sanction_active"));

    private final PostgresCalls calls;
    private final String complete;
    private final String create;
    private final String check;

    PostgresSchema(PostgresCalls calls, String prefix, Budget budget) {
        this.calls = calls;
        complete = PostgresStatements.statement(
                prefix,
                budget,
                SCRIPTS.stream()
                        .map(script -> "to_regclass('" + script.last() + "') IS NOT NULL")
                        .collect(Collectors.joining(" AND ", "SELECT ", "")));
        // IF NOT EXISTS alone fails when two processes create the same thing in the same moment.
        create = PostgresStatements.statement(
                prefix,
                budget,
                """
                SELECT pg_advisory_xact_lock(hashtextextended('holdfast_', 0));
                """ + SCRIPTS.stream().map(script -> resource(script.name())).collect(Collectors.joining()));
        check = PostgresStatements.statement(prefix, budget, resource("check.sql"));
    }

    void migrate() {
        // Who may not create tables may still call this, as long as there is nothing to be created.
        if (!calls.ask(complete, rows -> rows.next() && rows.getBoolean(1))) {
            calls.ask(create, rows -> true);
        }
    }

    void check() {
        List<Finding> findings = calls.ask(check, PostgresSchema::findings);
        if (!findings.isEmpty()) {
            throw new UnfitDatabase(findings);
        }
    }

    private static List<Finding> findings(ResultSet rows) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        while (rows.next()) {
            findings.add(new Finding(rows.getString("wrong"), rows.getString("remedy")));
        }
        return findings;
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(PostgresSchema.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
