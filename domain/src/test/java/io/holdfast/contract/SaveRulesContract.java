package io.holdfast.contract;

import static io.holdfast.contract.Contenders.OWNERS;
import static io.holdfast.contract.Contenders.ROUNDS;
import static io.holdfast.contract.Contenders.race;
import static io.holdfast.contract.Contenders.rounds;
import static io.holdfast.contract.SaveTrial.NOT_SAVED;
import static io.holdfast.contract.SaveTrial.RESULT;
import static io.holdfast.contract.SaveTrial.VALID;
import static io.holdfast.contract.SaveTrial.result;
import static io.holdfast.contract.Trial.A_MINUTE;
import static io.holdfast.contract.Trial.LIMIT;
import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Fence;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.NotDone;
import io.holdfast.save.Ending;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal;
import io.holdfast.save.Refusal.Completed;
import io.holdfast.save.Refusal.Expired;
import io.holdfast.save.Refusal.InDoubt;
import io.holdfast.save.Refusal.InProgress;
import io.holdfast.save.Refusal.OtherPayload;
import io.holdfast.save.Refusal.Unknown;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveToken;
import io.holdfast.save.SaveTokenStore.EndOutcome;
import io.holdfast.save.SaveTokenStore.Lost;
import io.holdfast.save.Saving;
import io.holdfast.save.TokenDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** What a token is for: rules S1 to S8 of {@code docs/contract.md}. */
interface SaveRulesContract {
    /** The store under test; the same one for the whole of a test. */
    SaveSubject subject();

    // S1: issued, then reserved by one.

    @Test
    default void s1_aTokenIsReservedByOneOfManyAndOnlyOnceItIsIssued() {
        SaveTrial token = SaveTrial.unissued(subject());
        assertThat(race(OWNERS, n -> token.ask("owner-" + n))).containsOnly(new Refusal.Unknown());
        token.issued(VALID, IfInDoubt.REFUSE);
        List<ReserveOutcome> outcomes = race(OWNERS, n -> token.ask("owner-" + n));
        List<Reserved> won = Trial.of(Reserved.class, outcomes);
        assertThat(won).as("winners among %s", outcomes).hasSize(1);
        assertThat(won.get(0).takenOverFrom()).isEmpty();
        token.ends(won.get(0).reservation(), RESULT);
        assertThat(race(OWNERS, n -> token.ask("owner-" + n))).containsOnly(new Completed(RESULT));
    }

    /** Whatever has become of it: a repeat must not make a used token good again, nor a token better than it was. */
    @Test
    default void s1_issuingAgainChangesNothing() {
        for (Ending ending : List.of(RESULT, NOT_SAVED)) {
            SaveTrial token = SaveTrial.unissued(subject()).issued(LIMIT.multipliedBy(3), IfInDoubt.REFUSE);
            assertIssuingChangesNothing(token);
            Reservation a = token.takenBy("a");
            assertIssuingChangesNothing(token);
            subject().letPass(LIMIT);
            assertIssuingChangesNothing(token);
            token.toldInDoubt();
            token.ends(a, ending);
            assertIssuingChangesNothing(token);
            subject().letPass(LIMIT.multipliedBy(2));
            assertIssuingChangesNothing(token);
        }
    }

    private static void assertIssuingChangesNothing(SaveTrial token) {
        String before = token.dump();
        token.issued(Duration.ofDays(365), IfInDoubt.RUN_AGAIN);
        assertThat(token.dump()).isEqualTo(before);
    }

    @Test
    default void s1_issuedByManyAtOnceItIsIssuedOnce() {
        for (int i = 0; i < rounds(ROUNDS) / 4; i++) {
            SaveTrial token = SaveTrial.unissued(subject());
            List<ReserveOutcome> outcomes =
                    race(OWNERS, n -> token.issued(VALID, IfInDoubt.RUN_AGAIN).ask("owner-" + n));
            assertThat(Trial.of(Reserved.class, outcomes)).hasSize(1);
            assertThat(Trial.of(InProgress.class, outcomes)).hasSize(OWNERS - 1);
        }
    }

    // S2: everybody after gets that result, byte for byte.

    @Test
    default void s2_theResultIsGivenBackByteForByte() {
        byte[] every = new byte[3 * 256];
        for (int i = 0; i < every.length; i++) {
            every[i] = (byte) i;
        }
        for (SaveResult result : List.of(
                SaveResult.of(new byte[0]),
                SaveResult.of(new byte[] {0}),
                SaveResult.of(every),
                SaveResult.of(new byte[SaveResult.MAX_BYTES]),
                result("{\"b\": 1, \"a\": \"\\u0000\"} "))) {
            SaveTrial token = SaveTrial.on(subject());
            token.ended("a", result);
            token.toldCompleted(result);
            subject().letPass(VALID.multipliedBy(2));
            token.toldCompleted(result);
        }
    }

    @Test
    default void s2_whoAsksWhileItIsCompletedIsToldToWaitOrGetsTheResult() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            SaveTrial token = SaveTrial.on(subject());
            Reservation a = token.takenBy("a");
            SaveResult result = result("result " + i);
            List<Callable<Object>> tasks = new ArrayList<>();
            tasks.add(() -> token.end(a, result));
            for (int n = 1; n < OWNERS; n++) {
                tasks.add(() -> token.ask("b"));
            }
            for (Object outcome : race(tasks)) {
                assertThat(outcome).isInstanceOfAny(SaveResult.class, InProgress.class, Completed.class);
                if (outcome instanceof Completed completed) {
                    assertThat(completed.result()).isEqualTo(result);
                }
            }
            token.toldCompleted(result);
        }
    }

    @Test
    default void s2_aResultStandsAlsoIfTheClockIsSetBack() {
        SaveTrial token = SaveTrial.on(subject());
        token.ended("a", RESULT);
        subject().letPass(Duration.ofHours(-1));
        String before = token.dump();
        token.toldCompleted(RESULT);
        assertThat(token.dump()).isEqualTo(before);
    }

    @Test
    default void s2_aResultIsForgottenAfterItsTimeAndNotBefore() {
        SaveTrial token = SaveTrial.on(subject());
        SaveTrial takenOver = SaveTrial.on(subject());
        takenOver.takenBy("silent");
        subject().letPass(LIMIT);
        takenOver.ended("a", RESULT);
        Reservation a = token.ended("a", RESULT);
        subject().letPass(Duration.ofHours(1));
        token.forget(Duration.ofHours(2));
        token.toldCompleted(RESULT);
        takenOver.toldCompleted(RESULT);
        assertThat(token.forget(Duration.ofHours(1))).isPositive();
        token.told(Unknown.class);
        takenOver.told(Unknown.class);
        token.toldLost(a);
    }

    // S3: in between, told to wait.

    @Test
    default void s3_whoComesWhileItIsReservedIsToldForHowLongToWait() {
        for (IfInDoubt ifInDoubt : IfInDoubt.values()) {
            SaveTrial token = SaveTrial.on(subject(), ifInDoubt);
            Reservation a = token.takenBy("a");
            subject().letPass(A_MINUTE);
            Incumbent told = token.toldInProgress();
            SaveTrial.assertIs(a, told);
            assertThat(told.takeableIn()).isBetween(LIMIT.minus(A_MINUTE.multipliedBy(2)), LIMIT.minus(A_MINUTE));
            subject().letPass(told.takeableIn());
            assertThat(token.ask("b")).isNotInstanceOf(InProgress.class);
        }
    }

    // S4: order of answers.

    @Test
    default void s4_anotherPayloadComesBeforeAllButTheUnknown() {
        SaveTrial token = SaveTrial.unissued(subject());
        SaveTrial other = token.saving("another chapter");
        other.told(Unknown.class);
        token.issued(VALID, IfInDoubt.REFUSE);
        ReserveRequest wish = token.wish("a");
        Reservation a = token.takenBy(wish);
        other.told(OtherPayload.class);
        subject().letPass(VALID);
        String before = token.dump();
        only(
                OtherPayload.class,
                other.ask(new ReserveRequest(
                        token.token(), wish.attempt(), other.payload(), wish.holder(), wish.limit())));
        assertThat(token.dump()).isEqualTo(before);
        other.told(OtherPayload.class);
        SaveTrial.assertIs(a, token.toldInDoubt());
        token.ends(a, RESULT);
        other.told(OtherPayload.class);
        token.toldCompleted(RESULT);
    }

    @Test
    default void s4_aResultADoubtAndAHolderComeBeforeTheExpiry() {
        SaveTrial used = SaveTrial.on(subject());
        SaveTrial doubtful = SaveTrial.on(subject(), IfInDoubt.REFUSE);
        SaveTrial held = SaveTrial.on(subject());
        SaveTrial again = SaveTrial.on(subject());
        used.ended("a", RESULT);
        Reservation a = doubtful.takenBy("a");
        Reservation b = held.takenBy(held.wish("b", VALID.multipliedBy(2)));
        Reservation c = again.takenBy("c");
        subject().letPass(VALID);
        used.toldCompleted(RESULT);
        SaveTrial.assertIs(a, doubtful.toldInDoubt());
        SaveTrial.assertIs(b, held.toldInProgress());
        SaveTrial.assertIs(c, again.toldInDoubt());
    }

    /** Whoever takes over goes on with the payload that was begun with. */
    @Test
    default void s4_theFingerprintIsKeptAtATakeOver() {
        SaveTrial token = SaveTrial.on(subject());
        token.takenBy("a");
        subject().letPass(LIMIT);
        token.saving("another chapter").told(OtherPayload.class);
        token.takenBy("b");
        token.saving("another chapter").told(OtherPayload.class);
    }

    // S5: given back.

    @Test
    default void s5_aTokenThatWasGivenBackMayBeUsedAtOnceAndForAnotherPayload() {
        for (IfInDoubt ifInDoubt : IfInDoubt.values()) {
            SaveTrial token = SaveTrial.on(subject(), ifInDoubt);
            token.ended("a", NOT_SAVED);
            SaveTrial other = token.saving("another chapter");
            Reserved b = other.toldReserved(other.wish("b"));
            assertThat(b.takenOverFrom()).isEmpty();
            token.told(OtherPayload.class);
            other.ends(b.reservation(), RESULT);
            other.toldCompleted(RESULT);
        }
    }

    /** It knows that it has written nothing itself, and nothing about whom it took over. */
    @Test
    default void s5_whoTookOverGivesBackForItselfAlone() {
        SaveTrial token = SaveTrial.on(subject());
        SaveTrial other = token.saving("another chapter");
        Reservation a = token.takenBy("a");
        subject().letPass(LIMIT);
        for (String taker : List.of("b", "c")) {
            Reserved taken = token.toldReserved(token.wish(taker));
            assertThat(taken.takenOverFrom()).contains(a.attempt());
            token.ends(taken.reservation(), NOT_SAVED);
            other.told(OtherPayload.class);
        }
        Reservation d = token.takenBy("d");
        subject().letPass(LIMIT);
        Reserved e = token.toldReserved(token.wish("e"));
        assertThat(e.takenOverFrom()).contains(d.attempt());
        token.ends(e.reservation(), RESULT);
        token.toldCompleted(RESULT);
    }

    /** He has looked, and so it is of all that had the token. */
    @Test
    default void s5_anOperatorGivesBackForAll() {
        SaveTrial silent = SaveTrial.on(subject());
        SaveTrial givenBack = SaveTrial.on(subject());
        silent.takenBy("a");
        givenBack.takenBy("a");
        subject().letPass(LIMIT);
        Reservation b = silent.takenBy("b");
        Reservation c = givenBack.ended("c", NOT_SAVED);
        subject().letPass(LIMIT);
        assertGivenBackForAll(silent, b);
        assertGivenBackForAll(givenBack, c);
    }

    private static void assertGivenBackForAll(SaveTrial token, Reservation last) {
        assertThat(token.settle(last.fence(), NOT_SAVED)).isEqualTo(NOT_SAVED);
        SaveTrial other = token.saving("another chapter");
        assertThat(other.toldReserved(other.wish("d")).takenOverFrom()).isEmpty();
    }

    // S6: a silent reservation.

    @Test
    default void s6_aTokenToBeRunAgainIsTakenFromASilentHolder() {
        SaveTrial token = SaveTrial.on(subject());
        Reservation a = token.takenBy("a");
        subject().letPass(LIMIT.minus(A_MINUTE));
        SaveTrial.assertIs(a, token.toldInProgress());
        subject().letPass(A_MINUTE);
        Reserved b = token.toldReserved(token.wish("b"));
        assertThat(b.takenOverFrom()).contains(a.attempt());
        assertThat(b.reservation().fence()).isGreaterThan(a.fence());
        token.toldLostTo(b.reservation(), a);
        token.ends(b.reservation(), RESULT);
        token.toldLost(a);
        token.toldCompleted(RESULT);
    }

    @Test
    default void s6_aTokenToBeRefusedIsInDoubtUntilItsHolderCompletesAfterAll() {
        SaveTrial token = SaveTrial.on(subject(), IfInDoubt.REFUSE);
        Reservation a = token.takenBy("a");
        subject().letPass(LIMIT.multipliedBy(2));
        String before = token.dump();
        for (int i = 0; i < 3; i++) {
            Incumbent told = token.toldInDoubt();
            SaveTrial.assertIs(a, told);
            assertThat(told.takeableIn()).isZero();
            assertThat(told.silentFor())
                    .isBetween(LIMIT.multipliedBy(2), LIMIT.multipliedBy(2).plus(A_MINUTE));
        }
        assertThat(race(OWNERS, n -> token.ask("owner-" + n))).hasOnlyElementsOfType(InDoubt.class);
        assertThat(token.dump()).isEqualTo(before);
        token.ends(a, RESULT);
        token.toldCompleted(RESULT);
    }

    @Test
    default void s6_aSilentHolderThatIsSettledIsToldWhatStands() {
        for (IfInDoubt ifInDoubt : IfInDoubt.values()) {
            for (Ending word : List.of(RESULT, NOT_SAVED)) {
                SaveTrial token = SaveTrial.on(subject(), ifInDoubt);
                Reservation a = token.takenBy("a");
                subject().letPass(LIMIT);
                assertThat(token.settle(a.fence(), word)).isEqualTo(word);
                String before = token.dump();
                for (Ending again : List.of(result("after all"), NOT_SAVED)) {
                    assertThat(token.end(a, again)).isEqualTo(word);
                    assertThat(token.settle(a.fence(), again)).isEqualTo(word);
                }
                token.toldOver(a);
                assertThat(token.dump()).isEqualTo(before);
            }
        }
    }

    @Test
    default void s6_aDoubtThatNobodyHasIsSettledByTheFenceOfTheLast() {
        for (Ending word : List.of(RESULT, NOT_SAVED)) {
            SaveTrial token = SaveTrial.on(subject());
            Reservation a = token.takenBy("a");
            subject().letPass(LIMIT);
            Reservation b = token.ended("b", NOT_SAVED);
            assertThat(only(Lost.class, token.settle(a.fence(), word)).to()).isEmpty();
            assertThat(token.settle(b.fence(), word)).isEqualTo(word);
            String before = token.dump();
            for (Ending again : List.of(result("after all"), NOT_SAVED)) {
                assertThat(token.end(b, again)).isEqualTo(word);
                assertThat(token.settle(b.fence(), again)).isEqualTo(word);
            }
            assertThat(token.dump()).isEqualTo(before);
        }
    }

    @Test
    default void s6_whatWasSettledIsUsedOrFreeForEverybody() {
        SaveTrial written = SaveTrial.on(subject(), IfInDoubt.REFUSE);
        SaveTrial free = SaveTrial.on(subject(), IfInDoubt.REFUSE);
        Fence seen = written.takenBy("a").fence();
        Fence seenToo = free.takenBy("a").fence();
        subject().letPass(LIMIT);
        assertThat(written.settle(seen, RESULT)).isEqualTo(RESULT);
        assertThat(free.settle(seenToo, NOT_SAVED)).isEqualTo(NOT_SAVED);
        written.toldCompleted(RESULT);
        SaveTrial other = free.saving("another chapter");
        assertThat(other.toldReserved(other.wish("b")).takenOverFrom()).isEmpty();
    }

    /** It may be alive again, or another's by now. */
    @Test
    default void s6_nobodyButASilentHolderByTheFenceThatWasSeenIsSettled() {
        for (Ending word : List.of(RESULT, NOT_SAVED)) {
            SaveTrial token = SaveTrial.on(subject());
            Reservation a = token.takenBy("a");
            assertNotSettled(token, a, a.fence(), word);
            subject().letPass(LIMIT);
            assertNotSettled(token, a, new Fence(Long.MAX_VALUE), word);
            assertNotSettled(token, a, new Fence(a.fence().value() + 1), word);
            token.toldHeld(a);
            assertNotSettled(token, a, a.fence(), word);
            subject().letPass(LIMIT);
            Reservation b = token.takenBy("b");
            assertNotSettled(token, b, a.fence(), word);
            token.ends(b, RESULT);
            assertThat(only(Lost.class, token.settle(a.fence(), word)).to()).isEmpty();
            SaveTrial unknown = SaveTrial.unissued(subject());
            assertThat(only(Lost.class, unknown.settle(a.fence(), word)).to()).isEmpty();
            unknown.told(Unknown.class);
        }
    }

    private static void assertNotSettled(SaveTrial token, Reservation holder, Fence seen, Ending word) {
        String before = token.dump();
        assertThat(only(Lost.class, token.settle(seen, word)).to())
                .hasValueSatisfying(incumbent -> SaveTrial.assertIs(holder, incumbent));
        assertThat(token.dump()).isEqualTo(before);
    }

    /** The holder comes back, and an operator settles it, in one moment. */
    @Test
    default void s6_ofTheHoldersWordAndTheOperatorsOneStandsAndBothAreToldIt() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            SaveTrial token = SaveTrial.on(subject(), IfInDoubt.REFUSE);
            Reservation a = token.takenBy("a");
            subject().letPass(LIMIT);
            List<Callable<EndOutcome>> words = new ArrayList<>();
            for (int n = 0; n < OWNERS / 2; n++) {
                words.add(() -> token.end(a, RESULT));
                words.add(() -> token.settle(a.fence(), NOT_SAVED));
            }
            List<EndOutcome> told = race(words);
            assertThat(told).containsOnly(told.get(0));
            if (told.get(0) instanceof SaveResult) {
                token.toldCompleted(RESULT);
            } else {
                token.takenBy("b");
            }
        }
    }

    /** The holder comes back, and others take over, in one moment: never both. */
    @Test
    default void s6_aTokenIsCompletedByItsSilentHolderOrTakenOver() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            SaveTrial token = SaveTrial.on(subject());
            Reservation a = token.takenBy("a");
            subject().letPass(LIMIT);
            List<Callable<Object>> tasks = new ArrayList<>();
            tasks.add(() -> token.end(a, RESULT));
            for (int n = 1; n < OWNERS; n++) {
                tasks.add(() -> token.ask("b"));
            }
            List<Object> told = race(tasks);
            List<Reserved> takers = Trial.of(Reserved.class, told);
            if (told.get(0) instanceof SaveResult) {
                assertThat(takers).isEmpty();
                token.toldCompleted(RESULT);
            } else {
                assertThat(takers).hasSize(1);
                token.toldLostTo(takers.get(0).reservation(), a);
            }
        }
    }

    @Test
    default void s6_whatSomebodyHasIsNeverForgotten() {
        for (IfInDoubt ifInDoubt : IfInDoubt.values()) {
            SaveTrial token = SaveTrial.on(subject(), ifInDoubt);
            Reservation a = token.takenBy("a");
            subject().letPass(VALID.multipliedBy(2));
            String before = token.dump();
            token.forget(Duration.ZERO);
            assertThat(token.dump()).isEqualTo(before);
            token.ends(a, RESULT);
        }
    }

    @Test
    default void s6_whatIsInDoubtIsNeverForgotten() {
        SaveTrial token = SaveTrial.on(subject());
        token.takenBy("a");
        subject().letPass(LIMIT);
        token.ended("b", NOT_SAVED);
        subject().letPass(VALID.multipliedBy(2));
        String before = token.dump();
        token.forget(Duration.ZERO);
        assertThat(token.dump()).isNotEmpty().isEqualTo(before);
    }

    // S7: expiry, at the reservation only.

    @Test
    default void s7_aTokenCanBeReservedUntilItExpiresAndNotAfter() {
        SaveTrial fresh = SaveTrial.on(subject());
        SaveTrial givenBack = SaveTrial.on(subject());
        givenBack.ended("a", NOT_SAVED);
        subject().letPass(VALID.minus(A_MINUTE));
        givenBack.ended("b", NOT_SAVED);
        fresh.ended("b", NOT_SAVED);
        subject().letPass(A_MINUTE);
        fresh.told(Expired.class);
        givenBack.told(Expired.class);
    }

    /** A silent one is not taken over either, and yet its holder may come back. */
    @Test
    default void s7_whoHasReservedMayCompleteLater() {
        for (IfInDoubt ifInDoubt : IfInDoubt.values()) {
            SaveTrial token = SaveTrial.on(subject(), ifInDoubt);
            Reservation a = token.takenBy("a");
            subject().letPass(VALID.multipliedBy(2));
            SaveTrial.assertIs(a, token.toldInDoubt());
            token.toldHeld(a);
            SaveTrial.assertIs(a, token.toldInProgress());
            token.ends(a, RESULT);
            token.toldCompleted(RESULT);
        }
    }

    /** Who is told that it expired is told that nothing was written. */
    @Test
    default void s7_aDoubtOutlivesTheExpiryUntilItIsSettled() {
        for (Ending word : List.of(RESULT, NOT_SAVED)) {
            SaveTrial silent = SaveTrial.on(subject());
            SaveTrial givenBack = SaveTrial.on(subject());
            Reservation a = silent.takenBy("a");
            givenBack.takenBy("a");
            subject().letPass(LIMIT);
            silent.toldHeld(a);
            Reservation b = givenBack.ended("b", NOT_SAVED);
            subject().letPass(VALID.multipliedBy(2));
            assertDoubtOutlivesTheExpiry(silent, a, word);
            assertDoubtOutlivesTheExpiry(givenBack, b, word);
        }
    }

    private static void assertDoubtOutlivesTheExpiry(SaveTrial token, Reservation last, Ending word) {
        SaveTrial.assertIs(last, token.toldInDoubt());
        assertThat(token.settle(last.fence(), word)).isEqualTo(word);
        assertThat(token.ask("c")).isEqualTo(word instanceof SaveResult saved ? new Completed(saved) : new Expired());
    }

    @Test
    default void s7_whatExpiredUnusedIsForgottenInBatches() {
        subject().wipe();
        List<SaveTrial> expired = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            expired.add(SaveTrial.on(subject()));
        }
        expired.get(0).ended("a", NOT_SAVED);
        subject().letPass(VALID.plus(A_MINUTE));
        SaveTrial fresh = SaveTrial.on(subject());
        assertThat(fresh.forget(A_MINUTE.multipliedBy(2))).isZero();
        assertThat(subject().saveTokens().forget(A_MINUTE, 3)).isEqualTo(3);
        assertThat(subject().saveTokens().forget(A_MINUTE, 3)).isEqualTo(2);
        assertThat(subject().saveTokens().forget(A_MINUTE, 3)).isZero();
        expired.forEach(token -> token.told(Unknown.class));
        fresh.takenBy("a");
    }

    /** However many they are, and wherever they are found. */
    @Test
    default void s7_whatIsKeptStandsInNobodysWay() {
        subject().wipe();
        List<SaveTrial> held = new ArrayList<>();
        List<SaveTrial> inDoubt = new ArrayList<>();
        List<SaveTrial> expired = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            SaveTrial.unissued(subject()).issued(VALID.multipliedBy(4), IfInDoubt.RUN_AGAIN);
            held.add(SaveTrial.on(subject()));
            inDoubt.add(SaveTrial.on(subject()));
            expired.add(SaveTrial.on(subject()));
            held.get(i).takenBy("a");
            inDoubt.get(i).takenBy("a");
        }
        subject().letPass(LIMIT);
        inDoubt.forEach(token -> token.ended("b", NOT_SAVED));
        subject().letPass(VALID.multipliedBy(2));
        for (int i = 0; i < expired.size(); i++) {
            assertThat(subject().saveTokens().forget(Duration.ZERO, 1)).isEqualTo(1);
        }
        expired.forEach(token -> token.told(Unknown.class));
        held.forEach(SaveTrial::toldInDoubt);
        inDoubt.forEach(SaveTrial::toldInDoubt);
    }

    // S8: digests only.

    /** A part of it would be found by trying, sooner or later, and then others' results are told. */
    @Test
    default void s8_aTokenIsKnownByTheWholeOfItsDigest() {
        SaveTrial token = SaveTrial.on(subject());
        token.ended("a", RESULT);
        for (int i = 0; i < 32; i++) {
            byte[] almost = token.token().bytes();
            almost[i] ^= 1;
            SaveTrial other = new SaveTrial(subject(), TokenDigest.ofSha256(almost), token.payload());
            other.issued(VALID, IfInDoubt.REFUSE).takenBy("b");
        }
    }

    @Test
    default void s8_nothingOfATokenIsInTheStoreOnceItWasUsed() throws NotDone {
        SaveToken token;
        try (Heartbeats heartbeats = Heartbeats.everyHalfMinute()) {
            Saving saving = new Saving(subject().saveTokens(), heartbeats, new Holder("a"));
            token = saving.issue(VALID, IfInDoubt.REFUSE);
            saving.save(token, SaveTrial.fingerprint("chapter 7"), (reservation, takenOverFrom, pulse) -> RESULT);
        }
        String secret = token.reveal().substring(SaveToken.PREFIX.length());
        String hex = HexFormat.of().formatHex(Base64.getUrlDecoder().decode(secret));
        assertThat(subject().dump(token.digest())).isNotEmpty().doesNotContainIgnoringCase(secret, hex);
    }
}
