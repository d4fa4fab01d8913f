package io.holdfast.contract;

import static io.holdfast.contract.Trial.A_MINUTE;
import static io.holdfast.contract.Trial.FAILED;
import static io.holdfast.contract.Trial.LIMIT;
import static io.holdfast.contract.Trial.live;
import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.Budget;
import io.holdfast.Finding;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.UnfitDatabase;
import io.holdfast.contract.Evidence.Method;
import io.holdfast.contract.FaultProxy.Mode;
import io.holdfast.lease.Lease;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Refusal.InProgress;
import io.holdfast.save.Reservation;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/**
 * What every adapter must do with its engine: rules E1 to E9 of {@code docs/contract.md}, but for E6 ({@link
 * QuietLogContract}). An adapter's test class implements this and answers {@link #engine()}.
 */
public interface EngineContract {
    /** The engine under test; the same one for all tests of the class. */
    Engine engine();

    int OWNERS = 8;

    /** Of a call that has to fail. */
    Budget SHORT = Budget.of(Duration.ofMillis(1_500));

    /** Far more than any budget here, and far less than for ever. */
    Duration BOUND = Duration.ofSeconds(20);

    // E1: own transaction.

    /** K18: a claim joined the caller's transaction, and was rolled back with it; or it committed what was half done. */
    @Test
    default void e1_aTakeNeverJoinsTheCallersTransaction() {
        Trial app = Trial.on(engine().subject());
        AtomicReference<Claim> taken = new AtomicReference<>();
        engine().inCallersTransaction(there -> {
            Trial inside = through(app, there.claims());
            taken.set(inside.takenBy("a"));
            inside.toldInProgress("b");
            inside.toldHeld(taken.get());
            Trial.assertIs(taken.get(), app.toldInProgress("c"));
        });
        Trial.assertIs(taken.get(), app.toldInProgress("c"));
        engine().inCallersTransaction(there -> through(app, there.claims()).end(taken.get(), FAILED));
        assertThat(app.state(taken.get())).isEqualTo(FAILED);
    }

    // E2: settings do not matter.

    /** K12, K20: a pool's isolation made a stack trace of each contention, a session's zone made two holders of one. */
    @TestFactory
    default Stream<DynamicTest> e2_settingsDoNotMatter() {
        Map<String, Ports> settings = engine().settings();
        assertThat(settings).isNotEmpty();
        return settings.entrySet().stream()
                .map(setting -> dynamicTest(
                        setting.getKey(),
                        () -> assertAllIsWell(new Reached(
                                engine().subject(), setting.getValue().claims()))));
    }

    /** Renewed, taken over and told by a clock that no zone touches: nothing that has a zone is sent or read. */
    @TestFactory
    default Stream<DynamicTest> e2_theZoneOfThisMachineDoesNotMatter() {
        return Stream.of(
                        TimeZone.getTimeZone("Pacific/Kiritimati"),
                        TimeZone.getTimeZone("Pacific/Pago_Pago"),
                        zoneWhereThisHourDoesNotExist())
                .map(zone -> dynamicTest(zone.getRawOffset() / 3_600_000 + " h, " + zone.getID(), () -> {
                    TimeZone own = TimeZone.getDefault();
                    TimeZone.setDefault(zone);
                    try {
                        assertAllIsWell(engine().subject());
                        for (Ports there : engine().settings().values()) {
                            assertTimeIsTold(new Reached(engine().subject(), there.claims()));
                        }
                    } finally {
                        TimeZone.setDefault(own);
                    }
                }));
    }

    /** Its clocks were put forward by an hour half an hour ago. */
    private static TimeZone zoneWhereThisHourDoesNotExist() {
        OffsetDateTime begun = OffsetDateTime.now(ZoneOffset.UTC).minusMinutes(30);
        OffsetDateTime over = begun.plusMonths(6);
        return new SimpleTimeZone(
                0,
                "Etc/GMT",
                begun.getMonthValue() - 1,
                begun.getDayOfMonth(),
                0,
                begun.toLocalTime().toSecondOfDay() * 1_000,
                SimpleTimeZone.UTC_TIME,
                over.getMonthValue() - 1,
                Math.min(28, over.getDayOfMonth()),
                0,
                0,
                SimpleTimeZone.UTC_TIME,
                3_600_000);
    }

    private static void assertAllIsWell(PublishSubject store) {
        Trial app = assertTimeIsTold(store);
        Claim a = app.takenBy(app.wish("a").keyed("key"));
        store.letPass(LIMIT.minus(A_MINUTE));
        Trial.assertIs(a, app.toldInProgress("b"));
        store.letPass(A_MINUTE);

        List<ClaimOutcome> outcomes = Contenders.race(OWNERS, owner -> app.ask("owner-" + owner));
        List<Claimed> winners = Trial.of(Claimed.class, outcomes);
        assertThat(winners).as("winners among %s", outcomes).hasSize(1);
        assertThat(winners.get(0).takenOverFrom()).contains(a.attempt());
        Claim b = winners.get(0).claim();
        assertThat(Trial.of(InProgress.class, outcomes))
                .hasSize(OWNERS - 1)
                .allSatisfy(loser -> Trial.assertIs(b, loser.running()));

        app.toldLostTo(b, a);
        app.end(b, live("b"));
        app.end(b, live("b"));
        app.toldOver(b);
        assertThat(app.toldAlreadyRun(app.wish("c").keyed("key")).id()).isEqualTo(a.attempt());
        assertThat(app.liveId()).contains(b.attempt());
    }

    private static Trial assertTimeIsTold(PublishSubject store) {
        Trial app = Trial.on(store);
        Claimed first = app.toldClaimed(app.wish("first"));
        assertThat(first.remaining()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
        assertThat(app.toldHeld(first.claim())).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
        Incumbent told = app.toldInProgress("second");
        Trial.assertIs(first.claim(), told);
        assertThat(told.silentFor()).isLessThan(A_MINUTE);
        assertThat(told.takeableIn()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
        assertThat(told.since()).isEqualTo(app.find(told.attempt()).startedAt());
        app.end(first.claim(), FAILED);
        return app;
    }

    // E3: no wait without a bound.

    @Test
    default void e3_aStrangersLockIsWaitedForNoLongerThanTheBudget() {
        Trial app = through(Trial.on(engine().subject()), engine().within(SHORT).claims());
        Claim a = app.takenBy("a");
        app.store().letPass(LIMIT);
        String before = app.dump();
        try (Engine.Lock lock = engine().lock(row(app))) {
            assertThat(lock).isNotNull();
            assertLockedOut(() -> app.ask("b"));
            assertLockedOut(() -> app.finish(a, live("a")));
            assertThat(app.store().claims().renew(List.of(a))).as("no word").isEmpty();
        }
        assertThat(app.dump()).isEqualTo(before);
        assertThat(app.toldClaimed(app.wish("c")).takenOverFrom()).contains(a.attempt());
    }

    private void assertLockedOut(Supplier<?> call) {
        assertThat(unavailable(call).effect()).isIn(Effect.NOT_APPLIED, engine().lockedOut());
    }

    /** Whether the server has heard it is not known. */
    @Test
    default void e3_aSilentServerEndsAsUnknown() {
        Trial app = Trial.on(engine().subject());
        Wish wish = app.wish("a");
        inBlackHole(claims -> claims.claim(wish.request()));
        Claim a = app.toldClaimed(wish).claim();

        inBlackHole(claims -> claims.renew(List.of(a)));
        app.toldHeld(a);

        inBlackHole(claims -> claims.finish(a, FAILED));
        app.end(a, FAILED);

        inBlackHole(claims -> claims.endSilent(1, LIMIT));
    }

    private void inBlackHole(Function<ClaimStore, ?> call) {
        try (FaultProxy proxy = new FaultProxy(engine().host(), engine().port())) {
            ClaimStore claims = connected(proxy, SHORT);
            proxy.set(Mode.BLACKHOLE);
            assertThat(unavailable(() -> call.apply(claims)).effect()).isEqualTo(Effect.UNKNOWN);
        }
    }

    /** K15: the take was stored and its answer was lost, so that its owner believed to have lost to somebody. */
    @Test
    default void e3_aTakeWhoseReplyIsLostIsNeverATakeOfSomebodyElse() {
        int applied = 0;
        boolean lost = true;
        for (int nth = 1; lost; nth++) {
            Trial app = Trial.on(engine().subject());
            app.ended("before", FAILED);
            Wish wish = app.wish("a").keyed("key");
            Lossy call = lossy(nth, claims -> claims.claim(wish.request()));
            lost = call.lost;

            Deployment current = app.store().deployments().current(app.app()).orElseThrow();
            boolean isTaken = current.id().equals(wish.attempt());
            assertThat(call.effect == Effect.NOT_APPLIED && isTaken)
                    .as("NOT_APPLIED was said, and it was applied, with reply %s lost", nth)
                    .isFalse();
            Claim claim = app.toldClaimed(wish).claim();
            if (isTaken) {
                assertThat(claim.fence()).isEqualTo(current.fence());
                applied += lost ? 1 : 0;
            }
            assertThat(app.store().deployments().recent(app.app(), 10)).hasSize(2);
        }
        assertThat(applied).as("replies lost to takes that were applied").isPositive();
    }

    @Test
    default void e3_aFinishWhoseReplyIsLostStands() {
        int applied = 0;
        boolean lost = true;
        for (int nth = 1; lost; nth++) {
            Trial app = Trial.on(engine().subject());
            Claim a = app.takenBy("a");
            Lossy call = lossy(nth, claims -> claims.finish(a, live("a")));
            lost = call.lost;

            boolean isEnded = !(app.state(a) instanceof Deployment.Building);
            assertThat(call.effect == Effect.NOT_APPLIED && isEnded)
                    .as("NOT_APPLIED was said, and it was applied, with reply %s lost", nth)
                    .isFalse();
            applied += lost && isEnded ? 1 : 0;
            app.end(a, live("a"));
            assertThat(app.liveId()).contains(a.attempt());
        }
        assertThat(applied).as("replies lost to endings that were applied").isPositive();
    }

    /**
     * @param lost whether a reply was lost at all: the call may have had fewer
     * @param effect what the call said of itself; null if it was answered all the same
     */
    record Lossy(boolean lost, Effect effect) {}

    private Lossy lossy(int nth, Function<ClaimStore, ?> call) {
        try (FaultProxy proxy = new FaultProxy(engine().host(), engine().port())) {
            ClaimStore claims = connected(proxy, Budget.DEFAULT);
            proxy.dropReply(nth);
            try {
                assertTimeoutPreemptively(BOUND, () -> call.apply(claims));
                return new Lossy(proxy.dropped(), null);
            } catch (StoreUnavailable e) {
                return new Lossy(proxy.dropped(), e.effect());
            }
        }
    }

    @Test
    default void e3_aServerThatIsNotThereEndsAsNotApplied() {
        Trial app = Trial.on(engine().subject());
        Claim a = app.takenBy("a");
        try (FaultProxy proxy = new FaultProxy(engine().host(), engine().port())) {
            proxy.set(Mode.REFUSE);
            assertAllNotApplied(app, a, engine().through(proxy.port(), SHORT).claims());
        }
    }

    @TestFactory
    default Stream<DynamicTest> e3_whatCannotBeWrittenIsNeverSomebodyElses() {
        Map<String, Ports> unable = engine().unable();
        assertThat(unable).isNotEmpty();
        return unable.entrySet().stream()
                .map(reason -> dynamicTest(reason.getKey(), () -> {
                    Trial app = Trial.on(engine().subject());
                    assertAllNotApplied(app, app.takenBy("a"), reason.getValue().claims());
                }));
    }

    private static void assertAllNotApplied(Trial app, Claim a, ClaimStore claims) {
        String before = app.dump();
        Trial there = through(app, claims);
        assertNotApplied(() -> there.ask("b"));
        assertNotApplied(() -> through(Trial.on(there.store()), claims).ask("c"));
        assertNotApplied(() -> there.finish(a, FAILED));
        assertNotApplied(() -> there.renew(a));
        assertThat(app.dump()).isEqualTo(before);
    }

    // E4: keys are independent.

    @Test
    default void e4_aStrangersLockOnOneKeyTouchesNoOther() {
        Trial locked = Trial.on(engine().subject());
        Claim a = locked.takenBy("a");
        List<Trial> others = Stream.generate(() -> Trial.on(engine().subject()))
                .limit(OWNERS)
                .toList();
        List<Claim> batch = new ArrayList<>();
        others.forEach(other -> batch.add(other.takenBy("b")));
        batch.add(OWNERS / 2, a);
        try (Engine.Lock lock = engine().lock(row(locked))) {
            assertThat(lock).isNotNull();
            Map<Claim, Renewal> words = engine().within(SHORT).claims().renew(batch);
            assertThat(words).hasSize(OWNERS).doesNotContainKey(a);
            assertThat(words.values()).hasOnlyElementsOfType(Renewal.Held.class);
            List<Claim> again = Contenders.race(OWNERS, n -> {
                Trial other = others.get(n);
                other.end(only(Claim.class, batch.get(n < OWNERS / 2 ? n : n + 1)), FAILED);
                return other.takenBy("c");
            });
            assertThat(again).hasSize(OWNERS);
        }
    }

    /** Whoever asks in the same order each time, and waits for each that is locked, never comes to those behind them. */
    @Test
    default void e4_manyLockedKeysKeepNoOtherWaitingBeatAfterBeat() {
        List<Claim> batch = new ArrayList<>();
        List<Engine.Lock> locks = new ArrayList<>();
        Set<Claim> renewed = new HashSet<>();
        try {
            for (int i = 0; i < 40; i++) {
                Trial app = Trial.on(engine().subject());
                batch.add(app.takenBy("a"));
                if (i < 15) {
                    locks.add(engine().lock(row(app)));
                }
            }
            ClaimStore claims = engine().within(SHORT).claims();
            for (int beat = 0; beat < 20 && renewed.size() < 25; beat++) {
                Map<Claim, Renewal> words = claims.renew(batch);
                assertThat(words.values()).hasOnlyElementsOfType(Renewal.Held.class);
                renewed.addAll(words.keySet());
            }
        } finally {
            locks.forEach(Engine.Lock::close);
        }
        assertThat(renewed).containsExactlyInAnyOrderElementsOf(batch.subList(15, 40));
    }

    /** A row that is locked may be the one of a holder that beats just now. */
    @Test
    default void e4_aLockedKeyKeepsNoneOfTheDeadFromItsEnd() {
        Trial locked = Trial.on(engine().subject());
        Trial other = Trial.on(engine().subject());
        Claim a = locked.takenBy("a");
        Claim b = other.takenBy("b");
        engine().subject().letPass(LIMIT.multipliedBy(2));
        try (Engine.Lock lock = engine().lock(row(locked))) {
            assertThat(lock).isNotNull();
            assertThat(engine().within(SHORT).claims().endSilent(1_000, LIMIT))
                    .contains(b)
                    .doesNotContain(a);
            Trial.assertBuilding(a, locked.state(a));
        }
        engine().subject().claims().endSilent(1_000, LIMIT);
        Trial.assertAbandonedByNobody(locked.state(a));
    }

    @Test
    default void e4_aLockedLeaseOrTokenKeepsNoOtherFromItsRenewal() {
        LeaseTrial lockedLease = LeaseTrial.on(engine().subject());
        Lease a = lockedLease.takenBy("a");
        Lease b = LeaseTrial.on(engine().subject()).takenBy("b");
        SaveTrial lockedToken = SaveTrial.on(engine().subject());
        Reservation c = lockedToken.takenBy("c");
        Reservation d = SaveTrial.on(engine().subject()).takenBy("d");
        try (Engine.Lock lease = engine().lock(row(lockedLease));
                Engine.Lock token = engine().lock(row(lockedToken))) {
            assertThat(List.of(lease, token)).hasSize(2);
            assertThat(engine().within(SHORT).leases().renew(List.of(a, b))).containsOnlyKeys(b);
            assertThat(engine().within(SHORT).saveTokens().renew(List.of(c, d))).containsOnlyKeys(d);
        }
    }

    /** K19: under many inserts of different keys some were victims of a deadlock, and so nobody ran. */
    @Test
    default void e4_workOnManyKeysAtOnceFailsNone() {
        List<Integer> done = Contenders.race(OWNERS, owner -> {
            for (int i = 0; i < Contenders.rounds(20); i++) {
                Trial app = Trial.on(engine().subject());
                Claim claim = app.takenBy(app.wish("owner-" + owner).keyed("key"));
                app.toldHeld(claim);
                app.end(claim, live("a"));
                app.takenBy("owner-" + owner);
            }
            return owner;
        });
        assertThat(done).hasSize(OWNERS);
    }

    // E5: interrupts.

    @Test
    default void e5_anInterruptThatCameBeforeKeepsItsFlag() {
        Trial app = Trial.on(engine().subject());
        Wish wish = app.wish("a");
        Optional<Claim> taken = Optional.empty();
        Thread.currentThread().interrupt();
        try {
            taken = Optional.of(app.toldClaimed(wish).claim());
        } catch (StoreUnavailable e) {
            assertThat(e.effect()).isNotNull();
        } finally {
            assertThat(Thread.interrupted()).as("the flag").isTrue();
        }
        Claim now = app.toldClaimed(wish).claim();
        taken.ifPresent(claim -> assertThat(now).isEqualTo(claim));
    }

    @Test
    default void e5_anInterruptWhileItWaitsKeepsItsFlagAndEndsInTime() throws InterruptedException {
        Trial app = through(Trial.on(engine().subject()), engine().within(SHORT).claims());
        app.ended("a", FAILED);
        Wish wish = app.wish("b");
        AtomicReference<Object> said = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                said.set(app.ask(wish));
            } catch (StoreUnavailable e) {
                said.set(Thread.currentThread().isInterrupted() ? e : "the flag was lost");
            } catch (RuntimeException e) {
                said.set(e);
            }
        });
        try (Engine.Lock lock = engine().lock(row(app))) {
            assertThat(lock).isNotNull();
            caller.start();
            long begun = System.nanoTime();
            while (caller.isAlive() && System.nanoTime() - begun < BOUND.toNanos()) {
                caller.interrupt();
                caller.join(10);
            }
            assertThat(said.get()).isInstanceOf(StoreUnavailable.class);
        }
        app.toldClaimed(wish);
    }

    // E7: round trips.

    @Test
    default void e7_noOperationTakesMoreRoundTripsThanItSays() {
        try (FaultProxy proxy = new FaultProxy(engine().host(), engine().port())) {
            PublishSubject far = new Reached(engine().subject(), connected(proxy, Budget.DEFAULT));
            Engine.Trips most = engine().trips();
            // More often than it takes a driver or a server to find out that a statement comes again and again.
            for (int i = 0; i < 12; i++) {
                Trial app = Trial.on(far);
                Claim a = within(most.take() + most.newKeyMore(), "take a new key", proxy, () -> app.takenBy("a"));
                within(most.loser(), "lose", proxy, () -> app.toldInProgress("b"));
                within(most.finish(), "finish", proxy, () -> app.finish(a, FAILED));
                within(most.finishAgain(), "finish again", proxy, () -> app.finish(a, FAILED));
                Claim c = within(most.take(), "take", proxy, () -> app.takenBy("c"));
                far.letPass(LIMIT);
                Claim d = within(most.take(), "take over", proxy, () -> app.takenBy("d"));
                within(most.finishAgain(), "finish what was lost", proxy, () -> app.finish(c, FAILED));
                List<Claim> many = new ArrayList<>(List.of(a, c, d));
                Stream.generate(() -> Trial.on(far).takenBy("e")).limit(50).forEach(many::add);
                within(most.renewMany(), "renew many", proxy, () -> far.claims().renew(many));
            }
        }
    }

    private static <R> R within(int most, String operation, FaultProxy proxy, Supplier<R> call) {
        int before = proxy.roundTrips();
        R answer = call.get();
        assertThat(proxy.roundTrips() - before)
                .as("round trips to %s", operation)
                .isBetween(1, most);
        return answer;
    }

    // E8: check.

    @Test
    default void e8_whatMigrateMadeIsFit() {
        engine().migrateAndCheck();
    }

    @TestFactory
    default Stream<DynamicTest> e8_eachDefectIsNamedWithItsRemedy() {
        List<Engine.Defect> defects = engine().defects();
        assertThat(defects).isNotEmpty();
        return defects.stream()
                .map(defect -> dynamicTest(
                        defect.name(),
                        () -> assertThatThrownBy(() -> defect.check().run())
                                .isInstanceOfSatisfying(UnfitDatabase.class, unfit -> {
                                    assertThat(unfit)
                                            .hasMessageContainingAll(
                                                    defect.said().toArray(CharSequence[]::new));
                                    assertThat(unfit.findings())
                                            .extracting(Finding::remedy)
                                            .noneMatch(String::isBlank);
                                })));
    }

    // E9: heartbeats of their own.

    /** K10: heartbeats waited behind busy workers for a connection, and running jobs were taken over by peers. */
    @Test
    default void e9_aPoolThatIsExhaustedForLongerThanTheLimitLosesNoHold() {
        Tries tries = new Tries();
        Trial app = Trial.on(engine().subject());
        Claim a = app.takenBy("a");
        engine().whilePoolIsExhausted(there -> {
            Trial busy = through(app, there.claims());
            for (int i = 0; i < 3; i++) {
                app.store().letPass(LIMIT.minus(A_MINUTE));
                tries.attempt("a beat", () -> busy.toldHeld(a));
            }
            tries.attempt("a take", () -> assertNotApplied(() -> busy.ask("b")));
        });
        tries.attempt("what was held", () -> Trial.assertIs(a, app.toldInProgress("c")));
        tries.tell(
                Method.FAULTS,
                engine().name(),
                "E9 G9",
                "the work pool exhausted for longer than the limit: beats, and a take",
                "");
    }

    // How it is asked.

    private static Row row(Trial app) {
        return new Row(Row.Table.APP, app.app().value());
    }

    private static Row row(LeaseTrial lease) {
        return new Row(Row.Table.LEASE, lease.name().value());
    }

    private static Row row(SaveTrial token) {
        return new Row(Row.Table.SAVE, token.token().toString());
    }

    private static Trial through(Trial app, ClaimStore claims) {
        return new Trial(new Reached(app.store(), claims), app.app(), app.slug());
    }

    /** A store whose connection is open, and has been used. */
    private ClaimStore connected(FaultProxy proxy, Budget budget) {
        ClaimStore claims = engine().through(proxy.port(), budget).claims();
        Trial warmUp = Trial.on(new Reached(engine().subject(), claims));
        Claim claim = warmUp.takenBy("warm-up");
        warmUp.toldHeld(claim);
        warmUp.end(claim, FAILED);
        return claims;
    }

    private static void assertNotApplied(Supplier<?> call) {
        assertThat(unavailable(call).effect()).isEqualTo(Effect.NOT_APPLIED);
    }

    private static StoreUnavailable unavailable(Supplier<?> call) {
        AtomicReference<StoreUnavailable> thrown = new AtomicReference<>();
        Executable fails =
                () -> assertThatThrownBy(call::get).isInstanceOfSatisfying(StoreUnavailable.class, thrown::set);
        assertTimeoutPreemptively(BOUND, fails);
        return thrown.get();
    }
}
