package io.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.UnfitDatabase;
import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.MatrixContract;
import io.holdfast.contract.Ports;
import io.holdfast.contract.Setting;
import io.holdfast.contract.fault.OwnContainer;
import java.sql.DriverManager;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The oldest PostgreSQL that {@code check()} lets pass. */
final class PostgresOldestTest implements MatrixContract<HikariDataSource> {
    @RegisterExtension
    @Order(1)
    static final OwnContainer OLDEST = new OwnContainer(
            "HOLDFAST_IMAGE_POSTGRES_13",
            "postgres:13",
            5432,
            List.of("POSTGRES_USER=test", "POSTGRES_PASSWORD=test"),
            (host, port) -> DriverManager.getConnection(url(host, port)).close(),
            "postgres");

    @RegisterExtension
    @Order(2)
    static final PostgresServer SERVER = new PostgresServer(() -> url(OLDEST.host(), OLDEST.port()));

    private static PostgresSubject subject;

    @BeforeAll
    static void open() {
        subject = new PostgresSubject(SERVER.pool());
    }

    private static String url(String host, int port) {
        return "jdbc:postgresql://%s:%d/test?user=test&password=test".formatted(host, port);
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
        return List.of(Setting.<HikariDataSource>of("isolation of the pool")
                .or(
                        "transaction_isolation=serializable",
                        pool -> pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE")));
    }

    @Test
    void e8_itIsTheOldestAndFit() {
        assertThat(SERVER.engine()).startsWith("PostgreSQL 13.");
        PostgresStores stores = PostgresStores.of(SERVER.pool()).tables("oldest_");
        assertThatThrownBy(stores::check).isInstanceOf(UnfitDatabase.class);
        stores.migrate();
        stores.check();
    }
}
