package io.holdfast.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.contract.Engine;
import io.holdfast.contract.Row;
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
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A take waits for a row, and everything that it has looked at besides that row is then as old as its beginning. What may
 * have happened meanwhile is made to happen here, by a session that holds the row.
 */
final class MysqlSnapshotTest {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static MysqlEngine engine;
    private static MysqlSubject store;

    private final AppId app = AppId.of("app-" + UUID.randomUUID());
    private final Slug slug = Slug.of("s-" + UUID.randomUUID());

    @BeforeAll
    static void open() {
        engine = new MysqlEngine(SERVER);
        store = engine.subject();
    }

    /** Its deployment is younger than the snapshot, and would stay building for ever. */
    @Test
    void c8_aRivalThatTookTheAppMeanwhileAndFellSilentIsAbandonedToo() {
        Claim first = taken(wish("first", ""));
        store.letPass(Duration.ofHours(1));
        UUID rival = UUID.randomUUID();
        Claimed last = (Claimed) whileRowIsHeld(
                wish("last", ""), """
                UPDATE holdfast_app SET taken_over = attempt, attempt = UUID_TO_BIN('%1$s'), fence = fence + 1
                 WHERE app = '%2$s'""".formatted(rival, app.value()), """
                UPDATE holdfast_deployment SET state = 'abandoned', by_id = UUID_TO_BIN('%1$s')
                 WHERE app = '%2$s'""".formatted(rival, app.value()), """
                INSERT INTO holdfast_deployment (id, app, fence, slug, holder, started, state)
                SELECT attempt, app, fence, slug, holder, since, 'building' FROM holdfast_app
                 WHERE app = '%s'""".formatted(
                                app.value()));

        assertThat(last.takenOverFrom()).contains(new AttemptId(rival));
        assertThat(state(new AttemptId(rival)))
                .isEqualTo(new Deployment.Abandoned(Optional.of(last.claim().attempt())));
        assertThat(state(first.attempt())).isEqualTo(new Deployment.Abandoned(Optional.of(new AttemptId(rival))));
    }

    /** The row's guard tells, and nothing else would. */
    @Test
    void c4_aSlugThatBecameFixedMeanwhileStays() {
        store.claims().finish(taken(wish("first", "")), new Ending.Failed("no"));
        ClaimRequest last = wish("last", "");
        ClaimRequest other = new ClaimRequest(
                last.attempt(), app, Slug.of("s-" + UUID.randomUUID()), last.holder(), last.limit(), last.requestKey());
        ClaimOutcome refused =
                whileRowIsHeld(other, "UPDATE holdfast_app SET live = attempt WHERE app = '%s'".formatted(app.value()));
        assertThat(refused).isEqualTo(new Refusal.SlugFixed(slug));
    }

    /** It is not in the history that the snapshot shows; the unique index tells. */
    @Test
    void c11_aRequestKeyThatWasUsedMeanwhileIsReplayed() {
        store.claims().finish(taken(wish("first", "")), new Ending.Failed("no"));
        UUID rival = UUID.randomUUID();
        Refusal.AlreadyRun replayed = (Refusal.AlreadyRun)
                whileRowIsHeld(wish("last", "key"), """
                UPDATE holdfast_app SET attempt = UUID_TO_BIN('%1$s'), fence = fence + 1
                 WHERE app = '%2$s'""".formatted(rival, app.value()), """
                INSERT INTO holdfast_deployment (id, app, fence, slug, holder, started, state, detail, request)
                SELECT attempt, app, fence, slug, holder, since, 'failed', 'at once', 'key' FROM holdfast_app
                 WHERE app = '%s'""".formatted(app.value()));
        assertThat(replayed.deployment().id()).isEqualTo(new AttemptId(rival));
    }

    /** The slug's unique index tells; and the app is then not taken at all. */
    @Test
    void c4_aSlugThatAnotherAppTookMeanwhileIsTaken() {
        store.claims().finish(taken(wish("first", "")), new Ending.Failed("no"));
        Slug wanted = Slug.of("s-" + UUID.randomUUID());
        ClaimRequest last = wish("last", "");
        ClaimRequest other =
                new ClaimRequest(last.attempt(), app, wanted, last.holder(), last.limit(), last.requestKey());
        ClaimOutcome refused = whileRowIsHeld(other, """
                INSERT INTO holdfast_app (app, fence, building, free_at, slug)
                VALUES ('rival-of-%s', 0, FALSE, 0, '%s')""".formatted(app.value(), wanted.value()));
        assertThat(refused).isEqualTo(new Refusal.SlugTaken(wanted));
        assertThat(store.deployments().recent(app, 10)).hasSize(1);
    }

    /** The same attempt, by a packet that was late: it has taken and ended. */
    @Test
    void g5_anAttemptThatEndedMeanwhileTakesNothing() {
        store.claims().finish(taken(wish("first", "")), new Ending.Failed("no"));
        ClaimRequest wish = wish("last", "");
        Refusal.AlreadyRun ended = (Refusal.AlreadyRun)
                whileRowIsHeld(wish, """
                UPDATE holdfast_app SET attempt = UUID_TO_BIN('%1$s'), fence = fence + 1
                 WHERE app = '%2$s'""".formatted(wish.attempt(), app.value()), """
                INSERT INTO holdfast_deployment (id, app, fence, slug, holder, started, state, detail)
                SELECT attempt, app, fence, slug, holder, since, 'failed', 'at once' FROM holdfast_app
                 WHERE app = '%s'""".formatted(app.value()));
        assertThat(ended.deployment().id()).isEqualTo(wish.attempt());
    }

    /** K24: a waiter was granted a lease that had ended while it waited. */
    @Test
    void g3_theTimeThatWasWaitedIsTakenOffTheTimeThatIsTold() {
        store.claims().finish(taken(wish("first", "")), new Ending.Failed("no"));
        long begun = System.nanoTime();
        Claimed claimed = (Claimed) whileRowIsHeld(wish("last", ""));
        Duration row = Duration.ofNanos(1_000 * Long.parseLong(SERVER.text("""
                        SELECT free_at - TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))
                          FROM holdfast_app WHERE app = '%s'""".formatted(app.value()))));
        Duration sinceBegun = Duration.ofNanos(System.nanoTime() - begun);
        // What is told counts from the moment that the call was sent, and then reaches no further than the row.
        assertThat(claimed.remaining()).isLessThanOrEqualTo(row.plus(sinceBegun));
    }

    /** What an UPDATE locks while it finds its guard false would keep a heartbeat from its row. */
    @Test
    void g2_aLoserLocksNothing() {
        Claim held = taken(wish("first", ""));
        try (Engine.Lock lock = engine.lock(new Row(Row.Table.APP, app.value()))) {
            assertThat(lock).isNotNull();
            Refusal.InProgress told = (Refusal.InProgress) store.claims().claim(wish("loser", ""));
            assertThat(told.running().attempt()).isEqualTo(held.attempt());
        }
    }

    /**
     * Claims while another session holds the row, has done {@code statements} besides, and commits as soon as the claim
     * waits.
     */
    private ClaimOutcome whileRowIsHeld(ClaimRequest wish, String... statements) {
        try (Connection stranger = SERVER.connect();
                Statement statement = stranger.createStatement()) {
            stranger.setAutoCommit(false);
            statement.execute("SELECT 1 FROM holdfast_app WHERE app = '" + app.value() + "' FOR UPDATE");
            for (String sql : statements) {
                statement.execute(sql);
            }
            CompletableFuture<ClaimOutcome> claim =
                    CompletableFuture.supplyAsync(() -> store.claims().claim(wish));
            assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
                while (SERVER.text("""
                        SELECT COUNT(*) FROM performance_schema.data_locks
                         WHERE object_schema = DATABASE() AND lock_status = 'WAITING'""").equals("0")) {
                    Thread.onSpinWait();
                }
            });
            stranger.commit();
            return claim.join();
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
