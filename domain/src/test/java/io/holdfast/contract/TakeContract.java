package io.holdfast.contract;

import static io.holdfast.contract.Contenders.OWNERS;
import static io.holdfast.contract.Contenders.ROUNDS;
import static io.holdfast.contract.Contenders.race;
import static io.holdfast.contract.Contenders.rounds;
import static io.holdfast.contract.Trial.A_MINUTE;
import static io.holdfast.contract.Trial.FAILED;
import static io.holdfast.contract.Trial.LIMIT;
import static io.holdfast.contract.Trial.NOT_STARTED;
import static io.holdfast.contract.Trial.live;
import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Fence;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal.InProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Who takes, under which fence, and what a repeat gets: rules G1 to G5 of {@code docs/contract.md}, for publishing. */
interface TakeContract {
    /** The store under test; the same one for the whole of a test. */
    PublishSubject subject();

    // G1: one winner.

    /** K19, K21: many creations of one key ended in a deadlock's exception, or in a victory for everybody. */
    @Test
    default void g1_ofManyTakesOfANewKeyOneIsGranted() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Trial app = Trial.on(subject());
            assertOneWinner(race(OWNERS, owner -> app.ask("owner-" + owner)));
        }
    }

    @Test
    default void g1_ofManyTakesOfAFreeKeyOneIsGranted() {
        Trial app = Trial.on(subject());
        app.ended("first", FAILED);
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Claim won = assertOneWinner(race(OWNERS, owner -> app.ask("owner-" + owner)));
            app.end(won, FAILED);
        }
    }

    @Test
    default void g1_ofManyTakesOfASilentKeyOneIsGranted() {
        Trial app = Trial.on(subject());
        app.takenBy("silent");
        for (int i = 0; i < rounds(ROUNDS); i++) {
            subject().letPass(LIMIT);
            assertOneWinner(race(OWNERS, owner -> app.ask("owner-" + owner)));
        }
    }

    private static Claim assertOneWinner(List<ClaimOutcome> outcomes) {
        List<Claimed> winners = Trial.of(Claimed.class, outcomes);
        assertThat(winners).as("winners among %s", outcomes).hasSize(1);
        return winners.get(0).claim();
    }

    // G2: one write decides.

    /** K5: the state went free, taken, free between a node's read and its write, and so the work was done twice. */
    @Test
    default void g2_noTwoEverHoldAtOnce() {
        Rally.several(() -> Trial.on(subject())).forEach(Rally::assertThatNoTwoHeldAtOnce);
    }

    @Test
    default void g2_aLoserChangesNothing() {
        Trial app = Trial.on(subject());
        app.takenBy("a");
        String before = app.dump();
        app.toldInProgress("b");
        app.toldInProgress(app.wish("c").keyed("key").within(Duration.ofDays(1)));
        assertThat(app.dump()).isEqualTo(before);
    }

    /** Losers that lock the row beyond a statement leave the renewal beside them without a word, tick after tick. */
    @Test
    default void g2_everyRenewalGetsThroughBesideManyLosers() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        CountDownLatch losing = new CountDownLatch(OWNERS - 1);
        List<Callable<Boolean>> tasks = new ArrayList<>();
        tasks.add(() -> {
            do {
                assertRenewedWithinATick(app, a);
            } while (losing.getCount() > 0);
            return true;
        });
        for (int i = 1; i < OWNERS; i++) {
            String loser = "loser-" + i;
            tasks.add(() -> {
                try {
                    for (int n = 0; n < rounds(ROUNDS); n++) {
                        Trial.assertIs(a, app.toldInProgress(loser));
                    }
                    return true;
                } finally {
                    losing.countDown();
                }
            });
        }
        assertThat(race(tasks)).hasSize(OWNERS);
    }

    /** A beat without a word is repeated within two seconds. */
    private static void assertRenewedWithinATick(Trial app, Claim claim) {
        long begun = System.nanoTime();
        Renewal word;
        do {
            word = app.renew(claim);
        } while (word == null && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(2));
        only(Renewal.Held.class, word);
    }

    // G3: the database's clock only.

    /** K7, K12, K14: live holders were declared dead by a clock, or a session's time zone, that was not the database's. */
    @Test
    default void g3_aHostsTimeZoneChangesNothing() {
        TimeZone own = TimeZone.getDefault();
        List<String> zones = List.of("Pacific/Kiritimati", "Pacific/Pago_Pago", "Pacific/Kiritimati", "Asia/Kathmandu");
        try {
            Trial app = Trial.on(subject());
            Claim a = app.takenBy("a");
            Instant since = app.toldInProgress("b").since();
            for (String zone : zones) {
                TimeZone.setDefault(TimeZone.getTimeZone(zone));
                Incumbent told = app.toldInProgress("b");
                Trial.assertIs(a, told);
                assertThat(told.since()).isEqualTo(since);
                assertThat(told.silentFor()).isLessThan(A_MINUTE);
                assertThat(told.takeableIn()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
                assertThat(app.toldHeld(a)).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
            }
        } finally {
            TimeZone.setDefault(own);
        }
    }

    /**
     * K24: a holder believed in time that was over. Until the told time is over, counted from when the call was sent, nobody
     * takes.
     */
    @Test
    default void g3_theTimeThatIsToldNeverReachesBeyondTheRow() {
        Trial app = Trial.on(subject());
        Wish wish = app.wish("a");
        Claimed claimed = app.toldClaimed(wish);
        assertUntakeableFor(claimed.remaining(), app);

        assertUntakeableFor(app.toldHeld(claimed.claim()), app);

        assertUntakeableFor(app.toldClaimed(wish).remaining(), app);

        app.toldHeld(claimed.claim());
        assertUntakeableFor(app.toldInProgress("b").takeableIn(), app);
    }

    private static void assertUntakeableFor(Duration told, Trial app) {
        app.store().letPass(told.minus(A_MINUTE));
        app.toldInProgress("b");
    }

    // G4: fences grow.

    @Test
    default void g4_eachTakeHasAHigherFence() {
        Trial app = Trial.on(subject());
        List<Fence> fences = new ArrayList<>();
        for (Ending ending : List.of(FAILED, NOT_STARTED, live("a"), live("b"))) {
            fences.add(app.ended("a", ending).fence());
        }
        fences.add(app.takenBy("b").fence());
        subject().letPass(LIMIT);
        fences.add(app.takenBy("c").fence());
        assertThat(fences).doesNotHaveDuplicates().isSorted();
    }

    @Test
    default void g4_fencesGrowInTheOrderOfTheTakesInARace() {
        Rally.several(() -> Trial.on(subject())).forEach(Rally::assertThatFencesGrew);
    }

    /** K25: the fence went with the row and began at 1 again, so that honest writes were refused. */
    @Test
    default void g4_aRowThatWasDeletedByHandComesBackWithAHigherFence() {
        Trial app = Trial.on(subject());
        Fence last = app.ended("a", FAILED).fence();
        subject().deleteByHand(app.app());
        app.passClock(last);
        assertThat(app.takenBy("b").fence()).isGreaterThan(last);
    }

    @Test
    default void g4_aRowThatCameBackFromABackupGoesOnWithAHigherFence() {
        Trial app = Trial.on(subject());
        Fence last = app.ended("a", FAILED).fence();
        subject().setFence(app.app(), new Fence(1));
        app.passClock(last);
        assertThat(app.takenBy("b").fence()).isGreaterThan(last);
    }

    @Test
    default void g4_aRowThatIsAheadOfTheClockGoesOnWithAHigherFence() {
        Trial app = Trial.on(subject());
        Fence ahead = new Fence(app.ended("a", FAILED).fence().value() + LIMIT.toNanos());
        subject().setFence(app.app(), ahead);
        assertThat(app.takenBy("b").fence()).isGreaterThan(ahead);
    }

    @Test
    default void g4_theLastFenceIsAnErrorAndNeverWraps() {
        Trial app = Trial.on(subject());
        app.ended("a", FAILED);
        subject().setFence(app.app(), new Fence(Long.MAX_VALUE));
        String before = app.dump();
        assertThatThrownBy(() -> app.ask("b"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("fence")
                .hasMessageContaining("exhausted");
        assertThat(app.dump()).isEqualTo(before);
    }

    /** Above 2^53 a floating-point number no longer tells two neighbours apart. */
    @Test
    default void g4_aFenceIsNeverAFloatingPointNumber() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        long odd = (1L << 53) + 3;
        subject().setFence(app.app(), new Fence(odd));
        for (long neighbour : new long[] {odd - 1, odd + 1}) {
            assertThat(app.renew(new Claim(app.app(), a.attempt(), new Fence(neighbour))))
                    .isInstanceOf(Renewal.Lost.class);
        }
        Claim moved = new Claim(app.app(), a.attempt(), new Fence(odd));
        app.toldHeld(moved);
        app.end(moved, FAILED);
        assertThat(app.ended("b", FAILED).fence()).isEqualTo(new Fence(odd + 1));
        assertThat(app.takenBy("a").fence()).isEqualTo(new Fence(odd + 2));
    }

    // G5: a repeat is a renewal.

    /** K15: the take was stored and its answer was lost, so that its owner believed to have lost to somebody. */
    @Test
    default void g5_aRepeatGetsTheSameHoldAndItsTimeAgain() {
        Trial app = Trial.on(subject());
        Wish wish = app.wish("a").keyed("key");
        Claimed first = app.toldClaimed(wish);
        for (int i = 0; i < 3; i++) {
            subject().letPass(LIMIT.minus(A_MINUTE));
            Claimed again = app.toldClaimed(wish);
            assertThat(again.claim()).isEqualTo(first.claim());
            assertThat(again.takenOverFrom()).isEmpty();
            assertThat(again.remaining()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
            Incumbent told = app.toldInProgress("b");
            Trial.assertIs(first.claim(), told);
            assertThat(told.silentFor()).isLessThan(A_MINUTE);
            assertThat(told.takeableIn()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
        }
    }

    @Test
    default void g5_aRepeatAfterASilenceStillHolds() {
        Trial app = Trial.on(subject());
        Wish wish = app.wish("a");
        Claimed first = app.toldClaimed(wish);
        subject().letPass(LIMIT.multipliedBy(2));
        assertThat(app.toldClaimed(wish).claim()).isEqualTo(first.claim());
        Trial.assertIs(first.claim(), app.toldInProgress("b"));
    }

    @Test
    default void g5_aRepeatOfATakeOverNamesTheSameDeploymentAgain() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(LIMIT);
        Wish wish = app.wish("b");
        Claimed first = app.toldClaimed(wish);
        Claimed again = app.toldClaimed(wish);
        assertThat(again.claim()).isEqualTo(first.claim());
        assertThat(again.takenOverFrom()).contains(a.attempt());
    }

    @Test
    default void g5_repeatsAtOnceTakeOnce() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Trial app = Trial.on(subject());
            List<Wish> wishes = List.of(app.wish("a"), app.wish("b"));
            List<ClaimOutcome> outcomes = race(OWNERS, n -> app.ask(wishes.get(n % 2)));
            Set<Claim> claims = Trial.of(Claimed.class, outcomes).stream()
                    .map(Claimed::claim)
                    .collect(Collectors.toSet());
            assertThat(claims).as("claims among %s", outcomes).hasSize(1);
            Claim won = claims.iterator().next();
            assertThat(Trial.of(Claimed.class, outcomes)).hasSize(OWNERS / 2);
            assertThat(Trial.of(InProgress.class, outcomes))
                    .hasSize(OWNERS / 2)
                    .allSatisfy(loser -> Trial.assertIs(won, loser.running()));
        }
    }

    /** Also when the packet that arrives after the end is the first one that was sent. */
    @Test
    default void g5_anAttemptThatHasEndedIsToldSoAndTakesNothing() {
        for (Ending ending : List.of(FAILED, NOT_STARTED, live("a"))) {
            Trial app = Trial.on(subject());
            Wish wish = app.wish("a").keyed("key");
            Claim a = app.takenBy(wish);
            app.end(a, ending);
            assertHasRun(app, wish, a, ending);

            Claim b = app.takenBy("b");
            assertHasRun(app, wish, a, ending);
            app.end(b, FAILED);
            assertHasRun(app, wish, a, ending);
        }
    }

    private static void assertHasRun(Trial app, Wish wish, Claim a, Ending ending) {
        String before = app.dump();
        Deployment told = app.toldAlreadyRun(wish);
        assertThat(told.id()).isEqualTo(a.attempt());
        assertThat(told.fence()).isEqualTo(a.fence());
        assertThat(told.state()).isEqualTo(ending);
        assertThat(app.dump()).isEqualTo(before);
    }

    @Test
    default void g5_anAttemptThatWasTakenOverIsToldSoAndTakesNothing() {
        Trial app = Trial.on(subject());
        Wish wish = app.wish("a");
        app.takenBy(wish);
        subject().letPass(LIMIT);
        Claim b = app.takenBy("b");
        Trial.assertAbandoned(b, app.toldAlreadyRun(wish).state());
        Trial.assertIs(b, app.toldInProgress("c"));

        app.end(b, FAILED);
        Trial.assertAbandoned(b, app.toldAlreadyRun(wish).state());
        app.takenBy("c");
    }

    @Test
    default void g5_anAttemptOfAnotherAppIsRefused() {
        Trial app = Trial.on(subject());
        Wish wish = app.wish("a");
        Claim a = app.takenBy(wish);
        Trial fresh = Trial.on(subject());
        Trial held = Trial.on(subject());
        held.takenBy("b");

        assertRefused(wish, app, fresh);
        assertTakesNothing(wish, app, held);
        app.end(a, FAILED);
        assertRefused(wish, app, fresh);
        assertTakesNothing(wish, app, held);
        assertThat(subject().deployments().current(fresh.app())).isEmpty();
    }

    private static void assertRefused(Wish wish, Trial app, Trial other) {
        String before = app.dump() + other.dump();
        assertThatThrownBy(() -> other.ask(wish.forApp(other.app()).under(other.slug())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(wish.attempt().toString())
                .hasMessageContaining("another app");
        assertThat(app.dump() + other.dump()).isEqualTo(before);
    }

    /** While the other app is held, a store that tells a loser the truth in one round trip has seen that app alone. */
    private static void assertTakesNothing(Wish wish, Trial app, Trial held) {
        String before = app.dump() + held.dump();
        try {
            Trial.inProgress(held.ask(wish.forApp(held.app()).under(held.slug())));
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageContaining(wish.attempt().toString()).hasMessageContaining("another app");
        }
        assertThat(app.dump() + held.dump()).isEqualTo(before);
    }
}
