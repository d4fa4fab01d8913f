package io.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.UnfitDatabase;
import io.holdfast.contract.Contenders;
import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.Evidence;
import io.holdfast.contract.Evidence.Method;
import io.holdfast.contract.MatrixContract;
import io.holdfast.contract.Ports;
import io.holdfast.contract.Setting;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.lease.LeaseStore;
import io.holdfast.publish.Publishing;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Between the pool and the server somebody lends sessions for single transactions (E2). */
final class PostgresPoolerTest implements MatrixContract<HikariDataSource> {
    @RegisterExtension
    @Order(1)
    static final PostgresPooler POOLER = new PostgresPooler();

    @RegisterExtension
    @Order(2)
    static final PostgresServer SERVER = new PostgresServer(POOLER::url);

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
        return SERVER.engine() + " by " + POOLER.version();
    }

    @Override
    public void hosted(Consumer<? super HikariDataSource> set, Consumer<Ports> use) {
        try (HikariDataSource pool = SERVER.pool(POOLER.urlSince121(SERVER))) {
            set.accept(pool);
            use.accept(new PostgresPorts(PostgresStores.of(pool)));
        }
    }

    /** Nobody comes to the server itself. */
    @Override
    public List<Setting<HikariDataSource>> settings() {
        return List.of(
                Setting.<HikariDataSource>of("other pooler")
                        .or("max_prepared_statements=0, prepareThreshold=0", before121("prepareThreshold=0"))
                        .or("max_prepared_statements=0, preferQueryMode=simple", before121("preferQueryMode=simple"))
                        .or(
                                "max_prepared_statements=200, prepareThreshold=1",
                                pool -> pool.setJdbcUrl(POOLER.urlSince121(SERVER) + "&prepareThreshold=1")),
                Setting.<HikariDataSource>of("isolation of the pool")
                        .or(
                                "transaction_isolation=serializable",
                                pool -> pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE")),
                Setting.<HikariDataSource>of("autocommit of the pool").or("the pool without autocommit", pool -> {
                    pool.setAutoCommit(false);
                    pool.setIsolateInternalQueries(true);
                }));
    }

    private static Consumer<HikariDataSource> before121(String parameter) {
        return pool -> pool.setJdbcUrl(POOLER.urlBefore121(SERVER) + "&" + parameter);
    }

    @Test
    void e8_checkMissesTheTablesUntilTheyAreThere() {
        Map<String, String> urls = Map.of(
                "since_", POOLER.urlSince121(SERVER), "before_", POOLER.urlBefore121(SERVER) + "&prepareThreshold=0");
        urls.forEach((prefix, url) -> {
            PostgresStores stores = PostgresStores.of(SERVER.pool(url)).tables(prefix);
            assertThatThrownBy(stores::check).as(url).isInstanceOf(UnfitDatabase.class);
            stores.migrate();
            stores.check();
        });
    }

    /** A statement that the driver has prepared is looked for on another session. Whoever is hit by that is told the cure (G9). */
    @Test
    void g9_aPreparedStatementThatIsNotThereAppliesNothing() {
        LeaseStore leases =
                PostgresStores.of(SERVER.pool(POOLER.urlBefore121(SERVER))).leases();
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger told = new AtomicInteger();
        ConcurrentLinkedQueue<String> findings = new ConcurrentLinkedQueue<>();
        Contenders.race(8, n -> {
            for (int i = 0; i < 25; i++) {
                calls.incrementAndGet();
                LeaseName name = LeaseName.of("pooled-" + UUID.randomUUID());
                boolean isTaken;
                try {
                    isTaken = leases.acquire(name, AttemptId.random(), new Holder("test"), Publishing.DEFAULT_LIMIT)
                            instanceof Acquired;
                } catch (StoreUnavailable e) {
                    told.incrementAndGet();
                    isTaken = false;
                    if (e.effect() != Effect.NOT_APPLIED || !e.getMessage().contains("set prepareThreshold=0")) {
                        findings.add(e + ", because of " + e.getCause());
                    }
                }
                if (isTaken != subject.leases().find(name).isPresent()) {
                    findings.add("taken as it was told: " + isTaken + ", and it is not so");
                }
            }
            return n;
        });
        Evidence.of(
                        Method.MATRIX,
                        met(),
                        "E2 G9",
                        "max_prepared_statements=0 and the driver's prepareThreshold=5: takes",
                        calls.get(),
                        findings.size(),
                        told + " were told NOT_APPLIED, and to set prepareThreshold=0")
                .tell();
        assertThat(findings).isEmpty();
        assertThat(told).as("calls that were hit").hasPositiveValue();
    }
}
