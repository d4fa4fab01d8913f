package io.holdfast.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.contract.Ports;
import io.holdfast.contract.mutation.Mutant;
import io.holdfast.contract.mutation.Wire;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Refusal;
import io.holdfast.publish.RequestKey;
import io.holdfast.publish.Slug;
import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RotateOutcome;
import io.holdfast.refresh.RotateOutcome.Why;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.ReplaceOutcome;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.sanction.Terms;
import io.holdfast.save.Ending;
import io.holdfast.save.Fingerprint;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal.Completed;
import io.holdfast.save.Refusal.Expired;
import io.holdfast.save.Refusal.InDoubt;
import io.holdfast.save.Refusal.InProgress;
import io.holdfast.save.Refusal.OtherPayload;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveToken;
import io.holdfast.save.TokenDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A take has each guard twice. The first look is without a lock, so that whoever loses keeps no heartbeat from the row (G2);
 * the second is on the newest version of the row, after a wait for it, and decides (G1). Here each look is on its own: what is
 * in a taker's way is there before it comes, or comes while it waits. It is put there by hand, each thing alone.
 */
final class MysqlGuardTest {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static final SilenceLimit LIMIT = SilenceLimit.of(Duration.ofMinutes(5));
    private static final Holder HOLDER = new Holder("holder");
    private static final Fingerprint PAYLOAD = Fingerprint.of(new byte[] {1});

    private static final SaveResult SAVED = SaveResult.of(new byte[] {2});

    private static MysqlSubject store;
    private static Ports hasty;

    @BeforeAll
    static void open() {
        MysqlEngine engine = new MysqlEngine(SERVER);
        store = engine.subject();
        hasty = engine.within(Budget.of(Duration.ofSeconds(2)));
        // None that is wanted is the only one that is free.
        claimer();
        acquirer();
        reserver();
        rotator();
    }

    /**
     * Whoever wants a row that is free.
     *
     * @param row finds it
     */
    private record Taker(String table, String row, AttemptId attempt, Function<Ports, Object> call) {
        String in(String change) {
            return change.replace("{row}", row).replace("{me}", literal(MysqlRows.bytes(attempt)));
        }
    }

    /**
     * What comes in its way.
     *
     * @param changes what it changes in the row, or another statement
     */
    private record Obstacle(String name, Predicate<Object> told, List<String> changes) {
        static Obstacle of(String name, Class<?> told, String... changes) {
            return new Obstacle(name, told::isInstance, List.of(changes));
        }

        static Obstacle of(String name, Object told, String... changes) {
            return new Obstacle(name, told::equals, List.of(changes));
        }

        void putBefore(Taker taker, Statement statement) throws SQLException {
            for (String change : changes) {
                String sql = change.startsWith("INSERT")
                        ? change
                        : "UPDATE " + taker.table() + " SET " + change + " WHERE {row}";
                statement.execute(taker.in(sql));
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> g2_whoLosesAnAppDoesNotWaitForIt() {
        return each(APP, obstacle -> assertTold(obstacle, claimer(), false));
    }

    @TestFactory
    Stream<DynamicTest> g1_whatCameInAClaimersWayMeanwhileDecides() {
        return each(APP, obstacle -> assertTold(obstacle, claimer(), true));
    }

    @TestFactory
    Stream<DynamicTest> g2_whoLosesALeaseDoesNotWaitForIt() {
        return each(LEASE, obstacle -> assertTold(obstacle, acquirer(), false));
    }

    @TestFactory
    Stream<DynamicTest> g1_whatCameInAnAcquirersWayMeanwhileDecides() {
        return each(LEASE, obstacle -> assertTold(obstacle, acquirer(), true));
    }

    @TestFactory
    Stream<DynamicTest> g2_whoLosesASaveTokenDoesNotWaitForIt() {
        return each(SAVE, obstacle -> assertTold(obstacle, reserver(), false));
    }

    @TestFactory
    Stream<DynamicTest> g1_whatCameInAReserversWayMeanwhileDecides() {
        return each(SAVE, obstacle -> assertTold(obstacle, reserver(), true));
    }

    @TestFactory
    Stream<DynamicTest> g2_whoCannotRotateDoesNotWait() {
        return each(REFRESH, obstacle -> assertTold(obstacle, rotator(), false));
    }

    @TestFactory
    Stream<DynamicTest> g1_whatCameInARotationsWayMeanwhileDecides() {
        return each(REFRESH, obstacle -> assertTold(obstacle, rotator(), true));
    }

    /** What was read before it, and without a lock, is looked at again. */
    @TestFactory
    Stream<DynamicTest> b4_whatCameInAReplacersWayMeanwhileDecides() {
        return each(
                sanctionHasEnded(
                        ReplaceOutcome.NoneActive.class::isInstance, ReplaceOutcome.NoneActive.class::isInstance),
                obstacle -> assertTold(
                        obstacle,
                        sanctioned((there, seen) -> there.replace(seen.id(), AttemptId.random(), seen.terms())),
                        true));
    }

    /** Who comes second has not lifted it, and did not when its time was over: how it ended stays. */
    @TestFactory
    Stream<DynamicTest> g12_whatCameInALiftersWayMeanwhileDecides() {
        return each(
                sanctionHasEnded(
                        told -> ended(told).equals("lifted by rival"),
                        told -> ended(told).equals("ran out")),
                obstacle -> assertTold(
                        obstacle,
                        sanctioned((there, seen) -> there.lift(seen.terms().account(), seen.id(), HOLDER)),
                        true));
    }

    private static String ended(Object told) {
        return told instanceof ImposeOutcome.Over over
                ? over.sanction().state() instanceof Sanction.Lifted lifted
                        ? "lifted by " + lifted.by().label()
                        : over.sanction().state() instanceof Sanction.RanOut ? "ran out" : "ended otherwise"
                : String.valueOf(told);
    }

    private static List<Obstacle> sanctionHasEnded(Predicate<Object> lifted, Predicate<Object> ranOut) {
        return List.of(
                new Obstacle(
                        "it was lifted", lifted, List.of("state = 'lifted', lifted_by = 'rival', lifted_at = since")),
                new Obstacle("its time is over", ranOut, List.of("ends_at = since + 1000")));
    }

    private static Taker sanctioned(BiFunction<SanctionStore, Sanction, Object> call) {
        Account account = Account.of("account-" + UUID.randomUUID());
        AttemptId id = AttemptId.random();
        Terms terms = new Terms(account, "spam", HOLDER, Optional.of(Duration.ofHours(1)));
        store.sanctions().impose(id, terms);
        Sanction seen = store.sanctions().active(account).orElseThrow();
        return new Taker(
                "holdfast_sanction",
                "id = " + literal(MysqlRows.bytes(id)),
                id,
                there -> call.apply(there.sanctions(), seen));
    }

    private static final List<Obstacle> APP = List.of(
            Obstacle.of(
                    "it is held",
                    Refusal.InProgress.class,
                    "attempt = UUID_TO_BIN(UUID()), building = TRUE, free_at = 9000000000000000"),
            Obstacle.of(
                    "it is live under another slug",
                    Refusal.SlugFixed.class,
                    "live = attempt, slug = CONCAT('x-', app)"),
            Obstacle.of("this attempt has ended", Refusal.AlreadyRun.class, """
                    INSERT INTO holdfast_deployment (id, app, fence, slug, holder, started, state)
                    SELECT {me}, app, fence + 1, slug, holder, since, 'abandoned' FROM holdfast_app WHERE {row}"""),
            Obstacle.of("its request key was used", Refusal.AlreadyRun.class, """
                    INSERT INTO holdfast_deployment (id, app, fence, slug, holder, started, state, request)
                    SELECT UUID_TO_BIN(UUID()), app, fence + 1, slug, holder, since, 'abandoned', 'key'
                      FROM holdfast_app WHERE {row}"""),
            Obstacle.of("its slug is another app's", Refusal.SlugTaken.class, "slug = NULL", """
                    INSERT INTO holdfast_app (app, fence, building, free_at, slug)
                    SELECT CONCAT('rival of ', app), 0, FALSE, 0, CONCAT('of-', app) FROM holdfast_app WHERE {row}"""));

    private static final List<Obstacle> LEASE = List.of(
            Obstacle.of(
                    "it is held",
                    LeaseOutcome.Taken.class,
                    "attempt = UUID_TO_BIN(UUID()), held = TRUE, free_at = 9000000000000000"),
            Obstacle.of("this attempt has let it go", LeaseOutcome.Over.class, "attempt = {me}"));

    private static final List<Obstacle> SAVE = List.of(
            Obstacle.of(
                    "it is held",
                    InProgress.class,
                    "attempt = UUID_TO_BIN(UUID()), held = TRUE, free_at = 9000000000000000"),
            Obstacle.of("this attempt has given it back", ReserveOutcome.Over.class, "attempt = {me}"),
            Obstacle.of("it is in doubt", InDoubt.class, "held = TRUE, refuse = TRUE"),
            Obstacle.of("it is used", Completed.class, "result = 'saved'"),
            Obstacle.of("it has expired", Expired.class, "over_at = 0"),
            Obstacle.of("it is for another payload", OtherPayload.class, "payload = REPEAT('x', 32)"));

    private static final List<Obstacle> REFRESH = List.of(
            Obstacle.of("it is revoked", new RotateOutcome.Refused<>(Why.REVOKED), "revoked_at = 1"),
            Obstacle.of("the family has expired", new RotateOutcome.Refused<>(Why.EXPIRED), "expires_at = 0"),
            Obstacle.of("the token has expired", new RotateOutcome.Refused<>(Why.EXPIRED), "token_valid = 0"),
            Obstacle.of("it was rotated just now", RotateOutcome.Replayed.class, "generation = generation + 1"),
            Obstacle.of(
                    "it was rotated twice just now",
                    new RotateOutcome.Refused<>(Why.OVERTAKEN),
                    "generation = generation + 2"));

    /** The call has found no row to take, and asks why: there is no reason any more, and it tries again. */
    @TestFactory
    Stream<DynamicTest> c12_whatIsGoneWhenItIsAskedForIsInNobodysWay() {
        return Stream.of(
                dynamicTest("an app that is live", () -> {
                    Taker app = claimer();
                    by(app, "live = attempt, free_at = 9000000000000000");
                    assertTriesAgain(app, "AS slug_taken", () -> by(app, "free_at = 0"), Claimed.class);
                }),
                dynamicTest("a lease", () -> {
                    Taker lease = acquirer();
                    by(lease, "free_at = 9000000000000000");
                    assertTriesAgain(lease, "AS known", () -> by(lease, "free_at = 0"), LeaseOutcome.Acquired.class);
                }),
                dynamicTest("a save token", () -> {
                    Taker token = reserver();
                    by(token, "free_at = 9000000000000000");
                    assertTriesAgain(token, "AS known", () -> by(token, "free_at = 0"), Reserved.class);
                }),
                dynamicTest("a family of refresh tokens", () -> {
                    Taker family = rotator();
                    by(family, "generation = 2");
                    assertTriesAgain(
                            family, "AS verdict", () -> by(family, "generation = 1"), RotateOutcome.Rotated.class);
                }));
    }

    /** A spent token had an excuse when it was looked at, and has none when the call asks for it. */
    @TestFactory
    Stream<DynamicTest> r3_whatHasNoExcuseByNowIsReused() {
        return Stream.of(
                        List.of("generation = 2", "born = 0"),
                        List.of("generation = 3", "born_before = 0"),
                        List.of("generation = 3", "generation = 4"))
                .map(changes -> dynamicTest(changes.get(0) + ", then " + changes.get(1), () -> {
                    Taker family = rotator();
                    by(family, changes.get(0));
                    assertTriesAgain(
                            family, "AS verdict", () -> by(family, changes.get(1)), RotateOutcome.Reused.class);
                }));
    }

    /** An operator's word has found no doubt, and asks why: there is one now, and it is said again. */
    @TestFactory
    Stream<DynamicTest> s6_whatIsInDoubtByNowIsSettled() {
        return Stream.of("held = TRUE", "held = FALSE, taken_over = attempt")
                .map(state -> dynamicTest(state, () -> {
                    Taker token = settler();
                    by(token, state + ", free_at = 9000000000000000");
                    assertTriesAgain(token, "AS in_doubt", () -> by(token, "free_at = 0"), SaveResult.class);
                }));
    }

    private static void by(Taker taker, String change) {
        SERVER.run("UPDATE " + taker.table() + " SET " + change + " WHERE " + taker.row());
    }

    /** @param asks is in the statement before which the obstacle goes */
    private static void assertTriesAgain(Taker taker, String asks, Runnable goes, Class<?> told) {
        AtomicBoolean isGone = new AtomicBoolean();
        Wire<String> watched = new Wire<>();
        watched.put(new Mutant<>("goes", sent -> {
            if (sent.contains(asks) && isGone.compareAndSet(false, true)) {
                goes.run();
            }
            return sent;
        }));
        MysqlStores stores = MysqlStores.of(SERVER.over(watched)).within(Budget.of(Duration.ofSeconds(2)));
        assertThat(taker.call().apply(new MysqlPorts(stores))).isInstanceOf(told);
        assertThat(isGone).isTrue();
    }

    /** What has happened to an app that seemed dead. */
    private static final Map<String, String> SIGNS_OF_LIFE = Map.of(
            "it has ended", "building = FALSE",
            "it was heard, one limit and a half ago", "beat = {now} - 3 * silence_limit DIV 2",
            "it was taken by one who may be silent longer", "silence_limit = silence_limit + 1",
            "its fence is the last", "fence = 9223372036854775807");

    /** Both looks are in one statement, which is stopped between them. */
    @TestFactory
    Stream<DynamicTest> c9_whoShowsBetweenTheLooksThatItLivesIsLeftAlone() {
        return SIGNS_OF_LIFE.entrySet().stream()
                .map(sign -> dynamicTest(sign.getKey(), () -> assertLeftAlone(sign.getValue())));
    }

    private static void assertLeftAlone(String sign) throws SQLException {
        store.wipe();
        Taker app = claimer();
        assertThat(app.call().apply(hasty)).isInstanceOf(Claimed.class);
        store.letPass(Duration.ofHours(1));
        String gate = "gate-" + UUID.randomUUID();
        Wire<String> gated = new Wire<>();
        // By its argument it cannot be asked before there is a row.
        String stop = "AND GET_LOCK(IF(a.fence = 0, '', '%s'), 20) LIMIT ?) AS seen".formatted(gate);
        gated.put(new Mutant<>("stops between the looks", sent -> sent.replace("LIMIT ?) AS seen", stop)));
        ClaimStore claims = MysqlStores.of(SERVER.over(gated)).claims();
        try (Connection keeper = SERVER.connect();
                Statement statement = keeper.createStatement()) {
            statement.execute("SELECT GET_LOCK('" + gate + "', 0)");
            CompletableFuture<List<Claim>> ended =
                    CompletableFuture.supplyAsync(() -> claims.endSilent(1_000, LIMIT.value()));
            boolean hasStopped = false;
            while (!ended.isDone() && !hasStopped) {
                hasStopped = SERVER.text("""
                        SELECT COUNT(*) FROM performance_schema.metadata_locks
                         WHERE object_type = 'USER LEVEL LOCK' AND object_name = '%s'
                           AND lock_status = 'PENDING'""".formatted(gate)).equals("1");
            }
            assertThat(hasStopped).isTrue();
            statement.execute(
                    MysqlStatements.statement("holdfast_", "UPDATE holdfast_app SET " + sign + " WHERE " + app.row()));
            statement.execute("SELECT RELEASE_LOCK('" + gate + "')");
            assertThat(ended.join()).isEmpty();
        }
    }

    private static Taker claimer() {
        AppId app = AppId.of("app-" + UUID.randomUUID());
        Slug slug = Slug.of("of-" + app.value());
        Claimed first = (Claimed) store.claims().claim(claim(app, slug, Optional.empty()));
        store.claims().finish(first.claim(), new io.holdfast.publish.Ending.Failed("no"));
        ClaimRequest wish = claim(app, slug, Optional.of(RequestKey.of("key")));
        return new Taker(
                "holdfast_app",
                "app = '" + app.value() + "'",
                wish.attempt(),
                there -> there.claims().claim(wish));
    }

    private static ClaimRequest claim(AppId app, Slug slug, Optional<RequestKey> key) {
        return new ClaimRequest(AttemptId.random(), app, slug, HOLDER, LIMIT, key);
    }

    private static Taker acquirer() {
        LeaseName name = LeaseName.of("lease-" + UUID.randomUUID());
        LeaseOutcome.Acquired first =
                (LeaseOutcome.Acquired) store.leases().acquire(name, AttemptId.random(), HOLDER, LIMIT);
        store.leases().release(first.lease(), Duration.ZERO);
        AttemptId attempt = AttemptId.random();
        return new Taker(
                "holdfast_lease",
                "name = '" + name.value() + "'",
                attempt,
                there -> there.leases().acquire(name, attempt, HOLDER, LIMIT));
    }

    private static Taker reserver() {
        TokenDigest token = SaveToken.random().digest();
        store.saveTokens().issue(token, Duration.ofHours(1), IfInDoubt.RUN_AGAIN);
        Reserved first = (Reserved) store.saveTokens().reserve(reserve(token));
        store.saveTokens().end(first.reservation(), new Ending.NotSaved());
        ReserveRequest wish = reserve(token);
        return new Taker(
                "holdfast_save",
                "token = " + literal(token.bytes()),
                wish.attempt(),
                there -> there.saveTokens().reserve(wish));
    }

    private static ReserveRequest reserve(TokenDigest token) {
        return new ReserveRequest(token, AttemptId.random(), PAYLOAD, HOLDER, LIMIT);
    }

    private static Taker settler() {
        TokenDigest token = SaveToken.random().digest();
        store.saveTokens().issue(token, Duration.ofHours(1), IfInDoubt.RUN_AGAIN);
        Reservation held = ((Reserved) store.saveTokens().reserve(reserve(token))).reservation();
        return new Taker(
                "holdfast_save",
                "token = " + literal(token.bytes()),
                held.attempt(),
                there -> there.saveTokens().settle(token, held.fence(), SAVED));
    }

    private static Taker rotator() {
        FamilyId family = new FamilyId(UUID.randomUUID());
        Duration hour = Duration.ofHours(1);
        store.refreshTokens().open(family, new FamilyTerms(hour, hour, hour));
        Generation first = new Generation(family, 1);
        return new Taker(
                "holdfast_refresh",
                "family = " + literal(MysqlRows.bytes(family.value())),
                AttemptId.random(),
                there -> there.refreshTokens().rotate(first));
    }

    private static String literal(byte[] bytes) {
        return "x'" + HexFormat.of().formatHex(bytes) + "'";
    }

    private interface Check {
        void of(Obstacle obstacle) throws SQLException;
    }

    private static Stream<DynamicTest> each(List<Obstacle> obstacles, Check check) {
        return obstacles.stream().map(obstacle -> dynamicTest(obstacle.name(), () -> check.of(obstacle)));
    }

    /** @param isLate whether the obstacle comes while the taker waits; else it is there, and a stranger has the row locked */
    private static void assertTold(Obstacle obstacle, Taker taker, boolean isLate) throws SQLException {
        try (Connection stranger = SERVER.connect();
                Statement statement = stranger.createStatement()) {
            if (!isLate) {
                obstacle.putBefore(taker, statement);
            }
            stranger.setAutoCommit(false);
            statement.execute("SELECT 1 FROM " + taker.table() + " WHERE " + taker.row() + " FOR UPDATE");
            if (isLate) {
                obstacle.putBefore(taker, statement);
            }
            CompletableFuture<Object> call =
                    CompletableFuture.supplyAsync(() -> taker.call().apply(hasty));
            boolean hasWaited = false;
            while (!call.isDone() && !hasWaited) {
                hasWaited = !SERVER.text("""
                        SELECT COUNT(*) FROM performance_schema.data_locks
                         WHERE object_schema = DATABASE() AND lock_status = 'WAITING'""").equals("0");
            }
            stranger.commit();
            assertThat(call.join()).matches(obstacle.told());
            assertThat(hasWaited).as("has waited").isEqualTo(isLate);
        }
    }
}
