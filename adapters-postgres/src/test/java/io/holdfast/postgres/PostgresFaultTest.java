package io.holdfast.postgres;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.contract.FaultContract;
import io.holdfast.contract.StormContract;
import io.holdfast.contract.fault.OwnContainer;
import io.holdfast.publish.AppId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.RegisterExtension;

final class PostgresFaultTest implements FaultContract, StormContract {
    @RegisterExtension
    @Order(1)
    static final OwnContainer BROKEN = new OwnContainer(
            "HOLDFAST_IMAGE_POSTGRES",
            "postgres:18",
            5432,
            List.of("POSTGRES_USER=test", "POSTGRES_PASSWORD=test"),
            (host, port) -> DriverManager.getConnection(url(host, port)).close(),
            "postgres",
            // A second would be long in a storm.
            "-c",
            "deadlock_timeout=20ms");

    @RegisterExtension
    @Order(2)
    static final PostgresServer SERVER = new PostgresServer(() -> url(BROKEN.host(), BROKEN.port()));

    private static PostgresEngine engine;
    private static HikariDataSource strangers;

    @BeforeAll
    static void open() {
        engine = new PostgresEngine(SERVER);
        strangers = SERVER.pool();
    }

    private static String url(String host, int port) {
        return "jdbc:postgresql://%s:%d/test?user=test&password=test".formatted(host, port);
    }

    @Override
    public PostgresEngine engine() {
        return engine;
    }

    @Override
    public OwnContainer server() {
        return BROKEN;
    }

    @Override
    public Runnable backup() {
        List<String> tables = List.of("holdfast_app", "holdfast_deployment", "holdfast_lease", "holdfast_save");
        tables.forEach(table ->
                SERVER.run("DROP TABLE IF EXISTS of_%1$s; CREATE TABLE of_%1$s AS TABLE %1$s".formatted(table)));
        return () ->
                tables.forEach(table -> SERVER.run("TRUNCATE %1$s; INSERT INTO %1$s TABLE of_%1$s".formatted(table)));
    }

    /** A session that is open hears of it with its next command. */
    @Override
    public void setReadOnly(boolean readOnly) {
        String value = readOnly ? "on" : "off";
        SERVER.run("ALTER SYSTEM SET default_transaction_read_only = " + value);
        SERVER.run("SELECT pg_reload_conf()");
        // The postmaster lets nobody in between reading the file and telling its sessions to.
        BROKEN.await(
                "read-only: " + value,
                () -> SERVER.text("SHOW default_transaction_read_only").equals(value));
    }

    @Override
    public boolean lockBoth(AppId app, boolean appFirst) {
        String first = "SELECT FROM holdfast_app WHERE app = ? FOR UPDATE";
        String second = "SELECT FROM holdfast_deployment WHERE app = ? AND state = 'building' FOR UPDATE";
        try (Connection stranger = strangers.getConnection()) {
            stranger.setAutoCommit(false);
            for (String sql : appFirst ? List.of(first, second) : List.of(second, first)) {
                try (PreparedStatement lock = stranger.prepareStatement(sql)) {
                    lock.setString(1, app.value());
                    lock.execute();
                }
            }
            stranger.commit();
            return true;
        } catch (SQLException e) {
            if ("40P01".equals(e.getSQLState())) {
                return false;
            }
            throw new IllegalStateException(e);
        }
    }

    /** A session has reported its count when it is gone. */
    @Override
    public long deadlocks() {
        SERVER.rolledBack(() -> Stream.of(engine.pool(), strangers)
                .filter(HikariDataSource::isRunning)
                .forEach(pool -> pool.getHikariPoolMXBean().softEvictConnections()));
        return Long.parseLong(SERVER.text("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"));
    }
}
