package io.holdfast.contract;

import static io.holdfast.contract.Contenders.OWNERS;
import static io.holdfast.contract.Contenders.ROUNDS;
import static io.holdfast.contract.Contenders.race;
import static io.holdfast.contract.Contenders.rounds;
import static io.holdfast.contract.EvictionContract.assertAbandonedBefore;
import static io.holdfast.contract.Trial.A_MINUTE;
import static io.holdfast.contract.Trial.FAILED;
import static io.holdfast.contract.Trial.LIMIT;
import static io.holdfast.contract.Trial.live;
import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Renewal;
import io.holdfast.SilenceLimit;
import io.holdfast.Succession;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimStore.FinishOutcome;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Who is dead is buried, and nobody else: rule C9, and C8 with all who may end a deployment. A clean-up sees the whole store,
 * so each test begins with an empty one.
 */
interface CleanUpContract {
    /** The store under test; the same one for the whole of a test. */
    PublishSubject subject();

    /** Twice the limit of every wish. */
    Duration DEAD = LIMIT.multipliedBy(2);

    private List<Claim> cleanUp(int atMost, Duration inContact) {
        return subject().claims().endSilent(atMost, inContact);
    }

    /** By one who has always been there. */
    private List<Claim> cleanUp() {
        return cleanUp(1_000, SilenceLimit.MAX);
    }

    @Test
    default void c9_whoIsSilentForTwiceItsLimitIsEnded() {
        subject().wipe();
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(DEAD);
        assertThat(cleanUp()).containsExactly(a);
        Trial.assertAbandonedByNobody(app.state(a));
        app.toldLostToNobody(a);

        Claimed b = app.toldClaimed(app.wish("b"));
        assertThat(b.takenOverFrom()).isEmpty();
        assertThat(b.claim().fence()).isGreaterThan(a.fence());
        Trial.assertAbandonedByNobody(app.state(a));
        assertThat(cleanUp()).isEmpty();
    }

    @Test
    default void c9_notAMomentBefore() {
        subject().wipe();
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        assertLeftAlone(app);
        subject().letPass(LIMIT);
        assertLeftAlone(app);
        subject().letPass(LIMIT.minus(A_MINUTE));
        assertLeftAlone(app);
        subject().letPass(A_MINUTE);
        assertThat(cleanUp()).containsExactly(a);
    }

    private void assertLeftAlone(Trial app) {
        String before = app.dump();
        assertThat(cleanUp()).isEmpty();
        assertThat(app.dump()).isEqualTo(before);
    }

    /** Apps have fences of their own, which may be the same. */
    @Test
    default void c9_aFenceIsThatOfOneAppAlone() {
        subject().wipe();
        List<Trial> apps = List.of(Trial.on(subject()), Trial.on(subject()), Trial.on(subject()));
        Fence same = new Fence(7);
        apps.get(1).takenBy("silent");
        subject().letPass(DEAD);
        apps.get(0).takenBy("a");
        apps.get(2).takenBy("a");
        apps.forEach(app -> subject().setFence(app.app(), same));
        assertThat(cleanUp()).hasSize(1);
        apps.get(0).toldInProgress("b");
        apps.get(1).takenBy("b");
        apps.get(2).toldInProgress("b");
    }

    /** However many they are, and wherever they are found. */
    @Test
    default void c9_whoIsLeftAloneStandsInNobodysWay() {
        subject().wipe();
        for (int i = 0; i < 3; i++) {
            Trial patient = Trial.on(subject());
            patient.takenBy(patient.wish("patient").within(Duration.ofHours(2)));
        }
        subject().letPass(Duration.ofHours(4));
        List<Claim> dead = new ArrayList<>();
        List<Claim> renewed = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Trial last = Trial.on(subject());
            last.takenBy("last");
            subject().setFence(last.app(), new Fence(Long.MAX_VALUE));
            dead.add(Trial.on(subject()).takenBy("dead"));
            renewed.add(Trial.on(subject()).takenBy("silent"));
        }
        subject().letPass(A_MINUTE);
        subject().claims().renew(renewed);
        // Changed last, they are found last where rows are found in that order.
        dead.forEach(claim -> subject().setFence(claim.app(), claim.fence()));
        subject().letPass(DEAD.minus(A_MINUTE));
        List<Claim> ended = new ArrayList<>();
        for (int i = 0; i < dead.size(); i++) {
            ended.addAll(cleanUp(1, Duration.ofHours(1)));
            assertThat(ended).hasSize(i + 1);
        }
        assertThat(ended).containsExactlyInAnyOrderElementsOf(dead);
    }

    @Test
    default void c9_whoeverWasEndedKeepsNobodyFromTakingWhateverTheClockSays() {
        subject().wipe();
        Trial app = Trial.on(subject());
        app.takenBy("a");
        subject().letPass(DEAD);
        assertThat(cleanUp()).hasSize(1);
        subject().letPass(DEAD.negated());
        app.takenBy("b");
    }

    /** Silence counts from the last sign of life. */
    @Test
    default void c9_whoRenewsIsLeftAlone() {
        subject().wipe();
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        for (int i = 0; i < 3; i++) {
            subject().letPass(LIMIT.minus(A_MINUTE));
            app.toldHeld(a);
            assertLeftAlone(app);
        }
        app.end(a, FAILED);
    }

    @Test
    default void c9_whatHasEndedIsLeftAlone() {
        subject().wipe();
        List<Trial> apps = new ArrayList<>();
        for (Ending ending : List.of(FAILED, Trial.NOT_STARTED, live("a"))) {
            Trial app = Trial.on(subject());
            app.ended("a", ending);
            apps.add(app);
        }
        Trial evicted = Trial.on(subject());
        evicted.toldEvicted(evicted.takenBy("a"), Succession.WHEN_SILENT);
        apps.add(evicted);
        subject().letPass(DEAD);
        apps.forEach(this::assertLeftAlone);
    }

    @Test
    default void c9_itsOwnLimitCounts() {
        subject().wipe();
        Trial patient = Trial.on(subject());
        Trial hasty = Trial.on(subject());
        Claim a = patient.takenBy(patient.wish("a").within(Duration.ofHours(2)));
        Claim b = hasty.takenBy(hasty.wish("b").within(A_MINUTE));
        subject().letPass(Duration.ofHours(1));
        assertThat(cleanUp()).containsExactly(b);
        Trial.assertBuilding(a, patient.state(a));
        subject().letPass(Duration.ofHours(3));
        assertThat(cleanUp()).containsExactly(a);
    }

    /** After an outage of the database all were ended, whose owners were about to beat again. */
    @Test
    default void c9_whoIsFreshInContactEndsNobodyWhoMayLive() {
        subject().wipe();
        Trial app = Trial.on(subject());
        Trial hasty = Trial.on(subject());
        Claim a = app.takenBy("a");
        Claim b = hasty.takenBy(hasty.wish("b").within(A_MINUTE));
        subject().letPass(Duration.ofHours(1));
        for (Duration inContact : List.of(Duration.ZERO, A_MINUTE.minusNanos(1))) {
            assertThat(cleanUp(1_000, inContact)).isEmpty();
        }
        assertThat(cleanUp(1_000, LIMIT.minusNanos(1))).containsExactly(b);
        assertThat(cleanUp(1_000, LIMIT)).containsExactly(a);
    }

    @Test
    default void c9_whatIsTooMuchIsLeftForTheNextTime() {
        subject().wipe();
        List<Claim> dead =
                Stream.generate(() -> Trial.on(subject()).takenBy("a")).limit(5).toList();
        subject().letPass(DEAD);
        List<Claim> ended = new ArrayList<>();
        for (int most : List.of(2, 2, 1)) {
            List<Claim> some = cleanUp(2, SilenceLimit.MAX);
            assertThat(some).hasSize(most);
            ended.addAll(some);
        }
        assertThat(ended).containsExactlyInAnyOrderElementsOf(dead);
        assertThat(cleanUp(2, SilenceLimit.MAX)).isEmpty();
    }

    @Test
    default void c9_nothingElseIsAsked() {
        subject().wipe();
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(DEAD);
        assertThatThrownBy(() -> cleanUp(0, LIMIT)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cleanUp(1, Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThat(cleanUp(Integer.MAX_VALUE, Duration.ofSeconds(Long.MAX_VALUE)))
                .containsExactly(a);
    }

    /** K2: what a reaper had judged dead by an earlier read was ended though it had come back. */
    @Test
    default void c9_aRenewalThatCameFirstWins() {
        subject().wipe();
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Trial app = Trial.on(subject());
            Claim a = app.takenBy("a");
            subject().letPass(DEAD);
            List<Callable<Object>> tasks = List.of(() -> app.renew(a) instanceof Renewal.Held, this::cleanUp);
            List<Object> outcomes = race(tasks);
            boolean lives = outcomes.get(0).equals(true);
            assertThat(outcomes.get(1)).isEqualTo(lives ? List.of() : List.of(a));
            if (lives) {
                app.end(a, FAILED);
            } else {
                Trial.assertAbandonedByNobody(app.state(a));
            }
        }
    }

    @Test
    default void c9_ofManyWhoCleanUpOneEndsEach() {
        subject().wipe();
        for (int i = 0; i < rounds(ROUNDS) / 4; i++) {
            List<Claim> dead = Stream.generate(() -> Trial.on(subject()).takenBy("a"))
                    .limit(OWNERS)
                    .toList();
            subject().letPass(DEAD);
            List<Claim> ended = new ArrayList<>();
            race(OWNERS, n -> cleanUp()).forEach(ended::addAll);
            assertThat(ended).containsExactlyInAnyOrderElementsOf(dead);
        }
    }

    /** One that cannot be ended, because there is no higher fence, spoils no other. */
    @Test
    default void c9_theLastFenceIsLeftAlone() {
        subject().wipe();
        Trial last = Trial.on(subject());
        last.takenBy("a");
        subject().setFence(last.app(), new Fence(Long.MAX_VALUE));
        Claim b = Trial.on(subject()).takenBy("b");
        subject().letPass(DEAD);
        String before = last.dump();
        assertThat(cleanUp()).containsExactly(b);
        assertThat(last.dump()).isEqualTo(before);
    }

    /** Where the fence is ahead of the clock, such as after that was put right. */
    @Test
    default void g4_aCleanUpNeverMovesTheFenceBackwards() {
        subject().wipe();
        Trial app = Trial.on(subject());
        Fence ahead = new Fence(app.takenBy("a").fence().value() * 2);
        subject().setFence(app.app(), ahead);
        subject().letPass(DEAD);
        assertThat(cleanUp()).hasSize(1);
        assertThat(app.takenBy("b").fence()).isGreaterThan(ahead);
    }

    // What the other rules say.

    @Test
    default void c5_theLiveOneStandsWhenTheNextIsCleanedUp() {
        subject().wipe();
        Trial app = Trial.on(subject());
        Claim live = app.ended("live", live("live"));
        app.takenBy("a");
        subject().letPass(DEAD);
        assertThat(cleanUp()).hasSize(1);
        assertThat(app.liveId()).contains(live.attempt());
        assertThat(app.state(live)).isEqualTo(live("live"));
    }

    /** Who was buried alive. */
    @Test
    default void g5_anAttemptThatWasCleanedUpIsToldSoAndTakesNothing() {
        subject().wipe();
        Trial app = Trial.on(subject());
        Wish wish = app.wish("a");
        Claim a = app.takenBy(wish);
        subject().letPass(DEAD);
        cleanUp();
        assertAbandonedBefore(app, wish, a);
        Claim b = app.takenBy("b");
        assertAbandonedBefore(app, wish, a);
        app.end(b, FAILED);
        assertAbandonedBefore(app, wish, a);
    }

    /** To ask again is a sign of life: who does it is not cleaned up. */
    @Test
    default void c9_whoAsksAgainIsNoneOfTheDead() {
        subject().wipe();
        Trial app = Trial.on(subject());
        Wish wish = app.wish("a");
        Claim a = app.takenBy(wish);
        for (int i = 0; i < 3; i++) {
            subject().letPass(LIMIT.minus(A_MINUTE));
            assertThat(app.takenBy(wish)).isEqualTo(a);
            assertThat(cleanUp()).isEmpty();
        }
        app.end(a, FAILED);
    }

    @Test
    default void c11_alsoWhenThatWasCleanedUp() {
        subject().wipe();
        Trial app = Trial.on(subject());
        Claim a = app.takenBy(app.wish("a").keyed("key"));
        subject().letPass(DEAD);
        cleanUp();
        assertAbandonedBefore(app, app.wish("b").keyed("key"), a);
        app.ended("c", FAILED);
        assertAbandonedBefore(app, app.wish("b").keyed("key"), a);
    }

    /** K6 again, with all who may end a deployment. */
    @Test
    default void c8_ofFinishTakeOverCleanUpAndEvictionOneComesTrue() {
        subject().wipe();
        for (int i = 0; i < rounds(ROUNDS) * 2; i++) {
            Trial app = Trial.on(subject());
            Claim silent = app.takenBy("silent");
            subject().letPass(DEAD);
            List<Callable<Object>> tasks = List.of(
                    () -> app.finish(silent, FAILED),
                    () -> app.toldClaimed(app.wish("taker")),
                    this::cleanUp,
                    () -> subject().claims().evict(app.app(), silent.fence(), Succession.AT_ONCE));
            assertOneComesTrue(app, silent, race(tasks));
        }
    }

    private static void assertOneComesTrue(Trial app, Claim silent, List<Object> outcomes) {
        Claimed taken = only(Claimed.class, outcomes.get(1));
        Deployment.State state = app.state(silent);
        List<Deployment.State> claimed = new ArrayList<>();
        if (outcomes.get(0) instanceof FinishOutcome.Ended ended) {
            claimed.add(ended.ending());
        }
        taken.takenOverFrom().ifPresent(from -> {
            assertThat(from).isEqualTo(silent.attempt());
            claimed.add(new Deployment.Abandoned(Optional.of(taken.claim().attempt())));
        });
        if (outcomes.get(2).equals(List.of(silent))) {
            claimed.add(new Deployment.Abandoned(Optional.empty()));
        }
        if (outcomes.get(3) instanceof Eviction.Evicted) {
            claimed.add(new Deployment.Abandoned(Optional.empty()));
        }
        assertThat(claimed).as("who ended it, of %s", outcomes).containsExactly(state);
        Trial.assertBuilding(taken.claim(), app.state(taken.claim()));
        app.end(taken.claim(), FAILED);
        assertThat(app.state(silent)).isEqualTo(state);
    }
}
