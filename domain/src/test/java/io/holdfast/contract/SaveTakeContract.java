package io.holdfast.contract;

import static io.holdfast.contract.Contenders.OWNERS;
import static io.holdfast.contract.Contenders.ROUNDS;
import static io.holdfast.contract.Contenders.race;
import static io.holdfast.contract.Contenders.rounds;
import static io.holdfast.contract.SaveTrial.NOT_SAVED;
import static io.holdfast.contract.SaveTrial.RESULT;
import static io.holdfast.contract.Trial.A_MINUTE;
import static io.holdfast.contract.Trial.LIMIT;
import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Fence;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal.Completed;
import io.holdfast.save.Refusal.InProgress;
import io.holdfast.save.Refusal.OtherPayload;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveOutcome.Over;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
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

/** Who takes, under which fence, and what a repeat gets: rules G1 to G5 of {@code docs/contract.md}, for save tokens. */
interface SaveTakeContract {
    /** The store under test; the same one for the whole of a test. */
    SaveSubject subject();

    // G1: one winner.

    @Test
    default void g1_ofManyTakesOfANewTokenOneIsGranted() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            SaveTrial token = SaveTrial.on(subject());
            assertOneWinner(race(OWNERS, owner -> token.ask("owner-" + owner)));
        }
    }

    @Test
    default void g1_ofManyTakesOfATokenThatWasGivenBackOneIsGranted() {
        SaveTrial token = SaveTrial.on(subject());
        token.ended("first", NOT_SAVED);
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Reservation won = assertOneWinner(race(OWNERS, owner -> token.ask("owner-" + owner)));
            token.ends(won, NOT_SAVED);
        }
    }

    @Test
    default void g1_ofManyTakesOfASilentTokenOneIsGranted() {
        SaveTrial token = SaveTrial.on(subject());
        token.takenBy("silent");
        for (int i = 0; i < rounds(ROUNDS); i++) {
            subject().letPass(LIMIT);
            assertOneWinner(race(OWNERS, owner -> token.ask("owner-" + owner)));
        }
    }

    /** And everybody else is told who that is. */
    private static Reservation assertOneWinner(List<ReserveOutcome> outcomes) {
        List<Reserved> winners = Trial.of(Reserved.class, outcomes);
        assertThat(winners).as("winners among %s", outcomes).hasSize(1);
        Reservation won = winners.get(0).reservation();
        assertThat(Trial.of(InProgress.class, outcomes))
                .hasSize(outcomes.size() - 1)
                .allSatisfy(loser -> SaveTrial.assertIs(won, loser.by()));
        return won;
    }

    // G2: one write decides.

    @Test
    default void g2_noTwoEverHoldAtOnce() {
        Rally.several(() -> SaveTrial.on(subject())).forEach(Rally::assertThatNoTwoHeldAtOnce);
    }

    @Test
    default void g2_aLoserChangesNothing() {
        SaveTrial token = SaveTrial.on(subject());
        token.takenBy("a");
        String before = token.dump();
        token.toldInProgress();
        only(InProgress.class, token.ask(token.wish("c", Duration.ofDays(1))));
        token.saving("another chapter").told(OtherPayload.class);
        assertThat(token.dump()).isEqualTo(before);
    }

    @Test
    default void g2_everyRenewalGetsThroughBesideManyLosers() {
        SaveTrial token = SaveTrial.on(subject());
        Reservation a = token.takenBy("a");
        CountDownLatch losing = new CountDownLatch(OWNERS - 1);
        List<Callable<Boolean>> tasks = new ArrayList<>();
        tasks.add(() -> {
            do {
                assertRenewedWithinATick(token, a);
            } while (losing.getCount() > 0);
            return true;
        });
        for (int i = 1; i < OWNERS; i++) {
            tasks.add(() -> {
                try {
                    for (int n = 0; n < rounds(ROUNDS); n++) {
                        SaveTrial.assertIs(a, token.toldInProgress());
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
    private static void assertRenewedWithinATick(SaveTrial token, Reservation hold) {
        long begun = System.nanoTime();
        Renewal word;
        do {
            word = token.renew(hold);
        } while (word == null && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(2));
        only(Renewal.Held.class, word);
    }

    // G3: the database's clock only.

    @Test
    default void g3_aHostsTimeZoneChangesNothing() {
        TimeZone own = TimeZone.getDefault();
        try {
            SaveTrial token = SaveTrial.on(subject());
            SaveTrial unused = SaveTrial.on(subject());
            Reservation a = token.takenBy("a");
            Instant since = token.toldInProgress().since();
            for (String zone : List.of("Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu")) {
                TimeZone.setDefault(TimeZone.getTimeZone(zone));
                Incumbent told = token.toldInProgress();
                SaveTrial.assertIs(a, told);
                assertThat(told.since()).isEqualTo(since);
                assertThat(told.silentFor()).isLessThan(A_MINUTE);
                assertThat(told.takeableIn()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
                assertThat(token.toldHeld(a)).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
            }
            unused.takenBy("a");
        } finally {
            TimeZone.setDefault(own);
        }
    }

    /** Until the told time is over, counted from when the call was sent, nobody takes. */
    @Test
    default void g3_theTimeThatIsToldNeverReachesBeyondTheRow() {
        SaveTrial token = SaveTrial.on(subject());
        ReserveRequest wish = token.wish("a");
        Reserved reserved = token.toldReserved(wish);
        assertUntakeableFor(reserved.remaining(), token);

        assertUntakeableFor(token.toldHeld(reserved.reservation()), token);

        assertUntakeableFor(token.toldReserved(wish).remaining(), token);

        token.toldHeld(reserved.reservation());
        assertUntakeableFor(token.toldInProgress().takeableIn(), token);
    }

    private static void assertUntakeableFor(Duration told, SaveTrial token) {
        token.store().letPass(told.minus(A_MINUTE));
        token.toldInProgress();
    }

    // G4: fences grow.

    @Test
    default void g4_eachTakeHasAHigherFence() {
        SaveTrial token = SaveTrial.on(subject());
        List<Fence> fences = new ArrayList<>();
        for (String holder : List.of("a", "a", "b")) {
            fences.add(token.ended(holder, NOT_SAVED).fence());
        }
        for (String holder : List.of("a", "b")) {
            fences.add(token.takenBy(holder).fence());
            subject().letPass(LIMIT);
        }
        assertThat(token.settle(fences.get(fences.size() - 1), NOT_SAVED)).isEqualTo(NOT_SAVED);
        fences.add(token.takenBy("c").fence());
        assertThat(fences).doesNotHaveDuplicates().isSorted();
    }

    @Test
    default void g4_fencesGrowInTheOrderOfTheTakesInARace() {
        Rally.several(() -> SaveTrial.on(subject())).forEach(Rally::assertThatFencesGrew);
    }

    @Test
    default void g4_aTokenThatIsIssuedAgainAfterItsRowWasDeletedHasAHigherFence() {
        SaveTrial token = SaveTrial.on(subject());
        Fence last = token.ended("a", NOT_SAVED).fence();
        subject().deleteByHand(token.token());
        token.passClock(last);
        token.issued(SaveTrial.VALID, IfInDoubt.RUN_AGAIN);
        assertThat(token.takenBy("b").fence()).isGreaterThan(last);
    }

    @Test
    default void g4_aRowThatCameBackFromABackupGoesOnWithAHigherFence() {
        SaveTrial token = SaveTrial.on(subject());
        Fence last = token.ended("a", NOT_SAVED).fence();
        subject().setFence(token.token(), new Fence(1));
        token.passClock(last);
        assertThat(token.takenBy("b").fence()).isGreaterThan(last);
    }

    @Test
    default void g4_theLastFenceIsAnErrorAndNeverWraps() {
        SaveTrial token = SaveTrial.on(subject());
        subject().setFence(token.token(), new Fence(Long.MAX_VALUE));
        String before = token.dump();
        assertThatThrownBy(() -> token.ask("a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("fence")
                .hasMessageContaining("exhausted");
        assertThat(token.dump()).isEqualTo(before);
    }

    /** Above 2^53 a floating-point number no longer tells two neighbours apart. */
    @Test
    default void g4_aFenceIsNeverAFloatingPointNumber() {
        SaveTrial token = SaveTrial.on(subject());
        Reservation a = token.takenBy("a");
        long odd = (1L << 53) + 3;
        subject().setFence(token.token(), new Fence(odd));
        for (long neighbour : new long[] {odd - 1, odd + 1}) {
            assertThat(token.renew(new Reservation(token.token(), a.attempt(), new Fence(neighbour))))
                    .isInstanceOf(Renewal.Lost.class);
        }
        Reservation moved = new Reservation(token.token(), a.attempt(), new Fence(odd));
        token.toldHeld(moved);
        token.ends(moved, NOT_SAVED);
        assertThat(token.ended("b", NOT_SAVED).fence()).isEqualTo(new Fence(odd + 1));
        assertThat(token.takenBy("a").fence()).isEqualTo(new Fence(odd + 2));
    }

    // G5: a repeat is a renewal.

    @Test
    default void g5_aRepeatGetsTheSameHoldAndItsTimeAgain() {
        for (IfInDoubt ifInDoubt : IfInDoubt.values()) {
            SaveTrial token = SaveTrial.on(subject(), ifInDoubt);
            ReserveRequest wish = token.wish("a");
            Reserved first = token.toldReserved(wish);
            for (int i = 0; i < 3; i++) {
                subject().letPass(LIMIT.minus(A_MINUTE));
                Reserved again = token.toldReserved(wish);
                assertThat(again.reservation()).isEqualTo(first.reservation());
                assertThat(again.takenOverFrom()).isEmpty();
                assertThat(again.remaining()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
                Incumbent told = token.toldInProgress();
                SaveTrial.assertIs(first.reservation(), told);
                assertThat(told.silentFor()).isLessThan(A_MINUTE);
                assertThat(told.takeableIn()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
            }
        }
    }

    @Test
    default void g5_aRepeatAfterASilenceStillHolds() {
        for (IfInDoubt ifInDoubt : IfInDoubt.values()) {
            SaveTrial token = SaveTrial.on(subject(), ifInDoubt);
            ReserveRequest wish = token.wish("a");
            Reserved first = token.toldReserved(wish);
            subject().letPass(LIMIT.multipliedBy(2));
            assertThat(token.toldReserved(wish).reservation()).isEqualTo(first.reservation());
            SaveTrial.assertIs(first.reservation(), token.toldInProgress());
        }
    }

    @Test
    default void g5_aRepeatOfATakeOverNamesTheSameAttemptAgain() {
        SaveTrial token = SaveTrial.on(subject());
        Reservation a = token.takenBy("a");
        subject().letPass(LIMIT);
        ReserveRequest wish = token.wish("b");
        Reserved first = token.toldReserved(wish);
        assertThat(first.takenOverFrom()).contains(a.attempt());
        assertThat(token.toldReserved(wish).reservation()).isEqualTo(first.reservation());
        assertThat(token.toldReserved(wish).takenOverFrom()).contains(a.attempt());
        token.ends(first.reservation(), NOT_SAVED);
        assertThat(token.ask(wish)).isInstanceOf(Over.class);
    }

    @Test
    default void g5_repeatsAtOnceTakeOnce() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            SaveTrial token = SaveTrial.on(subject());
            List<ReserveRequest> wishes = List.of(token.wish("a"), token.wish("b"));
            List<ReserveOutcome> outcomes = race(OWNERS, n -> token.ask(wishes.get(n % 2)));
            Set<Reservation> holds = Trial.of(Reserved.class, outcomes).stream()
                    .map(Reserved::reservation)
                    .collect(Collectors.toSet());
            assertThat(holds).as("holds among %s", outcomes).hasSize(1);
            Reservation won = holds.iterator().next();
            assertThat(Trial.of(Reserved.class, outcomes)).hasSize(OWNERS / 2);
            assertThat(Trial.of(InProgress.class, outcomes))
                    .hasSize(OWNERS / 2)
                    .allSatisfy(loser -> SaveTrial.assertIs(won, loser.by()));
        }
    }

    @Test
    default void g5_anAttemptThatHasOneTokenIsNoneTheNearerToAnother() {
        SaveTrial token = SaveTrial.on(subject());
        SaveTrial other = SaveTrial.on(subject());
        ReserveRequest wish = token.wish("a");
        token.takenBy(wish);
        Reservation b = other.takenBy("b");
        String before = token.dump();
        ReserveRequest same =
                new ReserveRequest(other.token(), wish.attempt(), wish.payload(), wish.holder(), wish.limit());
        Trial.assertIs(b, only(InProgress.class, other.ask(same)).by());
        assertThat(token.dump()).isEqualTo(before);
    }

    /** Also when the packet that arrives after the end is the first one that was sent. */
    @Test
    default void g5_anAttemptThatHasEndedIsToldSoAndTakesNothing() {
        SaveTrial given = SaveTrial.on(subject());
        ReserveRequest wish = given.wish("a");
        given.ends(given.takenBy(wish), NOT_SAVED);
        assertToldAndUnchanged(Over.class, given, wish);
        assertThat(given.toldReserved(given.wish("b")).takenOverFrom()).isEmpty();

        SaveTrial used = SaveTrial.on(subject());
        wish = used.wish("a");
        used.ends(used.takenBy(wish), RESULT);
        assertThat(assertToldAndUnchanged(Completed.class, used, wish).result()).isEqualTo(RESULT);
    }

    private static <T> T assertToldAndUnchanged(Class<T> answer, SaveTrial token, ReserveRequest wish) {
        String before = token.dump();
        T told = only(answer, token.ask(wish));
        assertThat(token.dump()).isEqualTo(before);
        return told;
    }

    @Test
    default void g5_anAttemptThatWasTakenOverTakesNothing() {
        SaveTrial token = SaveTrial.on(subject());
        ReserveRequest wish = token.wish("a");
        token.takenBy(wish);
        subject().letPass(LIMIT);
        Reservation b = token.takenBy("b");
        SaveTrial.assertIs(
                b, assertToldAndUnchanged(InProgress.class, token, wish).by());
        token.ends(b, RESULT);
        assertToldAndUnchanged(Completed.class, token, wish);
    }
}
