package io.holdfast.contract;

import static io.holdfast.contract.Trial.A_MINUTE;
import static io.holdfast.contract.Trial.FAILED;
import static io.holdfast.contract.Trial.LIMIT;
import static io.holdfast.contract.Trial.NOT_STARTED;
import static io.holdfast.contract.Trial.live;
import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.contract.Rally.Tenure;
import io.holdfast.contract.Rally.Told;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimStore.FinishOutcome;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Deployments;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal.InProgress;
import io.holdfast.publish.Refusal.SlugTaken;
import io.holdfast.publish.Slug;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What holds for every operation: rules G1 to G14 of {@code docs/contract.md}, for publishing. A test is named after its
 * rule. No test sleeps, and each asks for rows of its own, so that what others left in the store does not matter.
 *
 * <p>"K" names a report in which others were wrong; the Javadoc of the test that it became says what had happened.
 */
interface HoldContract {
    /** The store under test; the same one for the whole of a test. */
    PublishSubject subject();

    int OWNERS = 8;
    int ROUNDS = 20;

    /** So few that no deployment of a race leaves the history before it is over. */
    int CLAIMS_EACH = Deployments.HISTORY / OWNERS - 1;

    // G1: one winner.

    /** K19, K21: many creations of one key ended in a deadlock's exception, or in a victory for everybody. */
    @Test
    default void g1_ofManyTakesOfANewKeyOneIsGranted() {
        for (int i = 0; i < Contenders.rounds(ROUNDS); i++) {
            Trial app = Trial.on(subject());
            assertOneWinner(Contenders.race(OWNERS, owner -> app.ask("owner-" + owner)));
        }
    }

    @Test
    default void g1_ofManyTakesOfAFreeKeyOneIsGranted() {
        Trial app = Trial.on(subject());
        app.ended("first", FAILED);
        for (int i = 0; i < Contenders.rounds(ROUNDS); i++) {
            Claim won = assertOneWinner(Contenders.race(OWNERS, owner -> app.ask("owner-" + owner)));
            app.end(won, FAILED);
        }
    }

    @Test
    default void g1_ofManyTakesOfASilentKeyOneIsGranted() {
        Trial app = Trial.on(subject());
        app.takenBy("silent");
        for (int i = 0; i < Contenders.rounds(ROUNDS); i++) {
            subject().letPass(LIMIT);
            assertOneWinner(Contenders.race(OWNERS, owner -> app.ask("owner-" + owner)));
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
        for (Rally rally : rallies()) {
            assertPairwise(rally.tenures(), (lower, higher) -> !lower.overlaps(higher), "did not hold at once");
        }
    }

    private List<Rally> rallies() {
        return Stream.generate(() -> Rally.of(Trial.on(subject()), OWNERS, Contenders.rounds(ROUNDS) / 2))
                .limit(4)
                .toList();
    }

    private static void assertPairwise(List<Tenure> tenures, BiPredicate<Tenure, Tenure> rule, String words) {
        for (int i = 0; i < tenures.size(); i++) {
            for (Tenure higher : tenures.subList(i + 1, tenures.size())) {
                Tenure lower = tenures.get(i);
                assertThat(rule.test(lower, higher))
                        .as("%s and %s %s", lower, higher, words)
                        .isTrue();
            }
        }
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
                    for (int n = 0; n < Contenders.rounds(ROUNDS); n++) {
                        Trial.assertIs(a, app.toldInProgress(loser));
                    }
                    return true;
                } finally {
                    losing.countDown();
                }
            });
        }
        assertThat(Contenders.race(tasks)).hasSize(OWNERS);
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
        for (Rally rally : rallies()) {
            assertThat(rally.tenures())
                    .extracting(tenure -> tenure.claim().fence())
                    .doesNotHaveDuplicates();
            assertPairwise(rally.tenures(), (lower, higher) -> !higher.endedBefore(lower), "are in the order of time");
        }
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
        for (int i = 0; i < Contenders.rounds(ROUNDS); i++) {
            Trial app = Trial.on(subject());
            List<Wish> wishes = List.of(app.wish("a"), app.wish("b"));
            List<ClaimOutcome> outcomes = Contenders.race(OWNERS, n -> app.ask(wishes.get(n % 2)));
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

    // G6: only the holder's writes count.

    /** K3, K4: on one host all holders had one name, and everybody renewed the holder's lease, or unlocked it. */
    @Test
    default void g6_aForgedAttemptIsToldThatItLostAndChangesNothing() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("the same host");
        Claim other = Trial.on(subject()).takenBy("the same host");
        assertLostAndNothingChanged(app, a, new Claim(app.app(), AttemptId.random(), a.fence()));
        assertLostAndNothingChanged(app, a, new Claim(app.app(), other.attempt(), a.fence()));
        assertLostAndNothingChanged(app, a, new Claim(app.app(), other.attempt(), other.fence()));
    }

    @Test
    default void g6_aForgedFenceIsToldThatItLostAndChangesNothing() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        Claim other = Trial.on(subject()).takenBy("b");
        long held = a.fence().value();
        LongStream.of(1, held - 1, held + 1, other.fence().value(), Long.MAX_VALUE)
                .filter(fence -> fence > 0 && fence != held)
                .forEach(fence ->
                        assertLostAndNothingChanged(app, a, new Claim(app.app(), a.attempt(), new Fence(fence))));
    }

    /** K1: an old attempt finished after a newer one, and its row was changed; the write had named the id alone. */
    @Test
    default void g6_whoWasTakenOverIsToldToWhomAndChangesNothing() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("the same host");
        subject().letPass(LIMIT);
        Claim b = app.takenBy("the same host");
        assertLostAndNothingChanged(app, b, a);
        Trial.assertAbandoned(b, app.state(a));
        Trial.assertBuilding(b, app.state(b));
    }

    @Test
    default void g6_afterTheEndNeitherAForgedNorAStaleClaimChangesAnything() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(LIMIT);
        Claim b = app.ended("b", FAILED);
        String before = app.dump();
        for (Claim claim : List.of(
                a,
                new Claim(app.app(), AttemptId.random(), b.fence()),
                new Claim(app.app(), b.attempt(), new Fence(b.fence().value() + 1)))) {
            app.toldOver(claim);
            assertThat(app.finish(claim, live("late")))
                    .isInstanceOfSatisfying(
                            FinishOutcome.Lost.class,
                            lost -> assertThat(lost.to()).isEmpty());
        }
        app.toldOver(b);
        assertThat(app.dump()).isEqualTo(before);
    }

    @Test
    default void g6_aClaimOfOneAppIsNoneOfAnother() {
        Trial app = Trial.on(subject());
        Trial other = Trial.on(subject());
        Claim a = app.takenBy("a");
        Claim b = other.takenBy("b");
        assertLostAndNothingChanged(other, b, new Claim(other.app(), a.attempt(), a.fence()));
        app.end(a, FAILED);
        assertLostAndNothingChanged(other, b, new Claim(other.app(), a.attempt(), a.fence()));
        assertThat(app.state(a)).isEqualTo(FAILED);
    }

    private static void assertLostAndNothingChanged(Trial app, Claim holder, Claim forged) {
        String before = app.dump();
        app.toldLostTo(holder, forged);
        assertThat(app.dump()).isEqualTo(before);
    }

    // G7: only a taker ends a hold.

    /** After an hour without a database running builds go on, instead of all failing at once. */
    @Test
    default void g7_aSilentHolderMayRenewUntilItIsTaken() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(Duration.ofHours(1));
        assertThat(app.toldHeld(a)).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
        Trial.assertIs(a, app.toldInProgress("b"));
    }

    @Test
    default void g7_aSilentHolderMayFinishUntilItIsTaken() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(Duration.ofHours(1));
        app.end(a, live("a"));
        assertThat(app.toldClaimed(app.wish("b")).takenOverFrom()).isEmpty();
        assertThat(app.liveId()).contains(a.attempt());
    }

    /** K26: a taker with a short limit stole from a holder with a long one. */
    @Test
    default void g7_theHoldersOwnLimitDecides() {
        Trial patient = Trial.on(subject());
        Trial hasty = Trial.on(subject());
        Claim a = patient.takenBy(patient.wish("a").within(Duration.ofHours(2)));
        hasty.takenBy(hasty.wish("a").within(A_MINUTE));
        subject().letPass(Duration.ofHours(1));
        Trial.assertIs(a, patient.toldInProgress(patient.wish("b").within(A_MINUTE)));
        hasty.takenBy(hasty.wish("b").within(Duration.ofHours(2)));

        // Renewed by its own limit, too.
        assertThat(patient.toldHeld(a)).isGreaterThan(Duration.ofHours(1));
        subject().letPass(Duration.ofHours(1));
        Trial.assertIs(a, patient.toldInProgress(patient.wish("b").within(A_MINUTE)));
    }

    @Test
    default void g7_aRenewalNeverMovesASignOfLifeBackwards() {
        Trial app = Trial.on(subject());
        Wish wish = app.wish("a");
        Claim a = app.takenBy(wish);
        // The database's clock is set back, and later put right.
        subject().letPass(Duration.ofHours(-1));
        app.toldHeld(a);
        app.toldClaimed(wish);
        subject().letPass(Duration.ofHours(1));
        Incumbent told = app.toldInProgress("b");
        Trial.assertIs(a, told);
        assertThat(told.silentFor()).isLessThan(A_MINUTE);
        assertThat(told.takeableIn()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
    }

    // G8: the loser is told the truth in the same call.

    /** K29: "another operation is in progress", and nobody was named, so that rows were edited by hand. */
    @Test
    default void g8_theLoserIsToldWhoHoldsSinceWhenAndForHowLong() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy(app.wish("host-1 (pid 42)"));
        subject().letPass(A_MINUTE);
        app.toldHeld(a);
        subject().letPass(A_MINUTE);
        Incumbent told = app.toldInProgress("host-2");
        Trial.assertIs(a, told);
        assertThat(told.holder().label()).isEqualTo("host-1 (pid 42)");
        assertThat(told.since()).isEqualTo(app.find(a.attempt()).startedAt());
        assertThat(told.silentFor()).isBetween(A_MINUTE, A_MINUTE.multipliedBy(2));
        assertThat(told.takeableIn()).isBetween(LIMIT.minus(A_MINUTE.multipliedBy(2)), LIMIT.minus(A_MINUTE));
    }

    @Test
    default void g8_theNextLoserIsToldOfTheNextHolder() {
        Trial app = Trial.on(subject());
        for (String holder : List.of("a", "b", "a")) {
            Claim claim = app.takenBy(holder);
            Incumbent told = app.toldInProgress("c");
            Trial.assertIs(claim, told);
            assertThat(told.holder().label()).isEqualTo(holder);
            app.end(claim, FAILED);
        }
    }

    @Test
    default void g8_whoReadsASilentOneIsToldThatItMayBeTaken() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(LIMIT.multipliedBy(2));
        Incumbent by = only(Deployment.Building.class, app.state(a)).by();
        Trial.assertIs(a, by);
        assertThat(by.takeableIn()).isZero();
        assertThat(by.silentFor())
                .isBetween(LIMIT.multipliedBy(2), LIMIT.multipliedBy(2).plus(A_MINUTE));
        app.takenBy("b");
    }

    @Test
    default void g8_whoLosesAHoldIsToldWhoHoldsItNow() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(LIMIT);
        Claim b = app.takenBy("b");
        app.toldLostTo(b, a);
        app.end(b, FAILED);
        app.toldOver(a);
        Claim c = app.takenBy("c");
        app.toldLostTo(c, a);
    }

    /** What is told was true at some moment within the call. */
    @Test
    default void g8_nobodyIsToldOfAHoldThatWasOverBeforeItAsked() {
        for (Rally rally : rallies()) {
            Map<AttemptId, Tenure> tenures = new HashMap<>();
            rally.tenures().forEach(tenure -> tenures.put(tenure.claim().attempt(), tenure));
            assertThat(rally.told()).isNotEmpty();
            for (Told told : rally.told()) {
                Tenure tenure = tenures.get(told.running().attempt());
                assertThat(tenure).as("the hold that %s names", told).isNotNull();
                assertThat(told.running().fence()).isEqualTo(tenure.claim().fence());
                assertThat(tenure.mayHaveHeldWithin(told))
                        .as("%s held while %s was asked", tenure, told)
                        .isTrue();
            }
        }
    }

    // G9: losing is a value.

    /** Takes, renewals, ends and repeats of ends, all at once on one app: nothing but answers. */
    @Test
    default void g9_contentionRaisesNothing() {
        for (int i = 0; i < Contenders.rounds(ROUNDS) / CLAIMS_EACH; i++) {
            Trial app = Trial.on(subject());
            List<Boolean> done = Contenders.race(OWNERS, owner -> {
                for (int n = 0; n < CLAIMS_EACH; n++) {
                    contend(app, "owner-" + owner);
                }
                return true;
            });
            assertThat(done).hasSize(OWNERS);
        }
    }

    private static void contend(Trial app, String owner) {
        ClaimOutcome outcome = app.ask(owner);
        assertThat(outcome).isInstanceOfAny(Claimed.class, InProgress.class);
        if (outcome instanceof Claimed won) {
            app.renew(won.claim());
            app.end(won.claim(), FAILED);
            app.end(won.claim(), FAILED);
            // No word, if a rival has the row just now; but never held.
            assertThat(app.renew(won.claim()) instanceof Renewal.Held).isFalse();
        }
    }

    // G10: text is compared exactly.

    /** K16: a name that did not fit was cut, and never found again. */
    @Test
    default void g10_textsThatLookAlikeAreDifferentKeys() {
        Map<String, Claim> held = new HashMap<>();
        String salt = Trial.newSlug().value();
        for (String text : Texts.DISTINCT) {
            Trial app = new Trial(subject(), AppId.of(salt + text), Trial.newSlug());
            held.put(text, app.takenBy("a"));
        }
        held.forEach((text, claim) -> {
            Trial app = new Trial(subject(), claim.app(), Trial.newSlug());
            Trial.assertIs(claim, app.toldInProgress("b"));
            assertThat(app.find(claim.attempt()).app()).isEqualTo(claim.app());
            assertThat(subject().deployments().current(claim.app()))
                    .hasValueSatisfying(current -> assertThat(current.id()).isEqualTo(claim.attempt()));
        });
        assertThat(subject().claims().renew(held.values()))
                .hasSize(held.size())
                .allSatisfy((claim, renewal) -> only(Renewal.Held.class, renewal));
    }

    @Test
    default void g10_textsThatLookAlikeAreDifferentRequestKeys() {
        Trial app = Trial.on(subject());
        Map<String, Claim> ended = new HashMap<>();
        for (String text : Texts.DISTINCT) {
            Claim claim = app.takenBy(app.wish("a").keyed(text));
            app.end(claim, FAILED);
            ended.put(text, claim);
        }
        ended.forEach((text, claim) ->
                assertThat(app.toldAlreadyRun(app.wish("b").keyed(text)).id()).isEqualTo(claim.attempt()));
    }

    @Test
    default void g10_labelsAndOutcomesAreTheSameWhenTheyAreRead() {
        for (String text : Texts.DISTINCT) {
            Trial app = Trial.on(subject());
            Claim a = app.takenBy(app.wish(text));
            assertThat(app.toldInProgress("b").holder().label()).isEqualTo(text);
            app.end(a, new Ending.Failed(text));
            assertThat(app.find(a.attempt()).holder().label()).isEqualTo(text);
            assertThat(app.state(a)).isEqualTo(new Ending.Failed(text));

            Claim b = app.takenBy("b");
            app.end(b, new Ending.NotStarted(text));
            assertThat(app.state(b)).isEqualTo(new Ending.NotStarted(text));
        }
    }

    @Test
    default void g10_theLongestTextsFit() {
        AppId id = AppId.of(Texts.ofBytes(Trial.newSlug().value(), 255));
        Slug slug = Slug.of((Trial.newSlug().value() + "x".repeat(63)).substring(0, 63));
        Trial app = new Trial(subject(), id, slug);
        Wish wish = app.wish(Texts.ofBytes("holder", 200)).keyed(Texts.ofBytes("key", 255));
        Claim a = app.takenBy(wish);
        assertThat(app.toldInProgress("b").holder().label()).isEqualTo(wish.holder());
        Ending live = new Ending.Live(URI.create("https://example.com/" + "p".repeat(Ending.MAX_URL - 20)));
        app.end(a, live);
        Deployment found = app.find(a.attempt());
        assertThat(found.app()).isEqualTo(id);
        assertThat(found.slug()).isEqualTo(slug);
        assertThat(found.holder().label()).isEqualTo(wish.holder());
        assertThat(found.state()).isEqualTo(live);
        assertThat(app.toldAlreadyRun(
                                app.wish("b").keyed(wish.requestKey().get().value()))
                        .id())
                .isEqualTo(a.attempt());

        Claim b = app.takenBy("b");
        Ending failed = new Ending.Failed(Texts.ofBytes("error", Ending.MAX_TEXT));
        app.end(b, failed);
        assertThat(app.state(b)).isEqualTo(failed);
    }

    @Test
    default void g10_anyBuildLogCanBeFinishedWith() {
        String log = "\0\ud83d half a pair, \udd25 the other half, \ud83d\udd25 both, ".repeat(250_000);
        Trial app = Trial.on(subject());
        for (Ending ending : List.of(new Ending.Failed(log), new Ending.NotStarted(log))) {
            Claim a = app.takenBy("a");
            app.end(a, ending);
            assertThat(app.state(a)).isEqualTo(ending);
            app.end(app.takenBy("b"), FAILED);
        }
    }

    // G11: durations.

    @Test
    default void g11_theLongestLimitDoesNotOverflow() {
        Duration longest = Duration.ofDays(365);
        Trial app = Trial.on(subject());
        Claimed a = app.toldClaimed(app.wish("a").within(longest));
        assertThat(a.remaining()).isBetween(longest.minus(A_MINUTE), longest);
        assertThat(app.toldHeld(a.claim())).isBetween(longest.minus(A_MINUTE), longest);
        subject().letPass(longest.minus(A_MINUTE));
        Incumbent told = app.toldInProgress("b");
        assertThat(told.silentFor()).isBetween(longest.minus(A_MINUTE), longest);
        assertThat(told.takeableIn()).isLessThanOrEqualTo(A_MINUTE);
        subject().letPass(A_MINUTE);
        app.takenBy(app.wish("b").within(longest));
    }

    /** A limit that is rounded down lets others in too early. */
    @Test
    default void g11_aFractionOfTheResolutionIsRoundedUp() {
        Duration limit = Duration.ofHours(1).plusMillis(999);
        Trial app = Trial.on(subject());
        Claim a = app.takenBy(app.wish("a").within(limit));
        assertWholeLimit(limit, app.toldInProgress("b"));
        app.toldHeld(a);
        assertWholeLimit(limit, app.toldInProgress("b"));
    }

    private static void assertWholeLimit(Duration limit, Incumbent told) {
        // The two are told by one statement, though maybe not by one look at the clock.
        assertThat(told.silentFor().plus(told.takeableIn())).isBetween(limit.minusMillis(100), limit.plusSeconds(1));
    }

    @Test
    default void g11_theShortestLimitIsTakenAtOnce() {
        Trial app = Trial.on(subject());
        Claimed a = app.toldClaimed(app.wish("a").within(Duration.ofNanos(1)));
        assertThat(a.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(1));
        subject().letPass(Duration.ofSeconds(1));
        app.takenBy("b");
    }

    // G12: repeated endings.

    @Test
    default void g12_theFirstEndingStandsAndIsReturned() {
        for (Ending first : List.of(FAILED, NOT_STARTED, live("a"))) {
            Trial app = Trial.on(subject());
            Claim a = app.ended("a", first);
            assertFirstStands(app, a, first);
            Claim b = app.takenBy("b");
            assertFirstStands(app, a, first);
            app.end(b, live("b"));
            assertFirstStands(app, a, first);
        }
    }

    private static void assertFirstStands(Trial app, Claim a, Ending first) {
        String before = app.dump();
        for (Ending again : List.of(first, FAILED, NOT_STARTED, live("a"), live("other"))) {
            Trial.toldEnded(first, app.finish(a, again));
        }
        assertThat(app.dump()).isEqualTo(before);
    }

    @Test
    default void g12_ofManyEndingsAtOnceOneStandsAndAllAreToldIt() {
        Trial app = Trial.on(subject());
        for (int i = 0; i < Contenders.rounds(ROUNDS); i++) {
            Claim a = app.takenBy("a");
            List<FinishOutcome> told = Contenders.race(OWNERS, n -> app.finish(a, new Ending.Failed("error " + n)));
            FinishOutcome standing = new FinishOutcome.Ended(only(Ending.class, app.state(a)));
            assertThat(told).containsOnly(standing);
            app.end(app.takenBy("b"), FAILED);
        }
    }

    // G13: no memory.

    /** K17: a row that had once been there was remembered, and so there was never again a lock until a restart. */
    @Test
    default void g13_aRowThatWasDeletedByHandIsGone() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy(app.wish("a").keyed("key"));
        subject().deleteByHand(app.app());
        app.toldOver(a);
        assertThat(app.finish(a, FAILED))
                .isInstanceOfSatisfying(
                        FinishOutcome.Lost.class, lost -> assertThat(lost.to()).isEmpty());
        assertThat(subject().deployments().find(a.attempt())).isEmpty();
        assertThat(subject().deployments().current(app.app())).isEmpty();

        Claim b = app.takenBy(app.wish("b").keyed("key"));
        Trial.assertIs(b, app.toldInProgress("c"));
        app.end(b, live("b"));
        subject().deleteByHand(app.app());
        app.under(Trial.newSlug()).takenBy("c");
        Trial.on(subject()).under(app.slug()).takenBy("d");
    }

    @Test
    default void g13_anEmptiedStoreBeginsAnew() {
        Trial app = Trial.on(subject());
        Trial other = Trial.on(subject());
        Claim a = app.ended("a", live("a"));
        Claim b = other.takenBy("b");
        subject().wipe();
        app.toldOver(a);
        other.toldOver(b);
        assertThat(app.liveId()).isEmpty();
        assertThat(subject().deployments().recent(app.app(), 10)).isEmpty();

        other.takenBy("c");
        app.under(Trial.newSlug()).ended("d", live("d"));
        assertThat(app.liveId()).isPresent();
    }

    /** K17 again: what failed once must not be remembered as done. */
    @Test
    default void g13_aFailedFirstCallIsForgotten() {
        Trial owner = Trial.on(subject());
        Wish used = owner.wish("a");
        owner.takenBy(used);

        Trial app = Trial.on(subject());
        only(SlugTaken.class, app.under(owner.slug()).ask("b"));
        assertThatThrownBy(() -> app.ask(used.forApp(app.app()).under(app.slug())))
                .isInstanceOf(IllegalArgumentException.class);
        Claim c = app.takenBy("c");
        Trial.assertIs(c, app.toldInProgress("d"));
    }

    // G14: renewing many.

    @Test
    default void g14_eachOfABatchHasItsOwnAnswer() {
        Trial kept = Trial.on(subject());
        Trial lost = Trial.on(subject());
        Trial ended = Trial.on(subject());
        Claim a = kept.takenBy("a");
        Claim taken = lost.takenBy("a");
        subject().letPass(LIMIT);
        Claim b = lost.takenBy("b");
        Claim over = ended.ended("a", FAILED);
        Claim forged = new Claim(kept.app(), AttemptId.random(), a.fence());
        Claim unknown = new Claim(Trial.newApp(), AttemptId.random(), new Fence(1));

        List<Claim> batch = List.of(unknown, forged, a, taken, a, over, b, unknown, a);
        Map<Claim, Renewal> said = subject().claims().renew(batch);
        assertThat(said).containsOnlyKeys(a, b, taken, over, forged, unknown);
        assertThat(only(Renewal.Held.class, said.get(a)).remaining()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
        only(Renewal.Held.class, said.get(b));
        Trial.assertIs(b, only(Renewal.Lost.class, said.get(taken)).to().orElseThrow());
        Trial.assertIs(a, only(Renewal.Lost.class, said.get(forged)).to().orElseThrow());
        assertThat(said.get(over)).isEqualTo(said.get(unknown));
        assertThat(only(Renewal.Lost.class, said.get(unknown)).to()).isEmpty();

        subject().letPass(LIMIT.minus(A_MINUTE));
        Trial.assertIs(a, kept.toldInProgress("c"));
        Trial.assertIs(b, lost.toldInProgress("c"));
    }

    @Test
    default void g14_anEmptyBatchIsAnsweredByNothing() {
        assertThat(subject().claims().renew(List.of())).isEmpty();
    }

    @Test
    default void g14_aBatchOfTenThousandIsAnswered() {
        Map<Claim, Trial> held = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            Trial app = Trial.on(subject());
            held.put(app.takenBy(i % 2 == 0 ? "a" : "b"), app);
        }
        subject().letPass(LIMIT.minus(A_MINUTE));
        String salt = Trial.newApp().value();
        Stream<Claim> strangers = IntStream.range(0, 10_000 - held.size())
                .mapToObj(i -> new Claim(AppId.of(salt + i), AttemptId.random(), new Fence(1 + i)));
        Collection<Claim> batch =
                Stream.concat(strangers, held.keySet().stream()).toList();

        Map<Claim, Renewal> said = subject().claims().renew(batch);
        assertThat(said).hasSize(10_000);
        assertThat(said.keySet().containsAll(batch)).isTrue();
        assertThat(Trial.of(Renewal.Held.class, List.copyOf(said.values()))).hasSize(held.size());
        subject().letPass(LIMIT.minus(A_MINUTE));
        held.forEach((claim, app) -> Trial.assertIs(claim, app.toldInProgress("c")));
    }

    /** Names that an engine's own language could take for something else. */
    @Test
    default void g14_oneMalformedElementDoesNotSpoilTheOthers() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        List<Claim> batch = new ArrayList<>();
        for (String text : Texts.DISTINCT) {
            batch.add(new Claim(AppId.of(text + Trial.newApp().value()), a.attempt(), a.fence()));
        }
        batch.add(new Claim(Trial.newApp(), a.attempt(), new Fence(Long.MAX_VALUE)));
        batch.add(batch.size() / 2, a);
        Map<Claim, Renewal> said = subject().claims().renew(batch);
        assertThat(said).hasSize(batch.size());
        only(Renewal.Held.class, said.remove(a));
        assertThat(said).allSatisfy((claim, renewal) -> only(Renewal.Lost.class, renewal));
    }
}
