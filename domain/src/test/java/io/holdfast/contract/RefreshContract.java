package io.holdfast.contract;

import static io.holdfast.contract.Contenders.OWNERS;
import static io.holdfast.contract.Contenders.ROUNDS;
import static io.holdfast.contract.Contenders.race;
import static io.holdfast.contract.Contenders.rounds;
import static io.holdfast.contract.Lineage.A_MINUTE;
import static io.holdfast.contract.Lineage.FAMILY;
import static io.holdfast.contract.Lineage.GRACE;
import static io.holdfast.contract.Lineage.TERMS;
import static io.holdfast.contract.Lineage.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RefreshToken;
import io.holdfast.refresh.RotateOutcome;
import io.holdfast.refresh.RotateOutcome.Refused;
import io.holdfast.refresh.RotateOutcome.Replayed;
import io.holdfast.refresh.RotateOutcome.Reused;
import io.holdfast.refresh.RotateOutcome.Rotated;
import io.holdfast.refresh.RotateOutcome.Why;
import io.holdfast.refresh.RotatingRefreshTokens;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/**
 * What every store of refresh tokens must do: rules G1 to G3, G9 to G13 and R1 to R8 of {@code docs/contract.md}, as far as
 * they mean something where nothing is held. Generations are called by their numbers; the tokens that they stand for are
 * the domain's business.
 */
public interface RefreshContract {
    /** The store under test; the same one for the whole of a test, empty or not. */
    RefreshSubject subject();

    // G1: one winner.

    /** K27: a token that was good for one use was redeemed several times, between a check and an update. */
    @Test
    default void g1_ofManyWhoPresentOneTokenOneRotatesIt() {
        Lineage family = Lineage.on(subject());
        for (long current = 1; current <= rounds(ROUNDS); current++) {
            assertOneRotation(family, current, OWNERS);
        }
    }

    static void assertOneRotation(Lineage family, long current, int contenders) {
        List<RotateOutcome<Generation>> outcomes = race(contenders, n -> family.rotate(current));
        assertThat(of(Rotated.class, outcomes))
                .as("rotations among %s", outcomes)
                .isEqualTo(1);
        assertThat(outcomes.stream().filter(family.replayed(current)::equals)).hasSize(contenders - 1);
    }

    private static long of(Class<?> kind, List<?> outcomes) {
        return outcomes.stream().filter(kind::isInstance).count();
    }

    @Test
    default void g1_ofManyWhoOpenOneFamilyOneDoes() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Lineage family = Lineage.unknown(subject());
            List<RotateOutcome<Generation>> outcomes = race(OWNERS, n -> {
                family.open(TERMS);
                return family.rotate(1);
            });
            assertThat(of(Rotated.class, outcomes))
                    .as("rotations among %s", outcomes)
                    .isEqualTo(1);
            family.toldReplayed(1);
            family.toldRotated(2);
        }
    }

    // G2: one write decides.

    @Test
    default void g2_aLoserChangesNothing() {
        Lineage family = Lineage.on(subject()).rotated(1, 3);
        assertChangesNothing(family, () -> family.toldReplayed(2));
        assertChangesNothing(family, () -> family.toldRefused(Why.OVERTAKEN, 1));
        subject().letPass(FAMILY);
        assertChangesNothing(family, () -> family.toldRefused(Why.EXPIRED, 1));
        assertChangesNothing(family, () -> family.toldRefused(Why.EXPIRED, 3));
        family.revoke();
        assertChangesNothing(family, () -> family.assertRevoked(3));
        Lineage unknown = Lineage.unknown(subject());
        assertChangesNothing(unknown, () -> unknown.toldRefused(Why.UNKNOWN, 1));
    }

    private static void assertChangesNothing(Lineage family, Runnable presented) {
        String before = family.dump();
        presented.run();
        assertThat(family.dump()).isEqualTo(before);
    }

    @Test
    default void g2_aRotationBesideAReplayLosesNothing() {
        Lineage family = Lineage.on(subject());
        family.toldRotated(1);
        for (long current = 2; current < rounds(ROUNDS); current++) {
            long now = current;
            List<RotateOutcome<Generation>> outcomes = race(OWNERS, n -> family.rotate(n % 2 == 0 ? now : now - 1));
            assertThat(of(Rotated.class, outcomes))
                    .as("rotations among %s", outcomes)
                    .isEqualTo(1);
            for (int n = 1; n < OWNERS; n += 2) {
                assertThat(outcomes.get(n)).isIn(family.replayed(now - 1), new Refused<>(Why.OVERTAKEN));
            }
        }
    }

    /** K27: the second one wrote over what the first had done. */
    @Test
    default void g2_aRevocationBesideRotationsIsNeverLost() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Lineage family = Lineage.on(subject());
            race(OWNERS, n -> {
                if (n == 0) {
                    family.revoke();
                    return new Refused<Generation>(Why.REVOKED);
                }
                return family.rotate(1);
            });
            family.assertRevoked(2);
        }
    }

    // G3: the database's clock only.

    @Test
    default void g3_aHostsTimeZoneChangesNothing() {
        TimeZone own = TimeZone.getDefault();
        try {
            Lineage family = Lineage.on(subject());
            family.toldRotated(1);
            for (String zone : List.of("Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu")) {
                TimeZone.setDefault(TimeZone.getTimeZone(zone));
                family.toldReplayed(1);
            }
        } finally {
            TimeZone.setDefault(own);
        }
    }

    // G9: losing is a value.

    @Test
    default void g9_contentionRaisesNothing() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Lineage family = Lineage.unknown(subject());
            List<Callable<Object>> tasks = new ArrayList<>();
            for (int n = 0; n < 2; n++) {
                tasks.add(() -> family.rotate(1));
                tasks.add(() -> family.rotate(4));
                tasks.add(() -> {
                    family.open(TERMS);
                    return family.rotate(1);
                });
                tasks.add(() -> {
                    family.revoke();
                    return family.tokens().forget(GRACE, 10);
                });
            }
            assertThat(race(tasks)).hasSize(tasks.size());
        }
    }

    @Test
    default void g9_aFamilyThatNobodyHasOpenedIsUnknown() {
        Lineage family = Lineage.unknown(subject());
        family.toldRefused(Why.UNKNOWN, 1);
        family.toldRefused(Why.UNKNOWN, 1_000);
        String before = family.dump();
        family.revoke();
        assertThat(family.dump()).isEqualTo(before);
        family.toldRefused(Why.UNKNOWN, 1);
    }

    // G10: keys are compared exactly.

    @Test
    default void g10_idsThatLookAlikeAreDifferentFamilies() {
        UUID id = UUID.randomUUID();
        long high = id.getMostSignificantBits();
        long low = id.getLeastSignificantBits();
        List<Lineage> families = new ArrayList<>();
        for (UUID each : List.of(
                id,
                new UUID(low, high),
                new UUID(high, low ^ 1),
                new UUID(high ^ 1, low),
                new UUID(high ^ 1, low ^ 1),
                new UUID(high ^ Long.MIN_VALUE, low),
                new UUID(high, low ^ Long.MIN_VALUE),
                new UUID(Long.reverseBytes(high), Long.reverseBytes(low)))) {
            families.add(Lineage.of(subject(), new FamilyId(each)));
        }
        for (int i = 0; i < families.size(); i++) {
            families.get(i).open(TERMS);
            families.get(i).rotated(1, 1 + i);
        }
        for (int i = 0; i < families.size(); i++) {
            families.get(i).toldRotated(1 + i);
        }
    }

    // G11: durations.

    @Test
    default void g11_theLongestTermsDoNotOverflow() {
        Duration longest = Duration.ofDays(365);
        Lineage family = Lineage.on(subject(), new FamilyTerms(longest, longest, longest));
        Lineage unused = Lineage.on(subject(), new FamilyTerms(longest, longest, longest));
        family.toldRotated(1);
        subject().letPass(longest.minus(A_MINUTE));
        family.toldReplayed(1);
        unused.toldRotated(1);
        subject().letPass(A_MINUTE);
        family.toldRefused(Why.EXPIRED, 2);
        unused.toldRefused(Why.EXPIRED, 2);
    }

    @Test
    default void g11_termsAreKeptWhole() {
        Duration odd = Duration.ofSeconds(119);
        Lineage family = Lineage.on(subject(), new FamilyTerms(FAMILY, TOKEN, odd));
        Lineage unused = Lineage.on(subject(), new FamilyTerms(FAMILY, odd, odd));
        family.toldRotated(1);
        subject().letPass(Duration.ofSeconds(90));
        family.toldReplayed(1);
        unused.toldRotated(1);
    }

    @Test
    default void g11_theShortestTermsAreOverAtOnce() {
        Duration shortest = Duration.ofNanos(1);
        Lineage family = Lineage.on(subject(), new FamilyTerms(shortest, shortest, shortest));
        subject().letPass(Duration.ofSeconds(1));
        family.toldRefused(Why.EXPIRED, 1);
    }

    // G12: repeated endings.

    @Test
    default void g12_whatIsRevokedStaysAsItIs() {
        Lineage family = Lineage.on(subject()).rotated(1, 4);
        family.revoke();
        String before = family.dump();
        family.revoke();
        family.open(TERMS);
        assertThat(family.dump()).isEqualTo(before);
        family.assertRevoked(4);
    }

    // G13: no memory.

    @Test
    default void g13_aRowThatWasDeletedByHandIsGone() {
        Lineage family = Lineage.on(subject()).rotated(1, 3);
        subject().deleteByHand(family.family());
        family.toldRefused(Why.UNKNOWN, 3);
        family.revoke();
        family.toldRefused(Why.UNKNOWN, 2);
        family.open(TERMS);
        family.toldRotated(1);
    }

    @Test
    default void g13_aTableThatWasEmptiedIsEmpty() {
        Lineage family = Lineage.on(subject());
        family.toldRotated(1);
        family.revoke();
        subject().wipe();
        family.toldRefused(Why.UNKNOWN, 2);
        family.open(TERMS);
        family.toldRotated(1);
    }

    // R1: the current generation becomes the next, in one write.

    /** Never is it spent, and its successor not there yet. */
    @Test
    default void r1_theCurrentTokenGetsTheNext() {
        Lineage family = Lineage.on(subject());
        Lineage other = Lineage.on(subject());
        family.rotated(1, 50);
        other.toldRotated(1);
        subject().letPass(TOKEN.minus(A_MINUTE));
        family.rotated(50, 60);
        other.toldRotated(2);
    }

    // R2: the one before it, within grace since it was used.

    /** K32: the reply was lost, the client asked again, and the family was revoked. */
    @Test
    default void r2_withinTheGraceASpentTokenGetsTheSameSuccessorAgain() {
        Lineage family = Lineage.on(subject()).rotated(1, 5);
        family.toldReplayed(4);
        family.toldReplayed(4);
        subject().letPass(GRACE.minus(A_MINUTE));
        family.toldReplayed(4);
        family.toldRotated(5);
        family.toldReplayed(5);
    }

    /** Also when it was born long before. */
    @Test
    default void r2_theGraceCountsFromTheUse() {
        Lineage family = Lineage.on(subject());
        subject().letPass(TOKEN.minus(A_MINUTE));
        family.toldRotated(1);
        subject().letPass(GRACE.minus(A_MINUTE));
        family.toldReplayed(1);
    }

    @Test
    default void r2_aReplayDoesNotProlongTheGrace() {
        Lineage family = Lineage.on(subject());
        family.toldRotated(1);
        subject().letPass(GRACE.minus(A_MINUTE));
        family.toldReplayed(1);
        subject().letPass(A_MINUTE);
        family.toldReused(1, 2);
    }

    /** K28: two tabs refreshed at once, and most tokens were revoked as reused. */
    @Test
    default void r2_whoComesAtOnceGetsTheSameSuccessorAlsoAgain() {
        for (int i = 0; i < rounds(ROUNDS) / 2; i++) {
            Lineage family = Lineage.on(subject());
            assertOneRotation(family, 1, OWNERS);
            assertThat(race(OWNERS, n -> family.rotate(1))).containsOnly(family.replayed(1));
            family.toldRotated(2);
        }
    }

    // R3: older ones.

    @Test
    default void r3_theOneBeforeThatIsOvertakenAndNothingIsRevoked() {
        Lineage family = Lineage.on(subject()).rotated(1, 5);
        family.toldRefused(Why.OVERTAKEN, 3);
        subject().letPass(GRACE.minus(A_MINUTE));
        family.toldRefused(Why.OVERTAKEN, 3);
        family.toldReplayed(4);
        family.toldRotated(5);
        family.toldRefused(Why.OVERTAKEN, 4);
    }

    @Test
    default void r3_theGraceOfTheOneBeforeThatCountsFromItsOwnUse() {
        Lineage family = Lineage.on(subject());
        subject().letPass(GRACE);
        family.toldRotated(1);
        subject().letPass(GRACE.minus(A_MINUTE));
        family.toldRotated(2);
        family.toldRefused(Why.OVERTAKEN, 1);
        subject().letPass(A_MINUTE);
        family.toldReplayed(2);
        family.toldReused(1, 3);
    }

    @Test
    default void r3_anOlderOneIsReusedHoweverSoonItComes() {
        Lineage.on(subject()).rotated(1, 4).toldReused(1, 4);
        Lineage.on(subject()).rotated(1, 9).toldReused(2, 9);
    }

    @Test
    default void r3_aSpentTokenAfterTheGraceRevokesTheFamily() {
        Lineage family = Lineage.on(subject());
        family.toldRotated(1);
        subject().letPass(GRACE);
        family.toldReused(1, 2);
    }

    /** Nobody else is: a family is all that a thief has. */
    @Test
    default void r3_otherFamiliesAreLeftAlone() {
        Lineage other = Lineage.on(subject());
        other.toldRotated(1);
        Lineage.on(subject()).rotated(1, 5).toldReused(1, 5);
        Lineage.on(subject()).revoke();
        other.toldReplayed(1);
        other.toldRotated(2);
    }

    @Test
    default void r3_aRevokedFamilyIsRevoked() {
        Lineage family = Lineage.on(subject()).rotated(1, 3);
        family.revoke();
        family.assertRevoked(3);
        subject().letPass(GRACE);
        family.assertRevoked(3);
    }

    @Test
    default void r3_ofManyWhoPresentASpentTokenOneIsTold() {
        for (int i = 0; i < rounds(ROUNDS) / 2; i++) {
            Lineage family = Lineage.on(subject()).rotated(1, 4);
            List<RotateOutcome<Generation>> outcomes = race(OWNERS, n -> family.rotate(1));
            assertThat(of(Reused.class, outcomes))
                    .as("reuses among %s", outcomes)
                    .isEqualTo(1);
            assertThat(outcomes.stream().filter(new Refused<>(Why.REVOKED)::equals))
                    .hasSize(OWNERS - 1);
        }
    }

    @Test
    default void r3_aRotationBesideAReuseLeavesNothingUsable() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            assertNothingUsableAfterReuse(Lineage.on(subject()).rotated(1, 4));
        }
    }

    /** Of a family whose current generation is 4. */
    static void assertNothingUsableAfterReuse(Lineage family) {
        List<RotateOutcome<Generation>> outcomes = race(2, n -> family.rotate(n == 0 ? 4 : 1));
        assertThat(outcomes.get(0)).isInstanceOfAny(Rotated.class, Refused.class);
        assertThat(outcomes.get(1)).isEqualTo(new Reused<>(family.family()));
        family.assertRevoked(5);
    }

    // R4: the grace is the family's.

    @Test
    default void r4_eachFamilyHasItsOwnGrace() {
        Duration twice = GRACE.multipliedBy(2);
        Lineage family = Lineage.on(subject());
        Lineage patient = Lineage.on(subject(), new FamilyTerms(FAMILY, TOKEN, twice));
        Lineage last = Lineage.on(subject());
        List.of(family, patient, last).forEach(each -> each.toldRotated(1));
        subject().letPass(GRACE);
        patient.toldReplayed(1);
        family.toldReused(1, 2);
        last.toldReused(1, 2);
        subject().letPass(GRACE);
        patient.toldReused(1, 2);
    }

    @Test
    default void r4_theTermsOfTheOpeningStand() {
        Lineage family = Lineage.on(subject());
        family.toldRotated(1);
        String before = family.dump();
        family.open(new FamilyTerms(FAMILY.multipliedBy(2), TOKEN.multipliedBy(2), GRACE.multipliedBy(2)));
        assertThat(family.dump()).isEqualTo(before);
        subject().letPass(GRACE);
        family.toldReused(1, 2);
    }

    // R5: expiry by database time.

    @Test
    default void r5_aTokenIsOverWhenNobodyHasUsedItInTime() {
        Lineage family = Lineage.on(subject());
        subject().letPass(TOKEN);
        family.toldRefused(Why.EXPIRED, 1);
    }

    @Test
    default void r5_theTimeOfATokenCountsFromItsBirth() {
        Lineage family = Lineage.on(subject());
        for (long current = 1; current <= 4; current++) {
            subject().letPass(TOKEN.minus(A_MINUTE));
            family.toldRotated(current);
        }
        family.toldReplayed(4);
    }

    @Test
    default void r5_aFamilyIsOverHoweverOftenItWasRotated() {
        Duration step = FAMILY.dividedBy(6);
        Lineage family = Lineage.on(subject());
        for (long current = 1; current <= 5; current++) {
            subject().letPass(step);
            family.toldRotated(current);
        }
        subject().letPass(step.minus(A_MINUTE));
        family.toldRotated(6);
        subject().letPass(A_MINUTE);
        for (long each = 1; each <= 8; each++) {
            family.toldRefused(Why.EXPIRED, each);
        }
    }

    /** And is told so to the last: a client that comes back learns why. */
    @Test
    default void r5_whatIsOverIsForgottenAndNothingElse() {
        subject().wipe();
        List<Lineage> over = List.of(Lineage.on(subject()), Lineage.on(subject()), Lineage.on(subject()));
        over.get(1).revoke();
        subject().letPass(FAMILY.minus(A_MINUTE));
        assertForgotten(0, Duration.ZERO, 10);
        Lineage live = Lineage.on(subject());
        Lineage revoked = Lineage.on(subject());
        revoked.revoke();
        subject().letPass(A_MINUTE.plus(GRACE));
        assertForgotten(0, GRACE.plus(A_MINUTE), 10);
        over.get(0).toldRefused(Why.EXPIRED, 1);
        over.get(1).toldRefused(Why.REVOKED, 1);

        assertForgotten(2, GRACE, 2);
        assertForgotten(1, GRACE, 2);
        assertForgotten(0, Duration.ZERO, 2);
        over.forEach(each -> each.toldRefused(Why.UNKNOWN, 1));
        live.toldRotated(1);
        revoked.toldRefused(Why.REVOKED, 1);
    }

    private void assertForgotten(int families, Duration keep, int atMost) {
        assertThat(subject().refreshTokens().forget(keep, atMost)).isEqualTo(families);
    }

    @Test
    default void r5_theOldestAreForgottenFirst() {
        subject().wipe();
        Lineage older = Lineage.on(subject());
        subject().letPass(A_MINUTE);
        Lineage old = Lineage.on(subject());
        subject().letPass(FAMILY);
        assertForgotten(1, Duration.ZERO, 1);
        older.toldRefused(Why.UNKNOWN, 1);
        old.toldRefused(Why.EXPIRED, 1);
    }

    @Test
    default void r5_forgettingHasBounds() {
        for (Duration keep : List.of(Duration.ofNanos(-1), Duration.ofDays(365).plusNanos(1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> subject().refreshTokens().forget(keep, 1))
                    .withMessage("keep families that are over for 0 to 365 days, not for " + keep);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> subject().refreshTokens().forget(GRACE, 0))
                .withMessage("forget 1 family or more, not 0");
        assertThat(subject().refreshTokens().forget(Duration.ofDays(365), Integer.MAX_VALUE))
                .isZero();
    }

    // R6: generations are counted.

    @Test
    default void r6_rotationsInOneMillisecondAreGenerationsOfTheirOwn() {
        Lineage.on(subject()).rotated(1, 200).toldReplayed(199);
    }

    /** Above 2^53 a floating-point number no longer tells two neighbours apart. */
    @Test
    default void r6_aGenerationIsNeverAFloatingPointNumber() {
        long odd = (1L << 53) + 1;
        Lineage family = Lineage.on(subject());
        family.toldRotated(odd);
        family.toldRotated(odd + 1);
        family.toldRotated(odd + 2);
        family.toldReplayed(odd + 2);
        family.toldRefused(Why.OVERTAKEN, odd + 1);
        family.toldReused(odd, odd + 3);
    }

    @Test
    default void r6_theLastGenerationIsAnErrorAndNeverWraps() {
        Lineage family = Lineage.on(subject());
        family.toldRotated(Long.MAX_VALUE - 1);
        String before = family.dump();
        assertThatThrownBy(() -> family.rotate(Long.MAX_VALUE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("generations")
                .hasMessageContaining("exhausted");
        assertThat(family.dump()).isEqualTo(before);
        family.toldReplayed(Long.MAX_VALUE - 1);
    }

    // R7: a generation that the store has forgotten.

    /** A server that took over has an older row, and the client's token is genuine all the same. */
    @Test
    default void r7_aGenerationAheadOfTheRowCarriesOnFromThere() {
        Lineage family = Lineage.on(subject()).rotated(1, 3);
        family.toldRotated(7);
        family.toldReplayed(7);
        family.toldRotated(8);
        family.toldRefused(Why.OVERTAKEN, 7);
        family.toldReused(3, 9);
    }

    /** Who has spent it nobody knows any more, so that there is nothing to hold against it. */
    @Test
    default void r7_theOneBeforeItIsOvertakenWithinTheGrace() {
        Lineage family = Lineage.on(subject());
        subject().letPass(GRACE);
        family.toldRotated(7);
        family.toldRefused(Why.OVERTAKEN, 6);
        subject().letPass(GRACE);
        family.toldReused(6, 8);
    }

    @Test
    default void r7_byManyAtOnceItIsRotatedOnce() {
        for (int i = 0; i < rounds(ROUNDS) / 2; i++) {
            Lineage family = Lineage.on(subject());
            assertOneRotation(family, 7, OWNERS);
            family.toldRotated(8);
        }
    }

    @Test
    default void r7_theFamilysEndLimitsItAndARevocationToo() {
        Lineage family = Lineage.on(subject());
        Lineage revoked = Lineage.on(subject());
        revoked.revoke();
        revoked.toldRefused(Why.REVOKED, 7);
        subject().letPass(TOKEN);
        family.toldRotated(7);
        subject().letPass(FAMILY);
        family.toldRefused(Why.EXPIRED, 9);
    }

    // R8: the database alone makes no token.

    @Test
    default void r8_whoHasTheWholeDatabaseHasNoToken() {
        RotatingRefreshTokens host =
                new RotatingRefreshTokens(subject().refreshTokens(), subject().keys());
        RefreshToken first = host.open(TERMS);
        RefreshToken second = Lineage.successor(host.rotate(first.text()));
        String dump = subject().dump(first.family());
        assertThat(dump).doesNotContain(first.text(), second.text());

        for (RefreshToken forged : Forger.tokens(dump, first.family())) {
            assertThat(host.rotate(forged.text())).isEqualTo(new Refused<>(Why.UNKNOWN));
            host.revoke(forged.text());
        }
        assertThat(subject().dump(first.family())).isEqualTo(dump);
        assertThat(host.rotate(first.text())).isEqualTo(new Replayed<>(second));
    }
}
