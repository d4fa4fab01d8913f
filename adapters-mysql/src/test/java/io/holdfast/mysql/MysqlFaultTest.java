package io.holdfast.mysql;

import io.holdfast.contract.FaultContract;
import io.holdfast.contract.fault.OwnContainer;
import java.sql.DriverManager;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlFaultTest implements FaultContract {
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

    @BeforeAll
    static void open() {
        engine = new MysqlEngine(SERVER);
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
}
