package io.holdfast.contract;

import static io.holdfast.contract.Contenders.OWNERS;
import static io.holdfast.contract.Contenders.ROUNDS;
import static io.holdfast.contract.Contenders.race;
import static io.holdfast.contract.Contenders.rounds;
import static io.holdfast.contract.LeaseTrial.wish;
import static io.holdfast.contract.Trial.A_MINUTE;
import static io.holdfast.contract.Trial.LIMIT;
import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AttemptId;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.Succession;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.lease.LeaseOutcome.Taken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a holder of a lease and a loser may do and are told: rules L2, G6 to G11, G13 and G14 of {@code docs/contract.md}. */
interface LeaseHoldContract {
    /** The store under test; the same one for the whole of a test. */
    LeaseSubject subject();

    // L2, G6: only the holder's writes count.

    @Test
    default void l2_itsFenceRenewsAndReleasesItAndNoOther() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        subject().letPass(LIMIT);
        Lease b = lease.takenBy("b");
        lease.toldLostTo(b, a);
        assertThat(lease.toldHeld(b)).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
        lease.letGo(b);
        lease.toldLostToNobody(a);
    }

    /** On one host all holders have one name. */
    @Test
    default void g6_aForgedAttemptIsToldThatItLostAndChangesNothing() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("the same host");
        Lease other = LeaseTrial.on(subject()).takenBy("the same host");
        lease.toldLostTo(a, new Lease(lease.name(), AttemptId.random(), a.fence()));
        lease.toldLostTo(a, new Lease(lease.name(), other.attempt(), a.fence()));
        lease.toldLostTo(a, new Lease(lease.name(), other.attempt(), other.fence()));
    }

    @Test
    default void g6_aForgedFenceIsToldThatItLostAndChangesNothing() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        long held = a.fence().value();
        LongStream.of(1, held - 1, held + 1, Long.MAX_VALUE)
                .filter(fence -> fence > 0 && fence != held)
                .forEach(fence -> lease.toldLostTo(a, new Lease(lease.name(), a.attempt(), new Fence(fence))));
    }

    @Test
    default void g6_whoWasTakenOverIsToldToWhomAndChangesNothing() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("the same host");
        subject().letPass(LIMIT);
        Lease b = lease.takenBy("the same host");
        lease.toldLostTo(b, a);
        lease.toldHeld(b);
    }

    @Test
    default void g6_afterTheEndNeitherAForgedNorAStaleLeaseChangesAnything() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        subject().letPass(LIMIT);
        Lease b = lease.hadBy("b");
        lease.toldLostToNobody(a);
        lease.toldLostToNobody(new Lease(lease.name(), AttemptId.random(), b.fence()));
        lease.toldLostToNobody(
                new Lease(lease.name(), b.attempt(), new Fence(b.fence().value() + 1)));
        String before = lease.dump();
        assertThat(only(Renewal.Lost.class, lease.renew(b)).to()).isEmpty();
        assertThat(lease.dump()).isEqualTo(before);
    }

    // G7: only a taker ends a hold.

    @Test
    default void g7_aSilentHolderMayRenewUntilItIsTaken() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        subject().letPass(Duration.ofHours(1));
        assertThat(lease.toldHeld(a)).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
        Trial.assertIs(a, lease.toldTaken("b"));
    }

    @Test
    default void g7_aSilentHolderMayReleaseUntilItIsTaken() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        subject().letPass(Duration.ofHours(1));
        lease.letGo(a);
        assertThat(lease.find()).isEmpty();
    }

    @Test
    default void g7_theHoldersOwnLimitDecides() {
        LeaseTrial patient = LeaseTrial.on(subject());
        LeaseTrial hasty = LeaseTrial.on(subject());
        Lease a = patient.takenBy(wish("a").within(Duration.ofHours(2)));
        hasty.takenBy(wish("a").within(A_MINUTE));
        subject().letPass(Duration.ofHours(1));
        Trial.assertIs(a, patient.toldTaken(wish("b").within(A_MINUTE)));
        hasty.takenBy(wish("b").within(Duration.ofHours(2)));

        assertThat(patient.toldHeld(a)).isGreaterThan(Duration.ofHours(1));
        subject().letPass(Duration.ofHours(1));
        Trial.assertIs(a, patient.toldTaken(wish("b").within(A_MINUTE)));
    }

    @Test
    default void g7_eachTakerBringsItsOwnLimit() {
        LeaseTrial lease = LeaseTrial.on(subject());
        lease.takenBy(wish("a").within(A_MINUTE));
        subject().letPass(A_MINUTE);
        Duration ownLimit = Duration.ofHours(2);
        for (String taker : List.of("b", "c")) {
            Lease held = lease.takenBy(wish(taker).within(ownLimit));
            subject().letPass(ownLimit.dividedBy(2));
            assertThat(lease.toldHeld(held)).isGreaterThan(ownLimit.minus(A_MINUTE));
            lease.letGo(held);
            ownLimit = ownLimit.multipliedBy(2);
        }
    }

    @Test
    default void g7_aRenewalNeverMovesASignOfLifeBackwards() {
        LeaseTrial lease = LeaseTrial.on(subject());
        LeaseTrial.Wish wish = wish("a");
        Lease a = lease.takenBy(wish);
        // The database's clock is set back, and later put right.
        subject().letPass(Duration.ofHours(-1));
        lease.toldHeld(a);
        lease.toldAcquired(wish);
        subject().letPass(Duration.ofHours(1));
        Incumbent told = lease.toldTaken("b");
        Trial.assertIs(a, told);
        assertThat(told.silentFor()).isLessThan(A_MINUTE);
        assertThat(told.takeableIn()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
    }

    // G8: the loser is told the truth in the same call.

    @Test
    default void g8_theLoserIsToldWhoHoldsSinceWhenAndForHowLong() {
        LeaseTrial lease = LeaseTrial.on(subject());
        lease.hadBy("host-0");
        subject().letPass(Duration.ofHours(1));
        LeaseTrial before = LeaseTrial.on(subject());
        before.takenBy("x");
        Lease a = lease.takenBy("host-1 (pid 42)");
        LeaseTrial after = LeaseTrial.on(subject());
        after.takenBy("x");
        subject().letPass(A_MINUTE);
        lease.toldHeld(a);
        subject().letPass(A_MINUTE);

        Incumbent told = lease.toldTaken("host-2");
        Trial.assertIs(a, told);
        assertThat(told.holder().label()).isEqualTo("host-1 (pid 42)");
        assertThat(told.since())
                .isBetween(
                        before.find().orElseThrow().since(),
                        after.find().orElseThrow().since());
        assertThat(told.silentFor()).isBetween(A_MINUTE, A_MINUTE.multipliedBy(2));
        assertThat(told.takeableIn()).isBetween(LIMIT.minus(A_MINUTE.multipliedBy(2)), LIMIT.minus(A_MINUTE));
    }

    @Test
    default void g8_theNextLoserIsToldOfTheNextHolder() {
        LeaseTrial lease = LeaseTrial.on(subject());
        for (String holder : List.of("a", "b", "a")) {
            Lease held = lease.takenBy(holder);
            Incumbent told = lease.toldTaken("c");
            Trial.assertIs(held, told);
            assertThat(told.holder().label()).isEqualTo(holder);
            lease.letGo(held);
        }
    }

    @Test
    default void g8_whoReadsASilentOneIsToldThatItMayBeTaken() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        subject().letPass(LIMIT.multipliedBy(2));
        Incumbent by = lease.find().orElseThrow();
        Trial.assertIs(a, by);
        assertThat(by.takeableIn()).isZero();
        assertThat(by.silentFor())
                .isBetween(LIMIT.multipliedBy(2), LIMIT.multipliedBy(2).plus(A_MINUTE));
        lease.takenBy("b");
    }

    @Test
    default void g8_whoLosesAHoldIsToldWhoHoldsItNow() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        subject().letPass(LIMIT);
        Lease b = lease.takenBy("b");
        lease.toldLostTo(b, a);
        lease.letGo(b, A_MINUTE);
        lease.toldLostToNobody(a);
        subject().letPass(A_MINUTE);
        Lease c = lease.takenBy("c");
        lease.toldLostTo(c, a);
        lease.toldLostTo(c, b);
    }

    /** Whoever is told of a hold is told the same: who lost it, who lets it go too late, who reads, who would evict another. */
    @Test
    default void g8_everyAnswerThatNamesAHolderNamesItWhole() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        subject().letPass(LIMIT);
        Lease b = lease.takenBy("b");
        subject().letPass(A_MINUTE);
        Incumbent told = lease.toldTaken("c");
        List<Optional<Incumbent>> others = new ArrayList<>(lease.toldLost(a));
        others.add(lease.find());
        others.add(only(Eviction.Moved.class, lease.evict(a.fence(), Succession.AT_ONCE))
                .now());
        for (Optional<Incumbent> each : others) {
            Incumbent other = each.orElseThrow();
            Trial.assertIs(b, other);
            assertThat(other.holder()).isEqualTo(told.holder());
            assertThat(other.since()).isEqualTo(told.since());
            assertThat(other.silentFor()).isBetween(A_MINUTE, A_MINUTE.multipliedBy(2));
            assertThat(other.takeableIn()).isBetween(LIMIT.minus(A_MINUTE.multipliedBy(2)), LIMIT.minus(A_MINUTE));
        }
    }

    /** While nobody holds but nobody may take yet. */
    @Test
    default void g8_whoMayNotTakeYetIsToldOfTheLastHolder() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        lease.letGo(a, Duration.ofHours(1));
        assertWaitsFor(a.attempt(), "a", a.fence(), Duration.ofHours(1), lease);

        subject().letPass(Duration.ofHours(1));
        Lease b = lease.takenBy("b");
        Fence moved = lease.evicted(b.fence(), Succession.WHEN_SILENT).now();
        assertWaitsFor(b.attempt(), "b", moved, LIMIT, lease);
    }

    private static void assertWaitsFor(AttemptId last, String holder, Fence fence, Duration wait, LeaseTrial lease) {
        assertThat(lease.find()).isEmpty();
        Incumbent told = lease.toldTaken("c");
        assertThat(told.attempt()).isEqualTo(last);
        assertThat(told.holder().label()).isEqualTo(holder);
        assertThat(told.fence()).isEqualTo(fence);
        assertThat(told.takeableIn()).isBetween(wait.minus(A_MINUTE), wait);
    }

    /** What is told was true at some moment within the call. */
    @Test
    default void g8_nobodyIsToldOfAHoldThatWasOverBeforeItAsked() {
        Rally.several(() -> LeaseTrial.on(subject())).forEach(Rally::assertThatLosersWereToldTheTruth);
    }

    // G9: losing is a value.

    /** Takes, renewals, releases, repeats and evictions, all at once on one lease: nothing but answers. */
    @Test
    default void g9_contentionRaisesNothing() {
        LeaseTrial lease = LeaseTrial.on(subject());
        List<Boolean> done = race(OWNERS, owner -> {
            for (int n = 0; n < rounds(ROUNDS) / 2; n++) {
                contend(lease, "owner-" + owner);
            }
            return true;
        });
        assertThat(done).hasSize(OWNERS);
    }

    private static void contend(LeaseTrial lease, String owner) {
        LeaseOutcome outcome = lease.ask(owner);
        assertThat(outcome).isInstanceOfAny(Acquired.class, Taken.class);
        if (outcome instanceof Acquired won) {
            lease.renew(won.lease());
            lease.release(won.lease(), Duration.ZERO);
            lease.release(won.lease(), Duration.ZERO);
            // No word, if a rival has the row just now; but never held.
            assertThat(lease.renew(won.lease()) instanceof Renewal.Held).isFalse();
        }
        lease.find().ifPresent(by -> lease.evict(by.fence(), Succession.AT_ONCE));
    }

    // G10: text is compared exactly.

    @Test
    default void g10_textsThatLookAlikeAreDifferentKeys() {
        Map<String, Lease> held = new HashMap<>();
        String salt = LeaseTrial.newName().value();
        for (String text : Texts.DISTINCT) {
            held.put(text, new LeaseTrial(subject(), LeaseName.of(salt + text)).takenBy("a"));
        }
        held.forEach((text, lease) -> {
            LeaseTrial trial = new LeaseTrial(subject(), lease.name());
            Trial.assertIs(lease, trial.toldTaken("b"));
            assertThat(trial.find()).hasValueSatisfying(by -> Trial.assertIs(lease, by));
        });
        assertThat(subject().leases().renew(held.values()))
                .hasSize(held.size())
                .allSatisfy((lease, renewal) -> only(Renewal.Held.class, renewal));
        held.forEach((text, lease) -> new LeaseTrial(subject(), lease.name()).letGo(lease));
    }

    @Test
    default void g10_labelsAreTheSameWhenTheyAreRead() {
        for (String text : Texts.DISTINCT) {
            LeaseTrial lease = LeaseTrial.on(subject());
            lease.takenBy(text);
            assertThat(lease.toldTaken("b").holder().label()).isEqualTo(text);
        }
    }

    @Test
    default void g10_theLongestTextsFit() {
        LeaseName name = LeaseName.of(Texts.ofBytes(LeaseTrial.newName().value(), 255));
        LeaseTrial lease = new LeaseTrial(subject(), name);
        LeaseTrial.Wish wish = wish(Texts.ofBytes("holder", 200));
        Lease a = lease.takenBy(wish);
        assertThat(lease.toldTaken("b").holder().label()).isEqualTo(wish.holder());
        lease.toldHeld(a);
        lease.letGo(a);
    }

    // G11: durations.

    @Test
    default void g11_theLongestLimitAndTheLongestMinimumDoNotOverflow() {
        Duration longest = Duration.ofDays(365);
        LeaseTrial lease = LeaseTrial.on(subject());
        Acquired a = lease.toldAcquired(wish("a").within(longest));
        assertThat(a.remaining()).isBetween(longest.minus(A_MINUTE), longest);
        assertThat(lease.toldHeld(a.lease())).isBetween(longest.minus(A_MINUTE), longest);
        subject().letPass(longest.minus(A_MINUTE));
        Incumbent told = lease.toldTaken("b");
        assertThat(told.silentFor()).isBetween(longest.minus(A_MINUTE), longest);
        assertThat(told.takeableIn()).isLessThanOrEqualTo(A_MINUTE);
        subject().letPass(A_MINUTE);

        Lease b = lease.takenBy("b");
        lease.letGo(b, longest);
        subject().letPass(longest.minus(A_MINUTE));
        assertThat(lease.toldTaken("c").takeableIn()).isLessThanOrEqualTo(A_MINUTE);
        subject().letPass(A_MINUTE);
        lease.takenBy("c");
    }

    @Test
    default void g11_aMinimumThatIsNegativeOrTooLongIsRefusedAndNothingChanged() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        String before = lease.dump();
        for (Duration minimum : List.of(
                Duration.ofNanos(-1),
                Duration.ofDays(365).plusNanos(1),
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatThrownBy(() -> lease.release(a, minimum))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("minimum hold must be from 0 to 365 days");
        }
        assertThat(lease.dump()).isEqualTo(before);
    }

    /** A limit that is rounded down lets others in too early. */
    @Test
    default void g11_aFractionOfTheResolutionIsRoundedUp() {
        Duration limit = Duration.ofHours(1).plusMillis(999);
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy(wish("a").within(limit));
        assertWholeLimit(limit, lease.toldTaken("b"));
        lease.toldHeld(a);
        assertWholeLimit(limit, lease.toldTaken("b"));
        lease.letGo(a, limit.multipliedBy(2));
        assertWholeLimit(limit.multipliedBy(2), lease.toldTaken("b"));
    }

    private static void assertWholeLimit(Duration limit, Incumbent told) {
        // The two are told by one statement, though maybe not by one look at the clock; the test itself takes no
        // minute.
        assertThat(told.silentFor().plus(told.takeableIn())).isBetween(limit.minusMillis(100), limit.plusSeconds(1));
    }

    @Test
    default void g11_theShortestLimitIsTakenAtOnce() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Acquired a = lease.toldAcquired(wish("a").within(Duration.ofNanos(1)));
        assertThat(a.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(1));
        subject().letPass(Duration.ofSeconds(1));
        Lease b = lease.takenBy("b");
        lease.letGo(b, Duration.ofNanos(1));
        subject().letPass(Duration.ofSeconds(1));
        lease.takenBy("c");
    }

    // G13: no memory.

    @Test
    default void g13_aRowThatWasDeletedByHandIsGone() {
        LeaseTrial lease = LeaseTrial.on(subject());
        LeaseTrial.Wish wish = wish("a");
        Lease a = lease.takenBy(wish);
        subject().deleteByHand(lease.name());
        lease.toldLostToNobody(a);
        assertThat(lease.find()).isEmpty();

        Lease b = lease.takenBy("b");
        Trial.assertIs(b, lease.toldTaken(wish));
        lease.letGo(b, LIMIT);
        subject().deleteByHand(lease.name());
        lease.takenBy("c");
    }

    @Test
    default void g13_anEmptiedStoreBeginsAnew() {
        LeaseTrial lease = LeaseTrial.on(subject());
        LeaseTrial other = LeaseTrial.on(subject());
        Lease a = lease.hadBy("a");
        Lease b = other.takenBy("b");
        subject().wipe();
        lease.toldLostToNobody(a);
        other.toldLostToNobody(b);
        lease.takenBy("c");
        other.takenBy("d");
    }

    @Test
    default void g13_aFailedCallIsForgotten() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.hadBy("a");
        subject().setFence(lease.name(), new Fence(Long.MAX_VALUE));
        LeaseTrial.Wish wish = wish("b");
        assertThatThrownBy(() -> lease.ask(wish)).isInstanceOf(IllegalStateException.class);
        subject().setFence(lease.name(), a.fence());
        Trial.assertIs(lease.takenBy(wish), lease.toldTaken("c"));
    }

    // G14: renewing many.

    @Test
    default void g14_eachOfABatchIsAnswered() {
        LeaseTrial kept = LeaseTrial.on(subject());
        LeaseTrial lost = LeaseTrial.on(subject());
        LeaseTrial released = LeaseTrial.on(subject());
        LeaseTrial evicted = LeaseTrial.on(subject());
        Lease taken = lost.takenBy("a");
        subject().letPass(LIMIT);
        Lease a = kept.takenBy("a");
        Lease b = lost.takenBy("b");
        Lease over = released.hadBy("a");
        Lease ended = evicted.takenBy("a");
        evicted.evicted(ended.fence(), Succession.WHEN_SILENT);
        Lease forged = new Lease(kept.name(), AttemptId.random(), a.fence());
        Lease unknown = new Lease(LeaseTrial.newName(), AttemptId.random(), new Fence(1));

        List<Lease> batch = List.of(unknown, forged, a, taken, a, over, ended, b, unknown, a);
        subject().letPass(A_MINUTE.multipliedBy(2));
        Map<Lease, Renewal> said = subject().leases().renew(batch);
        assertThat(said).containsOnlyKeys(a, b, taken, over, ended, forged, unknown);
        for (Lease held : List.of(a, b)) {
            assertThat(only(Renewal.Held.class, said.get(held)).remaining()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
        }
        Trial.assertIs(b, only(Renewal.Lost.class, said.get(taken)).to().orElseThrow());
        Trial.assertIs(a, only(Renewal.Lost.class, said.get(forged)).to().orElseThrow());
        for (Lease gone : List.of(over, ended, unknown)) {
            assertThat(said).containsEntry(gone, new Renewal.Lost(Optional.empty()));
        }

        subject().letPass(LIMIT.minus(A_MINUTE));
        Trial.assertIs(a, kept.toldTaken("c"));
        Trial.assertIs(b, lost.toldTaken("c"));
    }

    /** Each part of it is in the batch, and it is not. */
    @Test
    default void g14_twoHoldsMakeNoThird() {
        LeaseTrial one = LeaseTrial.on(subject());
        LeaseTrial other = LeaseTrial.on(subject());
        Lease a = one.takenBy("a");
        Lease b = other.takenBy("b");
        List<Lease> mixed = List.of(
                new Lease(one.name(), b.attempt(), b.fence()),
                new Lease(other.name(), a.attempt(), a.fence()),
                new Lease(one.name(), a.attempt(), new Fence(a.fence().value() + 1)),
                new Lease(other.name(), AttemptId.random(), b.fence()));
        subject().letPass(A_MINUTE);
        String before = one.dump() + other.dump();
        assertThat(subject().leases().renew(mixed))
                .hasSize(4)
                .allSatisfy((hold, said) -> only(Renewal.Lost.class, said));
        assertThat(one.dump() + other.dump()).isEqualTo(before);
    }

    @Test
    default void g14_anEmptyBatchIsAnsweredByNothing() {
        assertThat(subject().leases().renew(List.of())).isEmpty();
    }

    @Test
    default void g14_aBatchOfTenThousandIsAnswered() {
        Map<Lease, LeaseTrial> held = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            LeaseTrial lease = LeaseTrial.on(subject());
            held.put(lease.takenBy(i % 2 == 0 ? "a" : "b"), lease);
        }
        subject().letPass(LIMIT.minus(A_MINUTE));
        String salt = LeaseTrial.newName().value();
        Stream<Lease> strangers = IntStream.range(0, 10_000 - held.size())
                .mapToObj(i -> new Lease(LeaseName.of(salt + i), AttemptId.random(), new Fence(1 + i)));
        Collection<Lease> batch =
                Stream.concat(strangers, held.keySet().stream()).toList();

        Map<Lease, Renewal> said = subject().leases().renew(batch);
        assertThat(said).hasSize(10_000);
        assertThat(said.keySet().containsAll(batch)).isTrue();
        assertThat(Trial.of(Renewal.Held.class, List.copyOf(said.values()))).hasSize(held.size());
        subject().letPass(LIMIT.minus(A_MINUTE));
        held.forEach((lease, trial) -> Trial.assertIs(lease, trial.toldTaken("c")));
    }

    /** Names that an engine's own language could take for something else. */
    @Test
    default void g14_oneMalformedElementDoesNotSpoilTheOthers() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        List<Lease> batch = new ArrayList<>();
        for (String text : Texts.DISTINCT) {
            batch.add(new Lease(LeaseName.of(text + LeaseTrial.newName().value()), a.attempt(), a.fence()));
        }
        batch.add(new Lease(LeaseTrial.newName(), a.attempt(), new Fence(Long.MAX_VALUE)));
        batch.add(batch.size() / 2, a);
        Map<Lease, Renewal> said = subject().leases().renew(batch);
        assertThat(said).hasSize(batch.size());
        only(Renewal.Held.class, said.remove(a));
        assertThat(said).allSatisfy((other, renewal) -> only(Renewal.Lost.class, renewal));
    }
}
