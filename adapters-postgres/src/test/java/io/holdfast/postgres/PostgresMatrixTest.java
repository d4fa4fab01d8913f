package io.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.MatrixContract;
import io.holdfast.contract.Ports;
import io.holdfast.contract.Setting;
import io.holdfast.contract.Setting.Choice;
import java.sql.Connection;
import java.sql.ResultSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

final class PostgresMatrixTest implements MatrixContract<HikariDataSource> {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static PostgresSubject subject;

    @BeforeAll
    static void open() {
        subject = new PostgresSubject(SERVER.pool());
    }

    @Override
    public EngineSubject subject() {
        return subject;
    }

    @Override
    public String met() {
        return SERVER.engine();
    }

    @Override
    public void hosted(Consumer<? super HikariDataSource> set, Consumer<Ports> use) {
        try (HikariDataSource pool = SERVER.pool()) {
            set.accept(pool);
            use.accept(new PostgresPorts(PostgresStores.of(pool)));
        }
    }

    @Override
    public List<Setting<HikariDataSource>> settings() {
        return List.of(
                Setting.<HikariDataSource>of("isolation of the pool")
                        .or(
                                "transaction_isolation=repeatable read",
                                pool -> pool.setTransactionIsolation("TRANSACTION_REPEATABLE_READ"))
                        .or(
                                "transaction_isolation=serializable",
                                pool -> pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE")),
                // Without the second, what the pool itself says to a session would leave a transaction open.
                Setting.<HikariDataSource>of("autocommit of the pool").or("the pool without autocommit", pool -> {
                    pool.setAutoCommit(false);
                    pool.setIsolateInternalQueries(true);
                }),
                driver(
                        "way to send statements",
                        "prepareThreshold=1",
                        "prepareThreshold=-1",
                        "preferQueryMode=simple",
                        "preferQueryMode=extendedForPrepared",
                        "preferQueryMode=extendedCacheEverything"),
                driver(
                        "way to read rows",
                        "defaultRowFetchSize=1",
                        "binaryTransfer=false",
                        "autosave=always",
                        "stringtype=unspecified"),
                session(
                        "zone of the session",
                        "timezone=America/New_York",
                        "timezone=Australia/Lord_Howe",
                        "timezone=Asia/Kathmandu"),
                session(
                        "dialect",
                        "datestyle=ISO, DMY",
                        "standard_conforming_strings=off",
                        "bytea_output=escape",
                        "extra_float_digits=-15"),
                session(
                        "temper of the session",
                        "synchronous_commit=off",
                        "lock_timeout=1ms",
                        "enable_indexscan=off",
                        "client_min_messages=error"));
    }

    private static Setting<HikariDataSource> driver(String name, String... parameters) {
        Setting<HikariDataSource> setting = Setting.of(name);
        for (String parameter : parameters) {
            String[] parts = parameter.split("=", 2);
            setting = setting.or(parameter, pool -> pool.addDataSourceProperty(parts[0], parts[1]));
        }
        return setting;
    }

    /** By a statement, because the driver tells the server the JVM's zone, which goes before what the URL's options say. */
    private static Setting<HikariDataSource> session(String name, String... parameters) {
        Setting<HikariDataSource> setting = Setting.of(name);
        for (String parameter : parameters) {
            String[] parts = parameter.split("=", 2);
            String sql = "SET %s = '%s';".formatted(parts[0], parts[1]);
            setting = setting.or(
                    parameter,
                    pool -> pool.setConnectionInitSql(
                            pool.getConnectionInitSql() == null ? sql : pool.getConnectionInitSql() + sql));
        }
        return setting;
    }

    /** A matrix of settings that nobody has heard would be green. */
    @TestFactory
    Stream<DynamicTest> e2_whatIsSetOnASessionIsInForce() {
        return settings().stream()
                .filter(setting -> !setting.name().startsWith("way to"))
                .flatMap(setting -> setting.choices().stream())
                .filter(choice -> choice.name().contains("="))
                .map(choice -> dynamicTest(choice.name(), () -> assertInForce(choice)));
    }

    private static void assertInForce(Choice<HikariDataSource> choice) throws Exception {
        String[] parts = choice.name().split("=", 2);
        try (HikariDataSource pool = SERVER.pool()) {
            choice.set().accept(pool);
            try (Connection connection = pool.getConnection();
                    ResultSet rows = connection.createStatement().executeQuery("SHOW " + parts[0])) {
                rows.next();
                assertThat(rows.getString(1)).isEqualTo(parts[1]);
            }
        }
    }
}
