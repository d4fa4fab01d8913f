package io.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.Succession;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal;
import io.holdfast.publish.RequestKey;
import io.holdfast.publish.Slug;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.Terms;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A take waits for a row, and everything that it has looked at besides that row is then as old as its beginning. What may
 * have happened meanwhile is made to happen here, by a session that holds the row.
 */
final class PostgresSnapshotTest {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static HikariDataSource pool;
    private static PostgresSubject store;

    private final AppId app = AppId.of("app-" + UUID.randomUUID());
    private final Slug slug = Slug.of("s-" + UUID.randomUUID());

    @BeforeAll
    static void open() {
        pool = SERVER.pool();
        store = new PostgresSubject(pool);
        store.wipe();
    }

    /** Its deployment is younger than the snapshot, and would stay building for ever. */
    @Test
    void c8_aRivalThatTookTheAppMeanwhileAndFellSilentIsAbandonedToo() {
        Claim first = taken(wish("first", ""));
        store.letPass(Duration.ofHours(1));
        UUID rival = UUID.randomUUID();
        Claimed last = (Claimed) whileRowIsHeld("""
                UPDATE holdfast_app SET attempt = '%1$s', fence = fence + 1, taken_over = attempt WHERE app = '%2$s';
                UPDATE holdfast_deployment SET state = 'abandoned', by_id = '%1$s' WHERE app = '%2$s';
                INSERT INTO holdfast_deployment (id, app, fence, slug, holder, started, state)
                SELECT attempt, app, fence, slug, holder, since, 'building' FROM holdfast_app WHERE app = '%2$s'""", rival, wish("last", ""));

        assertThat(last.takenOverFrom()).contains(new AttemptId(rival));
        assertThat(state(new AttemptId(rival)))
                .isEqualTo(new Deployment.Abandoned(Optional.of(last.claim().attempt())));
        assertThat(state(first.attempt())).isEqualTo(new Deployment.Abandoned(Optional.of(new AttemptId(rival))));
    }

    /** By the snapshot it is building still, and would get another successor. */
    @Test
    void c8_whoWasTakenOverMeanwhileWasAbandonedByThatRivalEvenIfThatHasEnded() {
        Claim first = taken(wish("first", ""));
        store.letPass(Duration.ofHours(1));
        UUID rival = UUID.randomUUID();
        Claimed last = (Claimed) whileRowIsHeld("""
                UPDATE holdfast_app
                   SET attempt = '%1$s', fence = fence + 1, taken_over = attempt, building = false, free_at = 0
                 WHERE app = '%2$s';
                UPDATE holdfast_deployment SET state = 'abandoned', by_id = '%1$s' WHERE app = '%2$s';
                INSERT INTO holdfast_deployment (id, app, fence, slug, holder, started, state, detail)
                SELECT attempt, app, fence, slug, holder, since, 'failed', 'at once'
                  FROM holdfast_app WHERE app = '%2$s'""", rival, wish("last", ""));

        assertThat(last.takenOverFrom()).isEmpty();
        assertThat(state(first.attempt())).isEqualTo(new Deployment.Abandoned(Optional.of(new AttemptId(rival))));
    }

    /** By the snapshot it is building still. */
    @Test
    void c8_aHolderThatEndsMeanwhileKeepsItsEnding() {
        Claim first = taken(wish("first", ""));
        store.letPass(Duration.ofHours(1));
        Claimed last = (Claimed) whileRowIsHeld("""
                UPDATE holdfast_app SET building = false, free_at = 0 WHERE app = '%2$s' AND attempt <> '%1$s';
                UPDATE holdfast_deployment SET state = 'failed', detail = 'at last' WHERE app = '%2$s'""", UUID.randomUUID(), wish("last", ""));

        assertThat(last.takenOverFrom()).isEmpty();
        assertThat(state(first.attempt())).isEqualTo(new Ending.Failed("at last"));
    }

    /** By the snapshot it is building still; that it is not, though it has no successor, is told by its detail. */
    @Test
    void c8_whoIsEvictedMeanwhileWasAbandonedByNobody() {
        Claim evicted = taken(wish("evicted", ""));
        store.claims().evict(app, evicted.fence(), Succession.AT_ONCE);
        String detail =
                SERVER.text("SELECT detail FROM holdfast_deployment WHERE id = '%s'".formatted(evicted.attempt()));

        Claim first = taken(wish("first", ""));
        store.letPass(Duration.ofHours(1));
        Claimed last = (Claimed) whileRowIsHeld("""
                UPDATE holdfast_app SET fence = fence + 1, building = false, free_at = 0
                 WHERE app = '%2$s' AND attempt <> '%1$s';
                UPDATE holdfast_deployment SET state = 'abandoned', detail = '{detail}'
                 WHERE app = '%2$s' AND state = 'building'""".replace("{detail}", detail), UUID.randomUUID(), wish("last", ""));

        assertThat(last.takenOverFrom()).isEmpty();
        assertThat(state(first.attempt())).isEqualTo(new Deployment.Abandoned(Optional.empty()));
    }

    /** It is not in the history that the snapshot shows. */
    @Test
    void c11_aRequestKeyThatWasUsedMeanwhileIsReplayed() {
        store.claims().finish(taken(wish("first", "")), new Ending.Failed("no"));
        UUID rival = UUID.randomUUID();
        Refusal.AlreadyRun replayed = (Refusal.AlreadyRun) whileRowIsHeld("""
                UPDATE holdfast_app SET attempt = '%1$s', fence = fence + 1, request = 'key' WHERE app = '%2$s';
                INSERT INTO holdfast_deployment (id, app, fence, slug, holder, started, state, detail, request)
                SELECT attempt, app, fence, slug, holder, since, 'failed', 'at once', 'key'
                  FROM holdfast_app WHERE app = '%2$s'""", rival, wish("last", "key"));
        assertThat(replayed.deployment().id()).isEqualTo(new AttemptId(rival));
    }

    /** And another key after it, so that the row no longer tells; the unique index does. */
    @Test
    void c11_alsoWhenAnotherKeyFollowedIt() {
        store.claims().finish(taken(wish("first", "")), new Ending.Failed("no"));
        UUID rival = UUID.randomUUID();
        Refusal.AlreadyRun replayed = (Refusal.AlreadyRun) whileRowIsHeld("""
                UPDATE holdfast_app SET attempt = gen_random_uuid(), fence = fence + 2, request = 'next' WHERE app = '%2$s';
                INSERT INTO holdfast_deployment (id, app, fence, slug, holder, started, state, detail, request)
                SELECT '%1$s', app, fence - 1, slug, holder, since, 'failed', 'at once', 'key'
                  FROM holdfast_app WHERE app = '%2$s'""", rival, wish("last", "key"));
        assertThat(replayed.deployment().id()).isEqualTo(new AttemptId(rival));
    }

    /** By the snapshot there is a row, and so none is made. */
    @Test
    void g13_aRowThatIsDeletedByHandMeanwhileIsMadeAgain() {
        store.claims().finish(taken(wish("first", "")), new Ending.Failed("no"));
        ClaimRequest last = wish("last", "");
        assertThat(whileRowIsHeld(
                        "DELETE FROM holdfast_app WHERE app = '%2$s' AND attempt <> '%1$s'", UUID.randomUUID(), last))
                .isInstanceOf(Claimed.class);
    }

    /** By the snapshot there is no row: the second to make it finds out from the index, and the server has no error to tell of. */
    @Test
    void g9_whoMakesTheRowSecondCausesNoErrorAtTheServer() {
        long before = rolledBack();
        ClaimOutcome last = whileRowIsHeld("""
                INSERT INTO holdfast_app (app, attempt, fence, building, holder, since, beat, silence_limit, free_at, slug)
                VALUES ('%2$s', '%1$s', 1, true, 'first', 0, 0, 1, 9000000000000000, 's-%1$s')""", UUID.randomUUID(), wish("last", ""));
        assertThat(last).isInstanceOf(Refusal.InProgress.class);
        assertThat(rolledBack()).isEqualTo(before);
    }

    @Test
    void g9_whoTakesANewLeaseSecondCausesNoErrorAtTheServer() {
        LeaseName name = LeaseName.of("lease-" + UUID.randomUUID());
        long before = rolledBack();
        LeaseOutcome last = whileHeld(
                """
                INSERT INTO holdfast_lease (name, attempt, fence, held, holder, since, beat, silence_limit, free_at)
                VALUES ('%s', gen_random_uuid(), 1, true, 'first', 0, 0, 1, 9000000000000000)""".formatted(name.value()),
                () -> store.leases()
                        .acquire(name, AttemptId.random(), new Holder("last"), SilenceLimit.of(Duration.ofMinutes(5))));
        assertThat(last).isInstanceOf(LeaseOutcome.Taken.class);
        assertThat(rolledBack()).isEqualTo(before);
    }

    @Test
    void g9_whoImposesSecondCausesNoErrorAtTheServer() {
        Account account = new Account("account-" + UUID.randomUUID());
        long before = rolledBack();
        ImposeOutcome last = whileHeld(
                """
                INSERT INTO holdfast_sanction (id, account, number, reason, imposed_by, since, state)
                VALUES (gen_random_uuid(), '%s', 1, 'spam', 'first', 0, 'active')""".formatted(account.value()),
                () -> store.sanctions()
                        .impose(AttemptId.random(), new Terms(account, "spam", new Holder("last"), Optional.empty())));
        assertThat(last).isInstanceOf(ImposeOutcome.Another.class);
        assertThat(rolledBack()).isEqualTo(before);
    }

    /** It is told nothing of its own slug, nor of other apps' that it does not want. */
    @Test
    void c12_aRowThatWasMadeAndLetGoMeanwhileIsInNobodysWay() {
        store.claims()
                .claim(new ClaimRequest(
                        AttemptId.random(),
                        AppId.of("other-" + app.value()),
                        Slug.of("other-" + slug.value()),
                        new Holder("other"),
                        SilenceLimit.of(Duration.ofMinutes(5)),
                        Optional.empty()));
        assertThat(whileRowIsHeld("""
                        INSERT INTO holdfast_app
                               (app, attempt, fence, building, holder, since, beat, silence_limit, free_at, slug, live)
                        VALUES ('%2$s', '%1$s', 1, false, 'first', 0, 0, 1, 0, '{slug}', '%1$s')""".replace("{slug}", slug.value()), UUID.randomUUID(), wish("last", "")))
                .isInstanceOf(Claimed.class);
    }

    private static long rolledBack() {
        return SERVER.rolledBack(() -> pool.getHikariPoolMXBean().softEvictConnections());
    }

    /** K24: a waiter was granted a lease that had ended while it waited. */
    @Test
    void g3_theTimeThatWasWaitedIsTakenOffTheTimeThatIsTold() {
        store.claims().finish(taken(wish("first", "")), new Ending.Failed("no"));
        long begun = System.nanoTime();
        Claimed claimed = (Claimed) whileRowIsHeld("SELECT '%1$s', '%2$s'", UUID.randomUUID(), wish("last", ""));
        Duration row = Duration.ofNanos(1_000 * Long.parseLong(SERVER.text("""
                        SELECT free_at - (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
                          FROM holdfast_app WHERE app = '%s'""".formatted(app.value()))));
        Duration sinceBegun = Duration.ofNanos(System.nanoTime() - begun);
        // What is told counts from the moment that the call was sent, and then reaches no further than the row.
        assertThat(claimed.remaining()).isLessThanOrEqualTo(row.plus(sinceBegun));
    }

    /**
     * Claims while another session holds the row, has done {@code sql} to it, and commits as soon as the claim waits.
     *
     * @param sql with a rival's id and the app's as arguments
     */
    private ClaimOutcome whileRowIsHeld(String sql, UUID rival, ClaimRequest wish) {
        String held = "SELECT FROM holdfast_app WHERE app = '" + app.value() + "' FOR UPDATE; ";
        return whileHeld(
                held + sql.formatted(rival, app.value()), () -> store.claims().claim(wish));
    }

    /** Calls while another session has done {@code sql} and not committed it, which it does as soon as the call waits. */
    private static <T> T whileHeld(String sql, Supplier<T> call) {
        try (Connection stranger = SERVER.connect();
                Statement statement = stranger.createStatement()) {
            stranger.setAutoCommit(false);
            statement.execute(sql);
            CompletableFuture<T> answer = CompletableFuture.supplyAsync(call);
            assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
                while (SERVER.text("""
                        SELECT count(*) FROM pg_stat_activity
                         WHERE datname = current_database() AND wait_event_type = 'Lock'""").equals("0")) {
                    Thread.onSpinWait();
                }
            });
            stranger.commit();
            return answer.join();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Claim taken(ClaimRequest wish) {
        return ((Claimed) store.claims().claim(wish)).claim();
    }

    private static Deployment.State state(AttemptId id) {
        return store.deployments().find(id).orElseThrow().state();
    }

    private ClaimRequest wish(String holder, String key) {
        return new ClaimRequest(
                AttemptId.random(),
                app,
                slug,
                new Holder(holder),
                SilenceLimit.of(Duration.ofMinutes(5)),
                Optional.of(key).filter(k -> !k.isEmpty()).map(RequestKey::of));
    }
}
