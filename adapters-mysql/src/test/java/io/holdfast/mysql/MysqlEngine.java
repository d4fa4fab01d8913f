package io.holdfast.mysql;

import com.mysql.cj.jdbc.MysqlDataSource;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Budget;
import io.holdfast.contract.Ports;
import io.holdfast.contract.QuietEngine;
import io.holdfast.contract.Row;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** MySQL, and what can be done to it. */
final class MysqlEngine implements QuietEngine {
    private final MysqlServer server;
    private final HikariDataSource pool;
    private final MysqlSubject subject;
    private final Map<String, Ports> settings;
    private final AtomicInteger spoilt = new AtomicInteger();

    MysqlEngine(MysqlServer server) {
        this.server = server;
        this.pool = server.pool();
        this.subject = new MysqlSubject(pool);
        this.settings = settings(server);
    }

    @Override
    public String name() {
        return server.engine();
    }

    @Override
    public MysqlSubject subject() {
        return subject;
    }

    @Override
    public Ports within(Budget budget) {
        return new MysqlPorts(subject.stores().within(budget));
    }

    @Override
    public Ports through(int port, Budget budget) {
        return new MysqlPorts(MysqlStores.of(new KeptConnection(server.url("localhost", port)))
                .within(budget));
    }

    @Override
    public String host() {
        return server.host();
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public Lock lock(Row row) {
        String sql = switch (row.table()) {
            case APP -> "SELECT 1 FROM holdfast_app WHERE app = ? FOR UPDATE";
            case SAVE -> "SELECT 1 FROM holdfast_save WHERE token = UNHEX(?) FOR UPDATE";
            case LEASE -> "SELECT 1 FROM holdfast_lease WHERE name = ? FOR UPDATE";
            case REFRESH ->
                "SELECT 1 FROM holdfast_refresh WHERE family = UUID_TO_BIN(CONVERT(? USING ascii)) FOR UPDATE";
            case SANCTION -> "SELECT 1 FROM holdfast_sanction WHERE active_account = ? FOR UPDATE";
        };
        try {
            Connection stranger = server.connect();
            stranger.setAutoCommit(false);
            try (PreparedStatement statement = stranger.prepareStatement(sql)) {
                statement.setBytes(1, MysqlRows.bytes(row.key()));
                statement.execute();
            }
            return () -> close(stranger);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void close(Connection connection) {
        // The server frees the locks of a connection that went away when it finds out; of one that rolled back, at
        // once.
        try (connection) {
            connection.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void inCallersTransaction(Consumer<Ports> call) {
        server.run("CREATE TABLE IF NOT EXISTS callers (note TEXT)");
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement write = connection.prepareStatement("INSERT INTO callers VALUES ('open')");
                    PreparedStatement read = connection.prepareStatement("SELECT 1 FROM callers")) {
                write.execute();
                call.accept(new MysqlPorts(subject.stores()));
                if (!read.executeQuery().next()) {
                    throw new AssertionError("the caller's transaction was rolled back");
                }
                if (!server.text("SELECT COUNT(*) FROM callers").equals("0")) {
                    throw new AssertionError("the caller's transaction was committed");
                }
            } finally {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Map<String, Ports> settings() {
        return settings;
    }

    private static Map<String, Ports> settings(MysqlServer server) {
        Map<String, Ports> settings = new LinkedHashMap<>();
        for (String isolation :
                List.of("TRANSACTION_READ_UNCOMMITTED", "TRANSACTION_REPEATABLE_READ", "TRANSACTION_SERIALIZABLE")) {
            HikariDataSource pool = server.pool(server.url());
            pool.setTransactionIsolation(isolation);
            settings.put("pool with " + isolation, new MysqlPorts(MysqlStores.of(pool)));
        }
        HikariDataSource manual = server.pool(server.url());
        manual.setAutoCommit(false);
        settings.put("pool without autocommit", new MysqlPorts(MysqlStores.of(manual)));
        settings.put("no pool", onPlainUrl(server.url()));
        for (String parameter : List.of(
                "useAffectedRows=true",
                "useAffectedRows=false",
                "useServerPrepStmts=true",
                "useServerPrepStmts=true&cachePrepStmts=true&useAffectedRows=true",
                "cachePrepStmts=true",
                "rewriteBatchedStatements=true&allowMultiQueries=true",
                "useLocalSessionState=true&useLocalTransactionState=true",
                "elideSetAutoCommits=true",
                "cacheResultSetMetadata=true",
                "cacheServerConfiguration=true",
                "useCursorFetch=true&defaultFetchSize=1",
                "socketTimeout=7000",
                "characterEncoding=ISO-8859-1",
                "characterEncoding=SJIS",
                "characterEncoding=GBK",
                "connectionCollation=latin1_swedish_ci",
                "connectionCollation=utf8mb4_bin",
                "connectionTimeZone=%2B05:45&forceConnectionTimeZoneToSession=true",
                "connectionTimeZone=SERVER&preserveInstants=false",
                "serverTimezone=Pacific/Kiritimati",
                "sessionVariables=time_zone='-12:00'",
                "sessionVariables=sql_mode=''",
                "sessionVariables=sql_mode='ANSI'",
                "sessionVariables=sql_mode='ANSI_QUOTES,NO_BACKSLASH_ESCAPES'",
                "sessionVariables=sql_mode='NO_BACKSLASH_ESCAPES'&useServerPrepStmts=true",
                "sessionVariables=sql_mode='TRADITIONAL,HIGH_NOT_PRECEDENCE,NO_UNSIGNED_SUBTRACTION,PAD_CHAR_TO_FULL_LENGTH'",
                "sessionVariables=innodb_lock_wait_timeout=1,lock_wait_timeout=1",
                "sessionVariables=autocommit=0",
                "sessionVariables=optimizer_switch='derived_merge=off,semijoin=off,materialization=off'",
                "sessionVariables=completion_type=CHAIN")) {
            settings.put(parameter, new MysqlPorts(MysqlStores.of(server.pool(server.url() + "&" + parameter))));
        }
        return settings;
    }

    @Override
    public Map<String, Ports> unable() {
        Map<String, Ports> unable = new LinkedHashMap<>();
        unable.put("tables are missing", new MysqlPorts(subject.stores().tables("absent_")));
        unable.put("the URL names no database", onUrl(server.url().replace(server.database(), "")));
        unable.put("the database is missing", onUrl(server.url().replace(server.database(), "nowhere")));
        unable.put("the password is wrong", onUrl(server.url().replaceFirst("password=[^&]*", "password=wrong")));
        // Without a pool, which would make it writable.
        unable.put("the session is read-only", onPlainUrl(server.url() + "&sessionVariables=transaction_read_only=1"));
        HikariDataSource readOnly = server.pool();
        readOnly.setReadOnly(true);
        unable.put("the pool is read-only", new MysqlPorts(MysqlStores.of(readOnly)));
        unable.put("the user may only read", onUrl(server.urlOfUser("SELECT")));
        return unable;
    }

    private static Ports onPlainUrl(String url) {
        MysqlDataSource plain = new MysqlDataSource();
        plain.setUrl(url);
        return new MysqlPorts(MysqlStores.of(plain));
    }

    private Ports onUrl(String url) {
        HikariDataSource one = server.pool(url);
        one.setConnectionTimeout(1_000);
        return new MysqlPorts(MysqlStores.of(one));
    }

    /**
     * Three of each call's trips frame it: settings, COMMIT or ROLLBACK, settings back. A take-over has two statements more;
     * who has lost lets the row go before it asks, which is one more.
     */
    @Override
    public Map<String, Ports> hasty() {
        Map<String, Ports> hasty = new LinkedHashMap<>();
        for (String limit : List.of("max_execution_time=1", "innodb_lock_wait_timeout=1", "wait_timeout=1")) {
            hasty.put(limit, onUrl(server.url() + "&sessionVariables=" + limit));
        }
        return hasty;
    }

    @Override
    public Trips trips() {
        return new Trips(8, 6, 6, 4, 6, 2);
    }

    @Override
    public void migrateAndCheck() {
        subject.stores().migrate();
        subject.stores().check();
    }

    @Override
    public List<Defect> defects() {
        Defect reader = new Defect(
                "the user may only read",
                () -> MysqlStores.of(server.pool(server.urlOfUser("SELECT"))).check(),
                List.of(
                        "INSERT command denied",
                        "UPDATE command denied",
                        "DELETE command denied",
                        "GRANT SELECT, INSERT, UPDATE, DELETE on holdfast_app, holdfast_deployment, "));
        return Stream.concat(Stream.of(reader), MysqlDefect.ALL.stream().map(defect -> {
                    String prefix = "spoilt_" + spoilt.incrementAndGet() + "_";
                    return new Defect(
                            defect.name(),
                            () -> defect.spoil(server, subject.stores(), prefix).check(),
                            defect.said(prefix));
                }))
                .toList();
    }

    @Override
    public void whilePoolIsExhausted(Consumer<Ports> work) {
        HikariDataSource exhausted = server.pool(server.url());
        exhausted.setMaximumPoolSize(1);
        exhausted.setConnectionTimeout(300);
        try (Connection busy = exhausted.getConnection()) {
            if (busy.isClosed()) {
                throw new AssertionError("the pool is not exhausted");
            }
            work.accept(new MysqlPorts(MysqlStores.of(exhausted).heartbeatsOn(pool)));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Errors and warnings that were raised, and what stands in the log as an error. But for duplicate keys: that is how
     * MySQL tells who comes second to make a row, and it is no line in any log. And but for connections that broke: the
     * server finds out at any time, also about those of other tests.
     */
    @Override
    public long serverErrors() {
        return Long.parseLong(server.text("""
                SELECT (SELECT SUM(sum_error_raised)
                          FROM performance_schema.events_errors_summary_global_by_error
                         WHERE error_name <> 'ER_DUP_ENTRY' AND error_name NOT LIKE 'ER\\_NET\\_%')
                     + (SELECT COUNT(*) FROM performance_schema.error_log WHERE prio = 'Error')"""));
    }

    @Override
    public void causeServerError() {
        try {
            server.run("SELECT nothing");
        } catch (IllegalStateException expected) {
            return;
        }
        throw new AssertionError("a column was found that is not there");
    }
}
