package io.holdfast.contract;

import static io.holdfast.Succession.AT_ONCE;
import static io.holdfast.Succession.WHEN_SILENT;
import static io.holdfast.contract.Contenders.OWNERS;
import static io.holdfast.contract.Contenders.ROUNDS;
import static io.holdfast.contract.Contenders.race;
import static io.holdfast.contract.Contenders.rounds;
import static io.holdfast.contract.Trial.A_MINUTE;
import static io.holdfast.contract.Trial.FAILED;
import static io.holdfast.contract.Trial.LIMIT;
import static io.holdfast.contract.Trial.live;
import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Eviction;
import io.holdfast.Eviction.Evicted;
import io.holdfast.Eviction.Moved;
import io.holdfast.Fence;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.Succession;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimStore.FinishOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** An operator takes an app from its holder: rule G15, and what the other rules say of the evicted. */
interface EvictionContract {
    /** The store under test; the same one for the whole of a test. */
    PublishSubject subject();

    /** K29: there was no way to end a hold but to edit rows by hand. */
    @Test
    default void g15_whoIsEvictedHasLostAtOnce() {
        for (Succession succession : Succession.values()) {
            Trial app = Trial.on(subject());
            Claim a = app.takenBy("a");
            assertThat(app.toldEvicted(a, succession).now()).isGreaterThan(a.fence());
            app.toldLostToNobody(a);
            Trial.assertAbandonedByNobody(app.state(a));
            assertThat(subject().deployments().current(app.app())).contains(app.find(a.attempt()));
        }
    }

    @Test
    default void g15_othersTakeAtOnceIfSoAsked() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        Evicted evicted = app.toldEvicted(a, AT_ONCE);
        assertThat(evicted.takeableIn()).isZero();
        assertAnybodyTakes(app, a, evicted);
    }

    @Test
    default void g15_elseWhenTheTimeIsOverThatTheEvictedCountsOn() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(A_MINUTE);
        Duration left = app.toldEvicted(a, WHEN_SILENT).takeableIn();
        assertThat(left).isBetween(LIMIT.minus(A_MINUTE.multipliedBy(2)), LIMIT.minus(A_MINUTE));
        subject().letPass(left.minus(A_MINUTE));
        app.toldInProgress("b");
        subject().letPass(A_MINUTE);
        app.takenBy("b");
    }

    @Test
    default void g15_whoIsSilentAlreadyCountsOnNothing() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(LIMIT);
        Evicted evicted = app.toldEvicted(a, WHEN_SILENT);
        assertThat(evicted.takeableIn()).isZero();
        assertAnybodyTakes(app, a, evicted);
    }

    /** Nobody was taken over, then or later: the evicted one was abandoned before. */
    private static void assertAnybodyTakes(Trial app, Claim evicted, Evicted told) {
        Claimed b = app.toldClaimed(app.wish("b"));
        assertThat(b.claim().fence()).isGreaterThan(told.now());
        assertThat(b.takenOverFrom()).isEmpty();
        only(FinishOutcome.Lost.class, app.finish(evicted, live("late")));
        Trial.assertAbandonedByNobody(app.state(evicted));
        app.end(b.claim(), FAILED);
        Trial.assertAbandonedByNobody(app.state(evicted));
    }

    /** Apps have fences of their own, which may be the same. */
    @Test
    default void g15_aFenceIsThatOfOneAppAlone() {
        List<Trial> apps = List.of(Trial.on(subject()), Trial.on(subject()), Trial.on(subject()));
        Fence same = new Fence(7);
        for (Trial app : apps) {
            app.takenBy("a");
            subject().setFence(app.app(), same);
        }
        Trial evicted = apps.get(1);
        only(Evicted.class, subject().claims().evict(evicted.app(), same, AT_ONCE));
        apps.get(0).toldInProgress("b");
        evicted.takenBy("b");
        apps.get(2).toldInProgress("b");
    }

    @Test
    default void g4_anEvictionMovesNoFenceBack() {
        Trial app = Trial.on(subject());
        Fence ahead = new Fence(app.takenBy("a").fence().value() + LIMIT.toNanos());
        subject().setFence(app.app(), ahead);
        assertThat(only(Evicted.class, subject().claims().evict(app.app(), ahead, AT_ONCE))
                        .now())
                .isGreaterThan(ahead);
    }

    @Test
    default void g15_anotherFenceChangesNothing() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        Claim other = Trial.on(subject()).takenBy("b");
        long held = a.fence().value();
        LongStream.of(1, held - 1, held + 1, other.fence().value(), Long.MAX_VALUE)
                .filter(fence -> fence > 0 && fence != held)
                .forEach(fence -> assertMoved(app, a, new Fence(fence)));

        subject().letPass(LIMIT);
        Claim b = app.takenBy("b");
        assertMoved(app, b, a.fence());
        Trial.assertBuilding(b, app.state(b));
    }

    private static void assertMoved(Trial app, Claim holder, Fence seen) {
        for (Succession succession : Succession.values()) {
            String before = app.dump();
            Eviction told = app.store().claims().evict(app.app(), seen, succession);
            assertThat(only(Moved.class, told).now())
                    .hasValueSatisfying(incumbent -> Trial.assertIs(holder, incumbent));
            assertThat(app.dump()).isEqualTo(before);
        }
    }

    @Test
    default void g15_whereNobodyHoldsNothingIsChanged() {
        Trial unknown = Trial.on(subject());
        assertNobodyHolds(unknown, new Fence(1));
        assertThat(subject().deployments().current(unknown.app())).isEmpty();

        Trial app = Trial.on(subject());
        Claim a = app.ended("a", FAILED);
        assertNobodyHolds(app, a.fence());
        Claim b = app.takenBy("b");
        Fence now = app.toldEvicted(b, AT_ONCE).now();
        for (Fence seen : List.of(b.fence(), now)) {
            assertNobodyHolds(app, seen);
        }
        Fence over = app.toldEvicted(app.takenBy("c"), WHEN_SILENT).now();
        subject().letPass(LIMIT);
        assertNobodyHolds(app, over);
        app.takenBy("d");
    }

    private static void assertNobodyHolds(Trial app, Fence seen) {
        for (Succession succession : Succession.values()) {
            String before = app.dump();
            assertThat(app.store().claims().evict(app.app(), seen, succession)).isEqualTo(new Moved(Optional.empty()));
            assertThat(app.dump()).isEqualTo(before);
        }
    }

    /** Who hears that nobody may take yet, and knows better, need not wait. */
    @Test
    default void g15_whatKeepsOthersFromTakingMayBeEvictedToo() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        app.toldEvicted(a, WHEN_SILENT);
        Fence seen = app.toldInProgress("b").fence();
        Evicted again = only(Evicted.class, subject().claims().evict(app.app(), seen, AT_ONCE));
        assertThat(again.now()).isGreaterThan(seen);
        assertThat(again.takeableIn()).isZero();
        assertAnybodyTakes(app, a, again);
    }

    @Test
    default void g15_ofManyWhoEvictOneDoes() {
        Trial app = Trial.on(subject());
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Claim a = app.takenBy("a");
            List<Eviction> told = race(OWNERS, n -> subject().claims().evict(app.app(), a.fence(), AT_ONCE));
            assertThat(Trial.of(Evicted.class, told)).hasSize(1);
            assertThat(Trial.of(Moved.class, told)).hasSize(OWNERS - 1).containsOnly(new Moved(Optional.empty()));
        }
    }

    /** A beat that is on its way brings nothing back. */
    @Test
    default void g15_noRenewalBringsTheEvictedBack() {
        Trial app = Trial.on(subject());
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Claim a = app.takenBy("a");
            List<Callable<Object>> tasks = List.of(
                    () -> app.toldEvicted(a, AT_ONCE),
                    () -> Optional.ofNullable(app.renew(a)),
                    () -> Optional.ofNullable(app.renew(a)));
            race(tasks);
            app.toldOver(a);
            app.end(app.takenBy("b"), FAILED);
        }
    }

    // What the other rules say.

    @Test
    default void g4_theLastFenceIsNotMovedOn() {
        Trial app = Trial.on(subject());
        Fence last = new Fence(Long.MAX_VALUE);
        Claim a = app.takenBy("a");
        subject().setFence(app.app(), last);
        String before = app.dump();
        assertThatThrownBy(() -> subject().claims().evict(app.app(), last, AT_ONCE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("exhausted");
        assertThat(app.dump()).isEqualTo(before);
        app.end(new Claim(app.app(), a.attempt(), last), FAILED);
    }

    /** A resource that is told of it must refuse whoever was granted a fence that the backup knows nothing of. */
    @Test
    default void g4_theFenceOfAnEvictionIsHigherThanAllThatABackupForgot() {
        Trial app = Trial.on(subject());
        Fence last = app.takenBy("a").fence();
        subject().setFence(app.app(), new Fence(1));
        app.passClock(last);
        Evicted evicted = only(Evicted.class, subject().claims().evict(app.app(), new Fence(1), AT_ONCE));
        assertThat(evicted.now()).isGreaterThan(last);
    }

    @Test
    default void g5_anAttemptThatWasEvictedIsToldSoAndTakesNothing() {
        for (Succession succession : Succession.values()) {
            Trial app = Trial.on(subject());
            Wish wish = app.wish("a");
            Claim a = app.takenBy(wish);
            app.toldEvicted(a, succession);
            assertAbandonedBefore(app, wish, a);
            subject().letPass(LIMIT);
            assertAbandonedBefore(app, wish, a);
            Claim b = app.takenBy("b");
            assertAbandonedBefore(app, wish, a);
            app.end(b, FAILED);
            assertAbandonedBefore(app, wish, a);
        }
    }

    @Test
    default void c5_theLiveOneStandsWhenTheNextIsEvicted() {
        Trial app = Trial.on(subject());
        Claim live = app.ended("live", live("live"));
        app.toldEvicted(app.takenBy("a"), AT_ONCE);
        assertThat(app.liveId()).contains(live.attempt());
        assertThat(app.state(live)).isEqualTo(live("live"));
    }

    @Test
    default void c11_alsoWhenThatWasEvicted() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy(app.wish("a").keyed("key"));
        app.toldEvicted(a, WHEN_SILENT);
        assertAbandonedBefore(app, app.wish("b").keyed("key"), a);
        subject().letPass(LIMIT);
        assertAbandonedBefore(app, app.wish("b").keyed("key"), a);
        app.ended("c", FAILED);
        assertAbandonedBefore(app, app.wish("b").keyed("key"), a);
    }

    static void assertAbandonedBefore(Trial app, Wish wish, Claim claim) {
        String before = app.dump();
        assertThat(app.toldAlreadyRun(wish)).isEqualTo(app.find(claim.attempt()));
        Trial.assertAbandonedByNobody(app.state(claim));
        assertThat(app.dump()).isEqualTo(before);
    }

    /** While nobody holds and nobody may take yet, too. */
    @Test
    default void g8_theLoserIsToldWhoWasEvictedAndForHowLongItHasToWait() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("host-1 (pid 42)");
        subject().letPass(A_MINUTE);
        Evicted evicted = app.toldEvicted(a, WHEN_SILENT);
        for (Trial loser : List.of(app, app.under(Trial.newSlug()))) {
            Incumbent told = loser.toldInProgress("b");
            assertThat(told.attempt()).isEqualTo(a.attempt());
            assertThat(told.holder().label()).isEqualTo("host-1 (pid 42)");
            assertThat(told.fence()).isEqualTo(evicted.now());
            assertThat(told.since()).isEqualTo(app.find(a.attempt()).startedAt());
            assertThat(told.silentFor()).isBetween(A_MINUTE, A_MINUTE.multipliedBy(2));
            assertThat(told.takeableIn()).isBetween(LIMIT.minus(A_MINUTE.multipliedBy(2)), evicted.takeableIn());
        }
        assertThat(only(Renewal.Lost.class, app.renew(a)).to()).isEmpty();
    }
}
