package io.holdfast.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.MatrixContract;
import io.holdfast.contract.Ports;
import io.holdfast.contract.Setting;
import io.holdfast.contract.Setting.Choice;
import io.holdfast.lease.LeaseName;
import io.holdfast.release.Releasing;
import java.sql.Connection;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlMatrixTest implements MatrixContract<HikariDataSource> {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static MysqlSubject subject;

    @BeforeAll
    static void open() {
        MysqlZones.load(SERVER);
        subject = new MysqlSubject(SERVER.pool());
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
            use.accept(new MysqlPorts(MysqlStores.of(pool)));
        }
    }

    @Override
    public List<Setting<HikariDataSource>> settings() {
        return List.of(
                Setting.<HikariDataSource>of("isolation of the pool")
                        .or(
                                "transaction_isolation=READ-UNCOMMITTED",
                                pool -> pool.setTransactionIsolation("TRANSACTION_READ_UNCOMMITTED"))
                        .or(
                                "transaction_isolation=REPEATABLE-READ",
                                pool -> pool.setTransactionIsolation("TRANSACTION_REPEATABLE_READ"))
                        .or(
                                "transaction_isolation=SERIALIZABLE",
                                pool -> pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE")),
                // Not both: then each commit of the pool's begins another transaction, which cannot be told from a
                // caller's, and is
                // refused.
                session("transactions", "completion_type=CHAIN")
                        .or("the pool without autocommit", pool -> pool.setAutoCommit(false)),
                driver("count of rows", "useAffectedRows=true", "useAffectedRows=false"),
                driver(
                        "way to send statements",
                        "useServerPrepStmts=true",
                        "useServerPrepStmts=true&cachePrepStmts=true",
                        "rewriteBatchedStatements=true&allowMultiQueries=true",
                        "useCursorFetch=true&defaultFetchSize=1"),
                // Without cacheServerConfiguration, which mistakes one host's sql_mode for another's: check() refuses
                // that.
                driver(
                        "memory of the driver",
                        "useLocalSessionState=true&useLocalTransactionState=true&elideSetAutoCommits=true",
                        "cacheResultSetMetadata=true"),
                driver("character set", "characterEncoding=GBK", "connectionCollation=latin1_swedish_ci"),
                driver(
                        "zone of the driver",
                        "connectionTimeZone=SERVER&preserveInstants=false",
                        "connectionTimeZone=+05:45&forceConnectionTimeZoneToSession=true"),
                session(
                        "zone of the session",
                        "time_zone='-12:00'",
                        "time_zone='America/New_York'",
                        "time_zone='Australia/Lord_Howe'"),
                session(
                        "sql_mode",
                        "sql_mode=''",
                        "sql_mode='ANSI_QUOTES,NO_BACKSLASH_ESCAPES'",
                        "sql_mode='STRICT_ALL_TABLES,NO_ZERO_DATE,PAD_CHAR_TO_FULL_LENGTH,TIME_TRUNCATE_FRACTIONAL'",
                        "sql_mode='NO_UNSIGNED_SUBTRACTION,HIGH_NOT_PRECEDENCE,PIPES_AS_CONCAT'"),
                session(
                        "temper of the session",
                        "innodb_lock_wait_timeout=1",
                        "sql_safe_updates=1",
                        "optimizer_switch='derived_merge=off'"));
    }

    private static Setting<HikariDataSource> driver(String name, String... choices) {
        Setting<HikariDataSource> setting = Setting.of(name);
        for (String choice : choices) {
            setting = setting.or(choice, pool -> {
                for (String parameter : choice.split("&", -1)) {
                    String[] parts = parameter.split("=", 2);
                    pool.addDataSourceProperty(parts[0], parts[1]);
                }
            });
        }
        return setting;
    }

    private static Setting<HikariDataSource> session(String name, String... choices) {
        Setting<HikariDataSource> setting = Setting.of(name);
        for (String choice : choices) {
            setting = setting.or(choice, pool -> {
                // Else the driver adds a mode of its own.
                pool.addDataSourceProperty("jdbcCompliantTruncation", "false");
                pool.getDataSourceProperties().merge("sessionVariables", choice, (before, more) -> before + "," + more);
            });
        }
        return setting;
    }

    /**
     * An hour that comes twice, and one that never comes, while they come: what a session takes for the time of the day is moved
     * there, and what is written in it is read again in UTC, to the second.
     */
    @TestFactory
    Stream<DynamicTest> e2_theHourThatComesTwiceIsTwoHours() {
        return Stream.of("2025-03-09T06:59:59Z", "2025-03-09T07:00:00Z", "2025-11-02T05:30:00Z", "2025-11-02T06:30:00Z")
                .map(Instant::parse)
                .map(moment -> dynamicTest(moment.toString(), () -> {
                    LeaseName name = LeaseName.of("at-" + moment);
                    hosted(
                            pool -> pool.addDataSourceProperty(
                                    "sessionVariables",
                                    "time_zone='America/New_York',timestamp=" + moment.getEpochSecond()),
                            there -> there.leases()
                                    .acquire(
                                            name,
                                            AttemptId.random(),
                                            new Holder("night shift"),
                                            Releasing.DEFAULT_LIMIT));
                    assertThat(subject.leases().find(name)).hasValueSatisfying(by -> {
                        assertThat(by.since()).isEqualTo(moment);
                        assertThat(by.silentFor()).isGreaterThan(Duration.ofDays(30));
                    });
                }));
    }

    /** A matrix of settings that nobody has heard would be green. */
    @TestFactory
    Stream<DynamicTest> e2_whatIsSetOnASessionIsInForce() {
        return settings().stream()
                .filter(setting ->
                        setting.name().matches("isolation of.*|zone of the session|sql_mode|transactions|temper.*"))
                .flatMap(setting -> setting.choices().stream())
                .filter(choice -> choice.name().contains("="))
                .map(choice -> dynamicTest(choice.name(), () -> assertInForce(choice)));
    }

    private static void assertInForce(Choice<HikariDataSource> choice) throws Exception {
        String[] parts = choice.name().split("=", 2);
        try (HikariDataSource pool = SERVER.pool()) {
            choice.set().accept(pool);
            try (Connection connection = pool.getConnection();
                    ResultSet rows = connection.createStatement().executeQuery("SELECT @@SESSION." + parts[0])) {
                rows.next();
                assertThat(List.of(rows.getString(1).split(",", -1)))
                        .contains(parts[1].replace("'", "").split(",", -1));
            }
        }
    }
}
