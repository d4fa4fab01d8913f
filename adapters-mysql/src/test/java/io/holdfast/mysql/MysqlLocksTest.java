package io.holdfast.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Hold;
import io.holdfast.HoldStore;
import io.holdfast.Holder;
import io.holdfast.Renewal;
import io.holdfast.SilenceLimit;
import io.holdfast.StoreUnavailable;
import io.holdfast.contract.Engine;
import io.holdfast.contract.Ports;
import io.holdfast.contract.Row;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.ClaimStore.FinishOutcome;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal.InProgress;
import io.holdfast.publish.Slug;
import io.holdfast.save.Fingerprint;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveToken;
import io.holdfast.save.TokenDigest;
import java.io.Serial;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which rows a call locks, and until when. */
final class MysqlLocksTest {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static MysqlEngine engine;
    private static MysqlSubject store;

    @BeforeAll
    static void open() {
        engine = new MysqlEngine(SERVER);
        store = engine.subject();
    }

    @BeforeEach
    void wipe() {
        store.wipe();
    }

    /** In a small table the optimizer would rather scan than look rows up, and a scan waits for the stranger's. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10})
    void e4_inATableOfAnySizeALockedRowKeepsNoOtherFromBeingRenewed(int apps) {
        List<Claim> holds =
                IntStream.range(0, apps).mapToObj(n -> taken("holder")).toList();
        Claim locked = holds.get(0);
        try (Engine.Lock lock = engine.lock(new Row(Row.Table.APP, locked.app().value()))) {
            assertThat(lock).isNotNull();
            Map<Claim, Renewal> words =
                    engine.within(Budget.of(Duration.ofSeconds(2))).claims().renew(holds);
            assertThat(words).hasSize(apps - 1).doesNotContainKey(locked);
            assertThat(words.values()).allMatch(Renewal.Held.class::isInstance);
        }
    }

    @Test
    void e4_aLockedLeaseKeepsNoOtherFromBeingRenewed() {
        List<Lease> holds = Stream.generate(MysqlLocksTest::acquired).limit(3).toList();
        assertOthersAreRenewed(
                holds, new Row(Row.Table.LEASE, holds.get(0).name().value()), hasty().leases());
    }

    @Test
    void e4_aLockedSaveTokenKeepsNoOtherFromBeingRenewed() {
        List<Reservation> holds =
                Stream.generate(MysqlLocksTest::reserved).limit(3).toList();
        assertOthersAreRenewed(
                holds, new Row(Row.Table.SAVE, holds.get(0).token().toString()), hasty().saveTokens());
    }

    private static <H extends Hold> void assertOthersAreRenewed(List<H> holds, Row first, HoldStore<H> hasty) {
        try (Engine.Lock lock = engine.lock(first)) {
            assertThat(lock).isNotNull();
            Map<H, Renewal> words = hasty.renew(holds);
            assertThat(words).hasSize(holds.size() - 1).doesNotContainKey(holds.get(0));
            assertThat(words.values()).allMatch(Renewal.Held.class::isInstance);
        }
    }

    private static Ports hasty() {
        return engine.within(Budget.of(Duration.ofSeconds(2)));
    }

    private static Lease acquired() {
        LeaseName name = LeaseName.of("lease-" + UUID.randomUUID());
        SilenceLimit limit = SilenceLimit.of(Duration.ofMinutes(5));
        return ((Acquired) store.leases().acquire(name, AttemptId.random(), new Holder("holder"), limit)).lease();
    }

    private static Reservation reserved() {
        TokenDigest token = SaveToken.random().digest();
        store.saveTokens().issue(token, Duration.ofHours(1), IfInDoubt.RUN_AGAIN);
        ReserveRequest wish = new ReserveRequest(
                token,
                AttemptId.random(),
                Fingerprint.of(new byte[] {1}),
                new Holder("holder"),
                SilenceLimit.of(Duration.ofMinutes(5)));
        return ((Reserved) store.saveTokens().reserve(wish)).reservation();
    }

    /** It is a renewal, which steps over the row: nothing has failed that would tell why there is no word. */
    @Test
    void g9_whoAsksAgainForALockedRowIsToldOfTheLock() {
        ClaimRequest wish = wish("holder", AppId.of("app-" + UUID.randomUUID()));
        Claim claim = taken(wish);
        try (Engine.Lock lock = engine.lock(new Row(Row.Table.APP, claim.app().value()))) {
            assertThat(lock).isNotNull();
            assertThatThrownBy(() -> engine.within(Budget.of(Duration.ofMillis(500)))
                            .claims()
                            .claim(wish))
                    .isInstanceOf(StoreUnavailable.class)
                    .hasMessageContaining("locked by another session");
        }
    }

    /** A row that a loser still has is a row that the winner's heartbeat steps over. */
    @Test
    void g2_aLoserHoldsNoLockFromOneStatementToTheNext() {
        Claim late = taken("late");
        store.letPass(Duration.ofHours(1));
        Claim winner = taken(wish("winner", late.app()));
        LockWatch watched = new LockWatch();
        ClaimStore claims = MysqlStores.of(watched).claims();

        assertThat(claims.claim(wish("loser", late.app()))).isInstanceOf(InProgress.class);
        assertThat(claims.finish(late, new Ending.Failed("no"))).isInstanceOf(FinishOutcome.Lost.class);
        assertThat(claims.renew(List.of(late)).get(late)).isInstanceOf(Renewal.Lost.class);
        assertThat(watched.found).hasSizeGreaterThanOrEqualTo(6).allMatch("0"::equals);

        assertThat(claims.finish(winner, new Ending.Failed("no"))).isInstanceOf(FinishOutcome.Ended.class);
        watched.found.clear();
        assertThat(claims.finish(winner, new Ending.Failed("no"))).isInstanceOf(FinishOutcome.Ended.class);
        assertThat(watched.found).hasSizeGreaterThanOrEqualTo(2).allMatch("0"::equals);
    }

    /** So that a lock would be seen. */
    @Test
    void aLockThatIsHeldFromOneStatementToTheNextIsSeen() {
        LockWatch watched = new LockWatch();
        taken("first");
        MysqlStores.of(watched).claims().claim(wish("taker", AppId.of("app-" + UUID.randomUUID())));
        assertThat(watched.found).contains("1");
    }

    private static Claim taken(String holder) {
        return taken(wish(holder, AppId.of("app-" + UUID.randomUUID())));
    }

    private static Claim taken(ClaimRequest wish) {
        return ((Claimed) store.claims().claim(wish)).claim();
    }

    private static ClaimRequest wish(String holder, AppId app) {
        return new ClaimRequest(
                AttemptId.random(),
                app,
                Slug.of("s-" + UUID.nameUUIDFromBytes(MysqlRows.bytes(app.value()))),
                new Holder(holder),
                SilenceLimit.of(Duration.ofMinutes(5)),
                Optional.empty());
    }

    /** Counts, before each statement, the rows that are locked in the database. */
    private static final class LockWatch extends MysqlDataSource {
        @Serial
        private static final long serialVersionUID = 1L;

        private final transient List<String> found = new ArrayList<>();

        private LockWatch() {
            setUrl(SERVER.url());
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    LockWatch.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("prepareStatement")) {
                            found.add(SERVER.text("""
                                    SELECT COUNT(*) FROM performance_schema.data_locks
                                     WHERE object_schema = DATABASE() AND lock_type = 'RECORD'"""));
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
