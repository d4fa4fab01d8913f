package io.holdfast.mysql;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.contract.FaultContract;
import io.holdfast.contract.StormContract;
import io.holdfast.contract.fault.OwnContainer;
import io.holdfast.publish.AppId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlFaultTest implements FaultContract, StormContract {
    @RegisterExtension
    @Order(1)
    static final OwnContainer BROKEN = new OwnContainer(
            "HOLDFAST_IMAGE_MYSQL",
            "mysql:9",
            3306,
            List.of("MYSQL_ROOT_PASSWORD=test"),
            (host, port) -> DriverManager.getConnection(url(host, port)).close(),
            "mysqld",
            "--max-connections=400");

    @RegisterExtension
    @Order(2)
    static final MysqlServer SERVER = new MysqlServer(() -> url(BROKEN.host(), BROKEN.port()));

    private static MysqlEngine engine;
    private static HikariDataSource strangers;

    @BeforeAll
    static void open() {
        engine = new MysqlEngine(SERVER);
        strangers = SERVER.pool();
        SERVER.run("CREATE TABLE strangers (n INT)");
    }

    private static String url(String host, int port) {
        return "jdbc:mysql://%s:%d/?user=root&password=test&sslMode=DISABLED&allowPublicKeyRetrieval=true"
                .formatted(host, port);
    }

    @Override
    public MysqlEngine engine() {
        return engine;
    }

    @Override
    public OwnContainer server() {
        return BROKEN;
    }

    @Override
    public Runnable backup() {
        List<String> tables = List.of("holdfast_app", "holdfast_deployment", "holdfast_lease", "holdfast_save");
        for (String table : tables) {
            SERVER.run("DROP TABLE IF EXISTS of_" + table);
            SERVER.run("CREATE TABLE of_%1$s AS TABLE %1$s".formatted(table));
        }
        return () -> tables.forEach(table -> {
            SERVER.run("TRUNCATE " + table);
            SERVER.run("INSERT INTO %1$s TABLE of_%1$s".formatted(table));
        });
    }

    /** Waits for the changes that are being committed, and refuses the COMMIT of those that were begun. */
    @Override
    public void setReadOnly(boolean readOnly) {
        SERVER.run(readOnly ? "SET GLOBAL super_read_only = ON" : "SET GLOBAL read_only = OFF");
    }

    /** The server ends whoever has changed least: so that it is not always the stranger, that has changed much else. */
    @Override
    public boolean lockBoth(AppId app, boolean appFirst) {
        String first = "SELECT 1 FROM holdfast_app WHERE app = ? FOR UPDATE";
        String second = "SELECT 1 FROM holdfast_deployment WHERE app = ? AND state = 'building' FOR UPDATE";
        try (Connection stranger = strangers.getConnection()) {
            stranger.setAutoCommit(false);
            try (Statement much = stranger.createStatement()) {
                much.execute("INSERT INTO strangers VALUES (0)" + ", (0)".repeat(50));
            }
            for (String sql : appFirst ? List.of(first, second) : List.of(second, first)) {
                try (PreparedStatement lock = stranger.prepareStatement(sql)) {
                    lock.setBytes(1, MysqlRows.bytes(app.value()));
                    lock.execute();
                }
            }
            stranger.rollback();
            return true;
        } catch (SQLException e) {
            if (e.getErrorCode() == 1213) {
                return false;
            }
            throw new IllegalStateException(e);
        }
    }

    @Override
    public long deadlocks() {
        return Long.parseLong(SERVER.text("""
                SELECT sum_error_raised FROM performance_schema.events_errors_summary_global_by_error
                 WHERE error_name = 'ER_LOCK_DEADLOCK'"""));
    }
}
