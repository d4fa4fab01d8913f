package io.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.Succession;
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
final class PostgresSnapshotTest {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static PostgresSubject store;

    private final AppId app = AppId.of("app-" + UUID.randomUUID());
    private final Slug slug = Slug.of("s-" + UUID.randomUUID());

    @BeforeAll
    static void open() {
        store = new PostgresSubject(SERVER.pool());
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
        try (Connection stranger = SERVER.connect();
                Statement statement = stranger.createStatement()) {
            stranger.setAutoCommit(false);
            statement.execute("SELECT FROM holdfast_app WHERE app = '" + app.value() + "' FOR UPDATE");
            statement.execute(sql.formatted(rival, app.value()));
            CompletableFuture<ClaimOutcome> claim =
                    CompletableFuture.supplyAsync(() -> store.claims().claim(wish));
            assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
                while (SERVER.text("""
                        SELECT count(*) FROM pg_stat_activity
                         WHERE datname = current_database() AND wait_event_type = 'Lock'""").equals("0")) {
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
