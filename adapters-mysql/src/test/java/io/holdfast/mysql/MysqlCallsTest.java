package io.holdfast.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.StoreUnavailable;
import io.holdfast.contract.Engine;
import io.holdfast.contract.Row;
import io.holdfast.contract.mutation.JdbcWire;
import io.holdfast.contract.mutation.Mutant;
import io.holdfast.contract.mutation.Wire;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal;
import io.holdfast.publish.Slug;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a call does to the connection that it is given. */
final class MysqlCallsTest {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static final String OF_ITS_OWN = "&sessionVariables=transaction_isolation='SERIALIZABLE',"
            + "innodb_lock_wait_timeout=17,lock_wait_timeout=23,wait_timeout=29";

    private static MysqlEngine engine;

    @BeforeAll
    static void open() {
        engine = new MysqlEngine(SERVER);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void e2_aConnectionGoesBackAsItCame(boolean autoCommit) throws SQLException {
        KeptConnection source = new KeptConnection(SERVER.url() + OF_ITS_OWN);
        Connection connection = source.getConnection();
        connection.setAutoCommit(autoCommit);
        connection.setNetworkTimeout(Runnable::run, 12_345);
        ClaimStore claims =
                MysqlStores.of(source).within(Budget.of(Duration.ofMillis(500))).claims();
        AppId app = AppId.of("app-" + UUID.randomUUID());

        Claim claim = ((Claimed) claims.claim(wish(app))).claim();
        assertIsAsItCame(connection, autoCommit);
        assertThat(claims.claim(wish(app))).isInstanceOf(Refusal.InProgress.class);
        assertIsAsItCame(connection, autoCommit);
        assertThat(claims.renew(List.of(claim))).hasSize(1);
        assertIsAsItCame(connection, autoCommit);
        try (Engine.Lock lock = engine.lock(new Row(Row.Table.APP, app.value()))) {
            assertThat(lock).isNotNull();
            assertThatThrownBy(() -> claims.finish(claim, new Ending.Failed("locked")))
                    .isInstanceOf(StoreUnavailable.class)
                    .hasMessageContaining("locked by another session");
        }
        assertIsAsItCame(connection, autoCommit);
        claims.finish(claim, new Ending.Failed("it does not compile"));
        assertIsAsItCame(connection, autoCommit);
        MysqlStores.of(source).deployments().current(app);
        assertIsAsItCame(connection, autoCommit);
    }

    /** So that no wait is without a bound (E3), and no row stays locked by a caller that is cut off (E4). */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void e2_howAConnectionCameDoesNotMatterToACall(boolean autoCommit) throws SQLException {
        KeptConnection source = new KeptConnection(SERVER.url() + OF_ITS_OWN);
        Connection connection = source.getConnection();
        connection.setAutoCommit(autoCommit);
        List<String> found = new ArrayList<>();
        Wire<String> watched = new Wire<>();
        watched.put(new Mutant<>("looks on", sent -> {
            if (sent.startsWith("UPDATE")) {
                found.add(settings(connection));
            }
            return sent;
        }));
        ClaimStore claims = MysqlStores.of(JdbcWire.to(source, watched, e -> false))
                .within(Budget.of(Duration.ofSeconds(6)))
                .claims();
        claims.claim(wish(AppId.of("app-" + UUID.randomUUID())));
        assertThat(found).isNotEmpty().containsOnly("0 READ-COMMITTED 3 3 7");
    }

    /** By its completion_type each COMMIT and each ROLLBACK would end it. */
    @Test
    void e2_aSessionOutlivesItsTransactions() throws SQLException {
        KeptConnection source = new KeptConnection(SERVER.url() + "&sessionVariables=completion_type='RELEASE'");
        Connection connection = source.getConnection();
        ClaimStore claims = MysqlStores.of(source).claims();
        AppId app = AppId.of("app-" + UUID.randomUUID());
        assertThat(claims.claim(wish(app))).isInstanceOf(Claimed.class);
        assertThat(claims.claim(wish(app))).isInstanceOf(Refusal.InProgress.class);
        assertThat(text(connection, "SELECT 'here'")).isEqualTo("here");
    }

    private static String settings(Connection connection) {
        try {
            return text(connection, """
                    SELECT CONCAT_WS(' ', @@autocommit, @@transaction_isolation, @@innodb_lock_wait_timeout,
                                     @@lock_wait_timeout, @@wait_timeout)""");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void assertIsAsItCame(Connection connection, boolean autoCommit) throws SQLException {
        assertThat(connection.isClosed()).isFalse();
        assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
        assertThat(connection.getNetworkTimeout()).isEqualTo(12_345);
        assertThat(settings(connection)).isEqualTo((autoCommit ? "1" : "0") + " SERIALIZABLE 17 23 29");
        if (!autoCommit) {
            connection.rollback();
        }
    }

    @Test
    void e1_anOpenTransactionIsRefusedAndLeftAlone() throws SQLException {
        SERVER.run("CREATE TABLE IF NOT EXISTS callers (note TEXT)");
        KeptConnection source = new KeptConnection(SERVER.url());
        Connection connection = source.getConnection();
        MysqlStores bound = MysqlStores.of(source);
        AppId app = AppId.of("app-" + UUID.randomUUID());
        connection.setAutoCommit(false);
        try (Statement write = connection.createStatement()) {
            write.execute("INSERT INTO callers VALUES ('open')");
        }

        assertThatThrownBy(() -> bound.claims().claim(wish(app)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("pass the plain DataSource");
        assertThatThrownBy(() -> bound.deployments().current(app)).isInstanceOf(IllegalStateException.class);

        assertThat(text(connection, "SELECT COUNT(*) FROM callers")).isEqualTo("1");
        assertThat(SERVER.text("SELECT COUNT(*) FROM callers")).isEqualTo("0");
        connection.rollback();
        assertThat(bound.claims().claim(wish(app))).isInstanceOf(Claimed.class);
    }

    /** A pool that hands out connections without autocommit has begun nothing yet. */
    @Test
    void e1_aTransactionThatHasNotBegunIsNone() throws SQLException {
        KeptConnection source = new KeptConnection(SERVER.url());
        source.getConnection().setAutoCommit(false);
        ClaimOutcome outcome = MysqlStores.of(source).claims().claim(wish(AppId.of("app-" + UUID.randomUUID())));
        assertThat(outcome).isInstanceOf(Claimed.class);
    }

    private static ClaimRequest wish(AppId app) {
        return new ClaimRequest(
                AttemptId.random(),
                app,
                Slug.of("s-" + UUID.nameUUIDFromBytes(MysqlRows.bytes(app.value()))),
                new Holder("caller"),
                SilenceLimit.of(Duration.ofMinutes(5)),
                Optional.empty());
    }

    private static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
