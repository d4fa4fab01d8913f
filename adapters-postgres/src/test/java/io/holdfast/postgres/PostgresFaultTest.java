package io.holdfast.postgres;

import io.holdfast.contract.FaultContract;
import io.holdfast.contract.fault.OwnContainer;
import java.sql.DriverManager;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.RegisterExtension;

final class PostgresFaultTest implements FaultContract {
    @RegisterExtension
    @Order(1)
    static final OwnContainer BROKEN = new OwnContainer(
            "HOLDFAST_IMAGE_POSTGRES",
            "postgres:18",
            5432,
            List.of("POSTGRES_USER=test", "POSTGRES_PASSWORD=test"),
            (host, port) -> DriverManager.getConnection(url(host, port)).close(),
            "postgres");

    @RegisterExtension
    @Order(2)
    static final PostgresServer SERVER = new PostgresServer(() -> url(BROKEN.host(), BROKEN.port()));

    private static PostgresEngine engine;

    @BeforeAll
    static void open() {
        engine = new PostgresEngine(SERVER);
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
}
