package io.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.contract.EngineContract;
import io.holdfast.contract.LockContract;
import io.holdfast.publish.AppId;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Publishing;
import io.holdfast.publish.Slug;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.sanction.Terms;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class PostgresEngineTest implements EngineContract, LockContract {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static PostgresEngine engine;

    @BeforeAll
    static void open() {
        engine = new PostgresEngine(SERVER);
    }

    @Override
    public PostgresEngine engine() {
        return engine;
    }

    @Test
    void e1_aConnectionWithinTheCallersTransactionIsRefused() throws SQLException {
        try (Connection callers = SERVER.connect();
                Statement statement = callers.createStatement()) {
            callers.setAutoCommit(false);
            statement.execute("CREATE TEMPORARY TABLE half_done ON COMMIT DROP AS SELECT 1");
            ClaimStore claims = PostgresStores.of(always(callers)).claims();
            assertThatThrownBy(() -> claims.claim(request()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("pass the plain DataSource");
            statement.execute("SELECT * FROM half_done");
            assertThat(callers.getAutoCommit()).isFalse();
            callers.rollback();
        }
    }

    /** Without autocommit, what the pool asks to test a connection begins a transaction that cannot be told from a caller's. */
    @Test
    void e2_aPoolThatLeavesATransactionOpenIsToldTheCure() {
        HikariDataSource pool = testingWithoutAutoCommit();
        ClaimStore claims = PostgresStores.of(pool).claims();
        assertThatThrownBy(() -> claims.claim(request()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("set isolateInternalQueries");

        HikariDataSource cured = testingWithoutAutoCommit();
        cured.setIsolateInternalQueries(true);
        assertThat(PostgresStores.of(cured).claims().claim(request())).isInstanceOf(Claimed.class);
    }

    /** Its first connection is tested when it is made, and kept. */
    private static HikariDataSource testingWithoutAutoCommit() {
        HikariDataSource pool = SERVER.pool();
        pool.setAutoCommit(false);
        pool.setConnectionTestQuery("SELECT 1");
        pool.setMinimumIdle(1);
        pool.setMaximumPoolSize(1);
        return pool;
    }

    @Test
    void e1_aConnectionGoesBackAsItCame() throws SQLException {
        try (Connection lent = SERVER.connect()) {
            lent.setAutoCommit(false);
            lent.setNetworkTimeout(Runnable::run, 12_345);
            lent.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            PostgresStores.of(always(lent)).claims().claim(request());
            assertThat(lent.getAutoCommit()).isFalse();
            assertThat(lent.getNetworkTimeout()).isEqualTo(12_345);
            assertThat(lent.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        }
    }

    /** A pool that is bound to a transaction: everybody on the thread gets the same connection, and closing it does nothing. */
    private static DataSource always(Connection connection) {
        Connection bound = (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, args) -> method.getName().equals("close") ? null : method.invoke(connection, args));
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> bound);
    }

    /** A server that uses no index reads last what was written last, and here that has ended. */
    @Test
    void b1_whatStandsIsToldWhereverItsRowIs() {
        HikariDataSource unindexed =
                SERVER.pool(SERVER.url() + "&options=-c%20enable_indexscan=off%20-c%20enable_bitmapscan=off");
        SanctionStore sanctions = PostgresStores.of(unindexed).sanctions();
        Terms terms =
                new Terms(Account.of("account-" + UUID.randomUUID()), "spam", new Holder("operator"), Optional.empty());
        AttemptId ended = AttemptId.random();
        AttemptId stands = AttemptId.random();
        sanctions.impose(ended, terms);
        sanctions.lift(terms.account(), ended, terms.by());
        sanctions.impose(stands, terms);
        SERVER.run("UPDATE holdfast_sanction SET reason = 'by hand' WHERE id = '%s'".formatted(ended));
        assertThat(sanctions.impose(AttemptId.random(), terms))
                .isInstanceOfSatisfying(
                        ImposeOutcome.Another.class,
                        another -> assertThat(another.active().id()).isEqualTo(stands));
    }

    /**
     * When the wait for a synchronous standby is cancelled, the server commits, and says so in a warning of this class. Here a
     * trigger says it, at commit. A session that wants to hear of errors only is told nevertheless.
     */
    @Test
    void g9_aCommitWithAWarningIsUnknown() {
        PostgresStores stores = PostgresStores.of(SERVER.source("options=-c%20client_min_messages=error"))
                .tables("warned_");
        stores.migrate();
        SERVER.run("""
                CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN RAISE WARNING 'cancelling the wait for synchronous replication'; RETURN NULL; END $$;
                CREATE CONSTRAINT TRIGGER warned AFTER INSERT ON warned_app DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION warn()""");
        ClaimRequest request = request();
        assertThatThrownBy(() -> stores.claims().claim(request))
                .isInstanceOfSatisfying(
                        StoreUnavailable.class, e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN));
        Deployment applied = stores.deployments().find(request.attempt()).orElseThrow();
        Claimed again = (Claimed) stores.claims().claim(request);
        assertThat(again.claim().fence()).isEqualTo(applied.fence());
    }

    /** As behind a pooler that lends sessions: by this name the session knows the statement of somebody else. */
    @Test
    void g9_anothersStatementByTheSameNameAppliesNothing() throws SQLException {
        HikariDataSource single = SERVER.pool(SERVER.url() + "&prepareThreshold=1");
        single.setMaximumPoolSize(1);
        ClaimStore claims = PostgresStores.of(single).claims();
        claims.claim(request());
        try (Connection connection = single.getConnection();
                Statement statement = connection.createStatement()) {
            List<String> prepared = new ArrayList<>();
            try (ResultSet names = statement.executeQuery(
                    "SELECT name FROM pg_prepared_statements WHERE statement LIKE '%holdfast_app%'")) {
                while (names.next()) {
                    prepared.add(names.getString(1));
                }
            }
            assertThat(prepared).isNotEmpty();
            for (String name : prepared) {
                statement.execute("DEALLOCATE \"%1$s\"; PREPARE \"%1$s\" AS SELECT 1".formatted(name));
            }
        }
        ClaimRequest request = request();
        assertThatThrownBy(() -> claims.claim(request))
                .hasMessageContaining("set prepareThreshold=0")
                .isInstanceOfSatisfying(
                        StoreUnavailable.class, e -> assertThat(e.effect()).isEqualTo(Effect.NOT_APPLIED));
        assertThat(engine.subject().deployments().find(request.attempt())).isEmpty();
    }

    private static ClaimRequest request() {
        return new ClaimRequest(
                AttemptId.random(),
                AppId.of("app-" + UUID.randomUUID()),
                Slug.of("s-" + UUID.randomUUID()),
                new Holder("test"),
                Publishing.DEFAULT_LIMIT,
                Optional.empty());
    }
}
