package io.holdfast.mysql;

import io.holdfast.Finding;
import io.holdfast.UnfitDatabase;
import io.holdfast.mysql.MysqlCalls.Line;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables: makes them, and looks whether they are what the statements rely on. */
final class MysqlSchema {
    /** Where a statement of a script ends: at the end of its line. */
    private static final Pattern END = Pattern.compile(";\\R");

    private static final Pattern MAJOR_MINOR = Pattern.compile("(\\d+)\\.(\\d+)");

    /**
     * In the order in which they run.
     *
     * @param last the table that the script makes last of all
     */
    private record Script(String name, String last) {}

    private static final List<Script> SCRIPTS = List.of(
            new Script("V1__publish.sql", "holdfast_deployment"),
            new Script("V2__lease.sql", "holdfast_lease"),
            new Script("V3__save.sql", "holdfast_save"),
            new Script("V4__refresh.sql", "holdfast_refresh"),
            new Script("V5__sanction.sql", "holdfast_sanction"));

    private final MysqlCalls calls;
    private final String isComplete;
    private final List<String> create;
    /** What a text of SQL may have to write in other words; but for the quote, after which it might be another statement. */
    private static final byte[] DELICATE = {0, '\n', '\r', 26, '"', '\\', -1};

    private final String check;
    private final List<String> writes;
    private final String grant;

    MysqlSchema(MysqlCalls calls, String prefix) {
        this.calls = calls;
        isComplete = MysqlStatements.statement(prefix, """
                SELECT COUNT(*) = %d
                  FROM information_schema.tables
                 WHERE table_schema = DATABASE() AND table_name IN (%s)""".formatted(
                SCRIPTS.size(),
                SCRIPTS.stream().map(script -> "'" + script.last() + "'").collect(Collectors.joining(", "))));
        create = SCRIPTS.stream()
                .flatMap(script -> END.splitAsStream(resource(script.name())))
                .map(statement -> MysqlStatements.statement(prefix, statement))
                .toList();
        check = MysqlStatements.statement(prefix, resource("check.sql"));
        MysqlStatements s = new MysqlStatements(prefix);
        MysqlLeaseStatements leases = new MysqlLeaseStatements(prefix);
        MysqlSaveStatements saves = new MysqlSaveStatements(prefix);
        writes = Stream.of(
                        List.of(s.create, s.take, s.record, s.abandon, s.forget),
                        List.of(leases.create, leases.take),
                        List.of(saves.issue, saves.reserve, saves.forget),
                        new MysqlRefreshStatements(prefix).writes(),
                        new MysqlSanctionStatements(prefix).writes())
                .flatMap(List::stream)
                .toList();
        grant = MysqlStatements.statement(
                prefix,
                "GRANT SELECT, INSERT, UPDATE, DELETE on holdfast_app, holdfast_deployment, holdfast_lease, holdfast_save, "
                        + "holdfast_refresh and holdfast_sanction to that user");
    }

    void migrate() {
        // Some have room for the tables, and then cannot claim.
        refuse(unfitVersion(calls.serverVersion()).stream().toList());
        // Who may not create tables may still call this, as long as there is nothing to be created.
        if (calls.ask(isComplete, rows -> rows.next() && rows.getBoolean(1))) {
            return;
        }
        calls.call(line -> {
            for (String statement : create) {
                line.change(statement);
            }
            return Optional.of(true);
        });
    }

    void check() {
        // Before anything that only a fit server understands.
        refuse(unfitVersion(calls.serverVersion()).stream().toList());
        refuse(calls.ask("SELECT HEX(?) AS came", MysqlSchema::garbled, (Object) DELICATE));
        refuse(calls.ask(check, MysqlSchema::findings));
        refuse(calls.call(line -> Optional.of(denials(line))));
    }

    private static void refuse(List<Finding> findings) {
        if (!findings.isEmpty()) {
            throw new UnfitDatabase(findings);
        }
    }

    /**
     * With {@code cacheServerConfiguration} the driver takes the sql_mode of the first session for that of all to the same URL. Where
     * another one has NO_BACKSLASH_ESCAPES, and a character set of single bytes, it then sends {@code \\} for each {@code \}: an
     * id is another one's, and a quote ends the text that it is in.
     */
    private static List<Finding> garbled(ResultSet rows) throws SQLException {
        rows.next();
        String sent = HexFormat.of().withUpperCase().formatHex(DELICATE);
        String came = rows.getString("came");
        return sent.equals(came)
                ? List.of()
                : List.of(new Finding(
                        "the driver does not send bytes as they are: X'" + sent + "' came as X'" + came + "'",
                        "Leave cacheServerConfiguration out of the driver's settings, or NO_BACKSLASH_ESCAPES out of the"
                                + " session's sql_mode"));
    }

    /** What is wrong with a server that calls itself this. */
    static Optional<Finding> unfitVersion(String version) {
        if (version.contains("MariaDB")) {
            return Optional.of(new Finding(
                    // Before 11 it calls itself an old MySQL first, for old replicas.
                    "the server is MariaDB " + version.replaceFirst("^5\\.5\\.5-", "")
                            + ", which does not understand all statements",
                    "Use MySQL 8.4 or newer"));
        }
        Matcher number = MAJOR_MINOR.matcher(version);
        if (!number.lookingAt() || 100 * Integer.parseInt(number.group(1)) + Integer.parseInt(number.group(2)) < 804) {
            return Optional.of(new Finding("the server is MySQL " + version, "Use MySQL 8.4 or newer"));
        }
        return Optional.empty();
    }

    /** The server plans a statement for nobody who may not run it: also with what a role grants, or a column's own grant. */
    private List<Finding> denials(Line line) throws SQLException {
        List<Finding> denials = new ArrayList<>();
        for (String statement : writes) {
            // Nothing is bound to a value, and LIMIT takes no NULL.
            String write = statement.replace("LIMIT ?", "LIMIT 1");
            try {
                int values = (int) write.chars().filter(c -> c == '?').count();
                line.ask("EXPLAIN " + write, ResultSet::next, new @Nullable Object[values]);
            } catch (SQLException e) {
                if (!MysqlErrors.isDenied(e)) {
                    throw e;
                }
                denials.add(new Finding(String.valueOf(e.getMessage()), grant));
            }
        }
        return denials;
    }

    private static List<Finding> findings(ResultSet rows) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        while (rows.next()) {
            findings.add(new Finding(rows.getString("wrong"), rows.getString("remedy")));
        }
        return findings;
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(MysqlSchema.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
