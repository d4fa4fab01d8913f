package io.holdfast.contract;

import static io.holdfast.contract.Contenders.OWNERS;
import static io.holdfast.contract.Contenders.ROUNDS;
import static io.holdfast.contract.Contenders.race;
import static io.holdfast.contract.Contenders.rounds;
import static io.holdfast.contract.SaveTrial.NOT_SAVED;
import static io.holdfast.contract.SaveTrial.RESULT;
import static io.holdfast.contract.SaveTrial.result;
import static io.holdfast.contract.Trial.A_MINUTE;
import static io.holdfast.contract.Trial.LIMIT;
import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.save.Ending;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal.InProgress;
import io.holdfast.save.Refusal.Unknown;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveTokenStore.EndOutcome;
import io.holdfast.save.SaveTokenStore.Lost;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a holder and a loser may do and are told: rules G6 to G14, for save tokens. */
interface SaveHoldContract {
    /** The store under test; the same one for the whole of a test. */
    SaveSubject subject();

    // G6: only the holder's writes count.

    @Test
    default void g6_aForgedAttemptIsToldThatItLostAndChangesNothing() {
        SaveTrial token = SaveTrial.on(subject());
        Reservation a = token.takenBy("the same host");
        Reservation other = SaveTrial.on(subject()).takenBy("the same host");
        assertLostAndNothingChanged(token, a, forged(a, AttemptId.random(), a.fence()));
        assertLostAndNothingChanged(token, a, forged(a, other.attempt(), a.fence()));
        assertLostAndNothingChanged(token, a, forged(a, other.attempt(), other.fence()));
    }

    @Test
    default void g6_aForgedFenceIsToldThatItLostAndChangesNothing() {
        SaveTrial token = SaveTrial.on(subject());
        Reservation a = token.takenBy("a");
        long held = a.fence().value();
        LongStream.of(1, held - 1, held + 1, Long.MAX_VALUE)
                .filter(fence -> fence > 0 && fence != held)
                .forEach(fence -> assertLostAndNothingChanged(token, a, forged(a, a.attempt(), new Fence(fence))));
    }

    @Test
    default void g6_whoWasTakenOverIsToldToWhomAndChangesNothing() {
        SaveTrial token = SaveTrial.on(subject());
        Reservation a = token.takenBy("the same host");
        subject().letPass(LIMIT);
        Reservation b = token.takenBy("the same host");
        assertLostAndNothingChanged(token, b, a);
    }

    @Test
    default void g6_afterTheEndNeitherAForgedNorAStaleHoldChangesAnything() {
        for (Ending ending : List.of(RESULT, NOT_SAVED)) {
            SaveTrial token = SaveTrial.on(subject());
            Reservation a = token.takenBy("a");
            subject().letPass(LIMIT);
            Reservation b = token.ended("b", ending);
            String before = token.dump();
            token.toldLost(a);
            token.toldLost(forged(b, AttemptId.random(), b.fence()));
            token.toldLost(forged(b, b.attempt(), new Fence(b.fence().value() + 1)));
            token.toldOver(b);
            assertThat(token.dump()).isEqualTo(before);
        }
    }

    @Test
    default void g6_aReservationOfOneTokenIsNoneOfAnother() {
        SaveTrial token = SaveTrial.on(subject());
        SaveTrial other = SaveTrial.on(subject());
        Reservation a = token.takenBy("a");
        Reservation b = other.takenBy("b");
        assertLostAndNothingChanged(other, b, forged(b, a.attempt(), a.fence()));
        token.toldHeld(a);
    }

    private static Reservation forged(Reservation hold, AttemptId attempt, Fence fence) {
        return new Reservation(hold.token(), attempt, fence);
    }

    private static void assertLostAndNothingChanged(SaveTrial token, Reservation holder, Reservation forged) {
        String before = token.dump();
        token.toldLostTo(holder, forged);
        assertThat(token.dump()).isEqualTo(before);
    }

    // G7: only a taker ends a hold.

    @Test
    default void g7_aSilentHolderMayRenewUntilItIsTaken() {
        for (IfInDoubt ifInDoubt : IfInDoubt.values()) {
            SaveTrial token = SaveTrial.on(subject(), ifInDoubt);
            Reservation a = token.takenBy("a");
            subject().letPass(Duration.ofHours(1));
            assertThat(token.toldHeld(a)).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
            SaveTrial.assertIs(a, token.toldInProgress());
        }
    }

    @Test
    default void g7_aSilentHolderMayEndUntilItIsTaken() {
        for (IfInDoubt ifInDoubt : IfInDoubt.values()) {
            SaveTrial token = SaveTrial.on(subject(), ifInDoubt);
            Reservation a = token.takenBy("a");
            subject().letPass(Duration.ofHours(1));
            token.ends(a, RESULT);
            token.toldCompleted(RESULT);
        }
    }

    @Test
    default void g7_theHoldersOwnLimitDecides() {
        SaveTrial patient = SaveTrial.on(subject());
        SaveTrial hasty = SaveTrial.on(subject());
        Reservation a = patient.takenBy(patient.wish("a", Duration.ofHours(2)));
        hasty.takenBy(hasty.wish("a", A_MINUTE));
        subject().letPass(Duration.ofHours(1));
        SaveTrial.assertIs(
                a,
                only(InProgress.class, patient.ask(patient.wish("b", A_MINUTE))).by());
        hasty.takenBy(hasty.wish("b", Duration.ofHours(2)));

        // Renewed by its own limit, too.
        assertThat(patient.toldHeld(a)).isGreaterThan(Duration.ofHours(1));
        subject().letPass(Duration.ofHours(1));
        SaveTrial.assertIs(a, patient.toldInProgress());
    }

    @Test
    default void g7_eachTakerBringsItsOwnLimit() {
        SaveTrial token = SaveTrial.on(subject());
        token.takenBy(token.wish("a", A_MINUTE));
        subject().letPass(A_MINUTE);
        Duration ownLimit = Duration.ofHours(2);
        for (String taker : List.of("b", "c")) {
            Reservation hold = token.takenBy(token.wish(taker, ownLimit));
            subject().letPass(ownLimit.dividedBy(2));
            assertThat(token.toldHeld(hold)).isGreaterThan(ownLimit.minus(A_MINUTE));
            token.ends(hold, NOT_SAVED);
            ownLimit = ownLimit.multipliedBy(2);
        }
    }

    @Test
    default void g7_aRenewalNeverMovesASignOfLifeBackwards() {
        SaveTrial token = SaveTrial.on(subject());
        ReserveRequest wish = token.wish("a");
        Reservation a = token.takenBy(wish);
        // The database's clock is set back, and later put right.
        subject().letPass(Duration.ofHours(-1));
        token.toldHeld(a);
        token.toldReserved(wish);
        subject().letPass(Duration.ofHours(1));
        Incumbent told = token.toldInProgress();
        SaveTrial.assertIs(a, told);
        assertThat(told.silentFor()).isLessThan(A_MINUTE);
        assertThat(told.takeableIn()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
    }

    // G8: the loser is told the truth in the same call.

    @Test
    default void g8_theLoserIsToldWhoHoldsSinceWhenAndForHowLong() {
        SaveTrial token = SaveTrial.on(subject());
        Reservation a = token.takenBy("host-1 (pid 42)");
        Instant since = token.toldInProgress().since();
        subject().letPass(A_MINUTE);
        token.toldHeld(a);
        subject().letPass(A_MINUTE);
        Incumbent told = token.toldInProgress();
        SaveTrial.assertIs(a, told);
        assertThat(told.holder().label()).isEqualTo("host-1 (pid 42)");
        // Time that is let pass moves what was.
        assertThat(told.since()).isBetween(since.minus(A_MINUTE.multipliedBy(2)), since);
        assertThat(told.silentFor()).isBetween(A_MINUTE, A_MINUTE.multipliedBy(2));
        assertThat(told.takeableIn()).isBetween(LIMIT.minus(A_MINUTE.multipliedBy(2)), LIMIT.minus(A_MINUTE));
    }

    @Test
    default void g8_theNextLoserIsToldOfTheNextHolder() {
        SaveTrial token = SaveTrial.on(subject());
        for (String holder : List.of("a", "b", "a")) {
            Reservation hold = token.takenBy(holder);
            Incumbent told = token.toldInProgress();
            SaveTrial.assertIs(hold, told);
            assertThat(told.holder().label()).isEqualTo(holder);
            token.ends(hold, NOT_SAVED);
        }
    }

    @Test
    default void g8_eachHolderHasHeldSinceItsOwnTake() {
        SaveTrial token = SaveTrial.on(subject());
        SaveTrial other = SaveTrial.on(subject());
        token.takenBy("a");
        Instant first = token.toldInProgress().since();
        subject().letPass(Duration.ofHours(1));
        token.takenBy("b");
        other.takenBy("b");
        Instant justNow = other.toldInProgress().since();
        Incumbent told = token.toldInProgress();
        assertThat(told.since()).isAfter(first).isBetween(justNow.minus(A_MINUTE), justNow);
        assertThat(told.silentFor()).isLessThan(A_MINUTE);
    }

    @Test
    default void g8_whoLosesAHoldIsToldWhoHoldsItNow() {
        SaveTrial token = SaveTrial.on(subject());
        Reservation a = token.takenBy("a");
        subject().letPass(LIMIT);
        Reservation b = token.takenBy("b");
        token.toldLostTo(b, a);
        token.ends(b, NOT_SAVED);
        token.toldLost(a);
        Reservation c = token.takenBy("c");
        token.toldLostTo(c, a);
        token.toldLostTo(c, b);
    }

    @Test
    default void g8_everyAnswerThatNamesAHolderNamesItWhole() {
        SaveTrial token = SaveTrial.on(subject());
        Reservation a = token.takenBy("a");
        subject().letPass(LIMIT);
        Reservation b = token.takenBy("b");
        subject().letPass(A_MINUTE);
        Incumbent told = token.toldInProgress();
        for (Incumbent other : List.of(
                only(Renewal.Lost.class, token.renew(a)).to().orElseThrow(),
                only(Lost.class, token.end(a, NOT_SAVED)).to().orElseThrow(),
                only(Lost.class, token.settle(a.fence(), NOT_SAVED)).to().orElseThrow())) {
            SaveTrial.assertIs(b, other);
            assertThat(other.holder()).isEqualTo(told.holder());
            assertThat(other.since()).isEqualTo(told.since());
            assertThat(other.silentFor()).isBetween(A_MINUTE, A_MINUTE.multipliedBy(2));
            assertThat(other.takeableIn()).isBetween(LIMIT.minus(A_MINUTE.multipliedBy(2)), LIMIT.minus(A_MINUTE));
        }
    }

    @Test
    default void g8_nobodyIsToldOfAHoldThatWasOverBeforeItAsked() {
        Rally.several(() -> SaveTrial.on(subject())).forEach(Rally::assertThatLosersWereToldTheTruth);
    }

    // G9: losing is a value.

    @Test
    default void g9_contentionRaisesNothing() {
        for (int i = 0; i < rounds(ROUNDS) / 4; i++) {
            SaveTrial token = SaveTrial.on(subject());
            List<Boolean> done = race(OWNERS, owner -> {
                for (int n = 0; n < 5; n++) {
                    contend(token, "owner-" + owner);
                }
                return true;
            });
            assertThat(done).hasSize(OWNERS);
        }
    }

    private static void contend(SaveTrial token, String owner) {
        ReserveOutcome outcome = token.ask(owner);
        assertThat(outcome).isInstanceOfAny(Reserved.class, InProgress.class);
        if (outcome instanceof Reserved won) {
            token.renew(won.reservation());
            token.ends(won.reservation(), NOT_SAVED);
            // No word, if a rival has the row just now; but never held.
            assertThat(token.renew(won.reservation()) instanceof Renewal.Held).isFalse();
        }
    }

    // G10: text is compared exactly.

    @Test
    default void g10_labelsAndResultsAreTheSameWhenTheyAreRead() {
        for (String text : Texts.DISTINCT) {
            SaveTrial token = SaveTrial.on(subject());
            Reservation a = token.takenBy(text);
            assertThat(token.toldInProgress().holder().label()).isEqualTo(text);
            token.ends(a, result(text));
            token.toldCompleted(result(text));
        }
    }

    @Test
    default void g10_theLongestLabelFits() {
        SaveTrial token = SaveTrial.on(subject());
        String label = Texts.ofBytes("holder", 200);
        token.takenBy(label);
        assertThat(token.toldInProgress().holder().label()).isEqualTo(label);
    }

    // G11: durations.

    @Test
    default void g11_theLongestTimesDoNotOverflow() {
        Duration longest = Duration.ofDays(365);
        SaveTrial token = SaveTrial.unissued(subject()).issued(longest, IfInDoubt.RUN_AGAIN);
        SaveTrial unused = SaveTrial.unissued(subject()).issued(longest, IfInDoubt.RUN_AGAIN);
        Reserved a = token.toldReserved(token.wish("a", longest));
        assertThat(a.remaining()).isBetween(longest.minus(A_MINUTE), longest);
        assertThat(token.toldHeld(a.reservation())).isBetween(longest.minus(A_MINUTE), longest);
        subject().letPass(longest.minus(A_MINUTE));
        Incumbent told = token.toldInProgress();
        assertThat(told.silentFor()).isBetween(longest.minus(A_MINUTE), longest);
        assertThat(told.takeableIn()).isLessThanOrEqualTo(A_MINUTE);
        unused.takenBy("b");
    }

    /** A limit that is rounded down lets others in too early. */
    @Test
    default void g11_aFractionOfTheResolutionIsRoundedUp() {
        Duration limit = Duration.ofHours(1).plusMillis(999);
        SaveTrial token = SaveTrial.on(subject());
        Reservation a = token.takenBy(token.wish("a", limit));
        assertWholeLimit(limit, token.toldInProgress());
        token.toldHeld(a);
        assertWholeLimit(limit, token.toldInProgress());
    }

    private static void assertWholeLimit(Duration limit, Incumbent told) {
        // The two are told by one statement, though maybe not by one look at the clock.
        assertThat(told.silentFor().plus(told.takeableIn())).isBetween(limit.minusMillis(100), limit.plusSeconds(1));
    }

    @Test
    default void g11_aTimeThatIsNoneIsRefusedAndChangesNothing() {
        SaveTrial token = SaveTrial.unissued(subject());
        for (Duration time : List.of(
                Duration.ZERO,
                Duration.ofNanos(-1),
                Duration.ofDays(365).plusNanos(1),
                Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatThrownBy(() -> token.issued(time, IfInDoubt.RUN_AGAIN))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a save token must be valid for more than 0 and at most 365 days: " + time);
        }
        token.told(Unknown.class);
        for (Duration time : List.of(Duration.ofNanos(-1), Duration.ofDays(365).plusNanos(1))) {
            assertThatThrownBy(() -> token.forget(time))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("used save tokens are kept for 0 to 365 days: " + time);
        }
        assertThatThrownBy(() -> subject().saveTokens().forget(Duration.ZERO, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("forget 1 save token or more, not 0");
    }

    // G12: repeated endings.

    @Test
    default void g12_theFirstEndingStandsAndIsReturned() {
        for (Ending first : List.of(RESULT, NOT_SAVED)) {
            SaveTrial token = SaveTrial.on(subject());
            Reservation a = token.ended("a", first);
            String before = token.dump();
            for (Ending again : List.of(first, NOT_SAVED, RESULT, result("another one"))) {
                assertThat(token.end(a, again)).isEqualTo(first);
            }
            assertThat(token.dump()).isEqualTo(before);
        }
    }

    @Test
    default void g12_ofManyEndingsAtOnceOneStandsAndAllAreToldIt() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            SaveTrial token = SaveTrial.on(subject());
            Reservation a = token.takenBy("a");
            List<EndOutcome> told = race(OWNERS, n -> token.end(a, n == 0 ? NOT_SAVED : result("result " + n)));
            EndOutcome standing = told.get(0);
            assertThat(standing).isInstanceOf(Ending.class);
            assertThat(told).containsOnly(standing);
            if (standing instanceof SaveResult result) {
                token.toldCompleted(result);
            } else {
                token.takenBy("b");
            }
        }
    }

    // G13: no memory.

    @Test
    default void g13_aRowThatWasDeletedByHandIsGone() {
        for (Ending ending : List.of(RESULT, NOT_SAVED)) {
            SaveTrial token = SaveTrial.on(subject());
            Reservation a = token.takenBy("a");
            subject().deleteByHand(token.token());
            token.toldLost(a);
            token.told(Unknown.class);
            token.issued(SaveTrial.VALID, IfInDoubt.REFUSE);
            Reservation b = token.takenBy("b");
            SaveTrial.assertIs(b, token.toldInProgress());
            token.ends(b, ending);
            subject().deleteByHand(token.token());
            token.told(Unknown.class);
        }
    }

    @Test
    default void g13_anEmptiedStoreBeginsAnew() {
        SaveTrial token = SaveTrial.on(subject());
        SaveTrial other = SaveTrial.on(subject());
        Reservation a = token.ended("a", RESULT);
        Reservation b = other.takenBy("b");
        subject().wipe();
        token.toldLost(a);
        other.toldLost(b);
        token.told(Unknown.class);
        other.issued(SaveTrial.VALID, IfInDoubt.RUN_AGAIN).takenBy("c");
    }

    /** What failed once must not be remembered. */
    @Test
    default void g13_aTokenThatWasUnknownIsKnownOnceItIsIssued() {
        SaveTrial token = SaveTrial.unissued(subject());
        token.told(Unknown.class);
        token.issued(SaveTrial.VALID, IfInDoubt.RUN_AGAIN);
        Reservation a = token.takenBy("a");
        SaveTrial.assertIs(a, token.toldInProgress());
    }

    // G14: renewing many.

    @Test
    default void g14_eachOfABatchHasItsOwnAnswer() {
        SaveTrial kept = SaveTrial.on(subject());
        SaveTrial lost = SaveTrial.on(subject());
        SaveTrial used = SaveTrial.on(subject());
        Reservation a = kept.takenBy("a");
        Reservation taken = lost.takenBy("a");
        subject().letPass(LIMIT);
        Reservation b = lost.takenBy("b");
        Reservation over = used.ended("a", RESULT);
        Reservation forged = forged(a, AttemptId.random(), a.fence());
        Reservation unknown = new Reservation(SaveTrial.unissued(subject()).token(), AttemptId.random(), new Fence(1));

        List<Reservation> batch = List.of(unknown, forged, a, taken, a, over, b, unknown, a);
        subject().letPass(A_MINUTE.multipliedBy(2));
        Map<Reservation, Renewal> said = subject().saveTokens().renew(batch);
        assertThat(said).containsOnlyKeys(a, b, taken, over, forged, unknown);
        for (Reservation held : List.of(a, b)) {
            assertThat(only(Renewal.Held.class, said.get(held)).remaining()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
        }
        SaveTrial.assertIs(b, only(Renewal.Lost.class, said.get(taken)).to().orElseThrow());
        SaveTrial.assertIs(a, only(Renewal.Lost.class, said.get(forged)).to().orElseThrow());
        assertThat(only(Renewal.Lost.class, said.get(over)).to()).isEmpty();
        assertThat(only(Renewal.Lost.class, said.get(unknown)).to()).isEmpty();

        subject().letPass(LIMIT.minus(A_MINUTE));
        SaveTrial.assertIs(a, kept.toldInProgress());
        SaveTrial.assertIs(b, lost.toldInProgress());
    }

    /** Each part of it is in the batch, and it is not. */
    @Test
    default void g14_twoHoldsMakeNoThird() {
        SaveTrial one = SaveTrial.on(subject());
        SaveTrial other = SaveTrial.on(subject());
        Reservation a = one.takenBy("a");
        Reservation b = other.takenBy("b");
        List<Reservation> mixed = List.of(
                forged(a, b.attempt(), b.fence()),
                forged(b, a.attempt(), a.fence()),
                forged(a, a.attempt(), new Fence(a.fence().value() + 1)),
                forged(b, AttemptId.random(), b.fence()));
        subject().letPass(A_MINUTE);
        String before = one.dump() + other.dump();
        assertThat(subject().saveTokens().renew(mixed))
                .hasSize(4)
                .allSatisfy((hold, said) -> only(Renewal.Lost.class, said));
        assertThat(one.dump() + other.dump()).isEqualTo(before);
    }

    @Test
    default void g14_anEmptyBatchIsAnsweredByNothing() {
        assertThat(subject().saveTokens().renew(List.of())).isEmpty();
    }

    @Test
    default void g14_aBatchOfTenThousandIsAnswered() {
        Map<Reservation, SaveTrial> held = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            SaveTrial token = SaveTrial.on(subject());
            held.put(token.takenBy(i % 2 == 0 ? "a" : "b"), token);
        }
        subject().letPass(LIMIT.minus(A_MINUTE));
        Stream<Reservation> strangers = IntStream.range(0, 10_000 - held.size())
                .mapToObj(i ->
                        new Reservation(SaveTrial.unissued(subject()).token(), AttemptId.random(), new Fence(1 + i)));
        Collection<Reservation> batch =
                Stream.concat(strangers, held.keySet().stream()).toList();

        Map<Reservation, Renewal> said = subject().saveTokens().renew(batch);
        assertThat(said).hasSize(10_000);
        assertThat(said.keySet().containsAll(batch)).isTrue();
        assertThat(Trial.of(Renewal.Held.class, List.copyOf(said.values()))).hasSize(held.size());
        subject().letPass(LIMIT.minus(A_MINUTE));
        held.forEach((hold, token) -> SaveTrial.assertIs(hold, token.toldInProgress()));
    }

    @Test
    default void g14_oneHoldThatCannotBeDoesNotSpoilTheOthers() {
        SaveTrial token = SaveTrial.on(subject());
        Reservation a = token.takenBy("a");
        List<Reservation> batch = new ArrayList<>();
        for (long fence : new long[] {a.fence().value() + 1, Long.MAX_VALUE}) {
            batch.add(forged(a, a.attempt(), new Fence(fence)));
            batch.add(new Reservation(SaveTrial.unissued(subject()).token(), a.attempt(), new Fence(fence)));
        }
        batch.add(batch.size() / 2, a);
        Map<Reservation, Renewal> said = subject().saveTokens().renew(batch);
        assertThat(said).hasSize(batch.size());
        only(Renewal.Held.class, said.remove(a));
        assertThat(said).allSatisfy((hold, renewal) -> only(Renewal.Lost.class, renewal));
    }
}
