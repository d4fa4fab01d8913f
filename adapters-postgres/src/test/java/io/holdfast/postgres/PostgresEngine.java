package io.holdfast.postgres;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.holdfast.Budget;
import io.holdfast.contract.EngineSubject;
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

/** PostgreSQL, and what can be done to it. */
final class PostgresEngine implements QuietEngine {
    private final PostgresServer server;
    private final HikariDataSource pool;
    private final PostgresSubject subject;
    private final Map<String, Ports> settings;
    private final AtomicInteger spoilt = new AtomicInteger();

    PostgresEngine(PostgresServer server) {
        this.server = server;
        this.pool = server.pool();
        this.subject = new PostgresSubject(pool);
        this.settings = settings(server);
    }

    @Override
    public String name() {
        return server.engine();
    }

    @Override
    public EngineSubject subject() {
        return subject;
    }

    /** Of the subject. */
    HikariDataSource pool() {
        return pool;
    }

    @Override
    public Ports within(Budget budget) {
        return new PostgresPorts(subject.stores().within(budget));
    }

    @Override
    public Ports through(int port, Budget budget) {
        return new PostgresPorts(PostgresStores.of(new KeptConnection(server.url("localhost", port)))
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
            case APP -> "SELECT FROM holdfast_app WHERE app = ? FOR UPDATE";
            case SAVE -> "SELECT FROM holdfast_save WHERE token = decode(?, 'hex') FOR UPDATE";
            case LEASE -> "SELECT FROM holdfast_lease WHERE name = ? FOR UPDATE";
            case REFRESH -> "SELECT FROM holdfast_refresh WHERE family = ?::uuid FOR UPDATE";
            case SANCTION -> "SELECT FROM holdfast_sanction WHERE account = ? AND state = 'active' FOR UPDATE";
        };
        try {
            Connection stranger = server.connect();
            stranger.setAutoCommit(false);
            try (PreparedStatement statement = stranger.prepareStatement(sql)) {
                statement.setString(1, row.key());
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
        server.run("CREATE TABLE IF NOT EXISTS callers (note text)");
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement write = connection.prepareStatement("INSERT INTO callers VALUES ('open')");
                    PreparedStatement read = connection.prepareStatement("SELECT FROM callers")) {
                write.execute();
                call.accept(new PostgresPorts(subject.stores()));
                if (!read.executeQuery().next()) {
                    throw new AssertionError("the caller's transaction was rolled back");
                }
                if (!server.text("SELECT count(*) FROM callers").equals("0")) {
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

    private static Map<String, Ports> settings(PostgresServer server) {
        Map<String, Ports> settings = new LinkedHashMap<>();
        settings.put("no pool", new PostgresPorts(PostgresStores.of(server.source(""))));
        settings.put("a pool without autocommit", set(server, "", pool -> pool.setAutoCommit(false)));
        for (String isolation : List.of("TRANSACTION_REPEATABLE_READ", "TRANSACTION_SERIALIZABLE")) {
            settings.put("a pool with " + isolation, set(server, "", pool -> pool.setTransactionIsolation(isolation)));
        }
        for (String parameter : List.of(
                "prepareThreshold=0",
                "prepareThreshold=1",
                "prepareThreshold=-1",
                "preferQueryMode=simple",
                "preferQueryMode=extendedForPrepared",
                "preferQueryMode=extendedCacheEverything",
                "stringtype=unspecified",
                "autosave=always",
                "defaultRowFetchSize=1",
                "binaryTransfer=false",
                "socketTimeout=7",
                "options=-c%20default_transaction_isolation=serializable",
                "options=-c%20default_transaction_deferrable=on",
                "options=-c%20synchronous_commit=off",
                "options=-c%20lock_timeout=1",
                "options=-c%20standard_conforming_strings=off",
                "options=-c%20transform_null_equals=on",
                "options=-c%20plan_cache_mode=force_generic_plan",
                "options=-c%20enable_indexscan=off",
                "options=-c%20TimeZone=Asia/Kathmandu",
                "options=-c%20TimeZone=Pacific/Kiritimati%20-c%20DateStyle=SQL,DMY")) {
            settings.put(parameter.replace("%20", " "), set(server, "&" + parameter, pool -> {}));
        }
        return settings;
    }

    private static Ports set(PostgresServer server, String parameter, Consumer<HikariDataSource> setting) {
        HikariDataSource pool = server.pool(server.url() + parameter);
        // There are many of these pools, and a server has a hundred connections.
        pool.setMaximumPoolSize(2);
        setting.accept(pool);
        return new PostgresPorts(PostgresStores.of(pool));
    }

    @Override
    public Map<String, Ports> unable() {
        return Map.of(
                "the tables are missing", new PostgresPorts(subject.stores().tables("absent_")),
                "the tables are in another schema", unable(server.url() + "&currentSchema=pg_catalog"),
                "the session is read-only", unable(server.url() + "&options=-c%20default_transaction_read_only=on"),
                "the user may only read", unable(server.url() + "&options=-c%20role=pg_read_all_data"),
                "the user is unknown", unable(server.url().replaceFirst("user=[^&]*", "user=nobody")));
    }

    private Ports unable(String url) {
        HikariDataSource hasty = server.pool(url);
        hasty.setConnectionTimeout(500);
        return new PostgresPorts(PostgresStores.of(hasty));
    }

    @Override
    public Map<String, Ports> hasty() {
        Map<String, Ports> hasty = new LinkedHashMap<>();
        for (String limit : List.of(
                "statement_timeout=1",
                "statement_timeout=5",
                "lock_timeout=1",
                "transaction_timeout=2",
                "idle_in_transaction_session_timeout=1")) {
            hasty.put(limit, unable(server.url() + "&options=-c%20" + limit));
        }
        return hasty;
    }

    @Override
    public Trips trips() {
        return new Trips(1, 2, 1, 1, 2, 0);
    }

    @Override
    public void migrateAndCheck() {
        subject.stores().migrate();
        subject.stores().check();
    }

    @Override
    public List<Defect> defects() {
        return PostgresDefect.ALL.stream()
                .map(defect -> new Defect(
                        defect.name(), () -> defect.spoil(server, fresh()).check(), defect.said()))
                .toList();
    }

    /** A prefix of tables that nobody uses. */
    String fresh() {
        return "spoilt_" + spoilt.incrementAndGet() + "_";
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
            work.accept(new PostgresPorts(PostgresStores.of(exhausted).heartbeatsOn(pool)));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public long serverErrors() {
        HikariPoolMXBean sessions = pool.getHikariPoolMXBean();
        return sessions == null ? server.rolledBack() : server.rolledBack(sessions::softEvictConnections);
    }

    @Override
    public void causeServerError() {
        try {
            server.run("SELECT 1 / 0");
        } catch (IllegalStateException expected) {
            return;
        }
        throw new AssertionError("1 / 0 was computed");
    }
}
