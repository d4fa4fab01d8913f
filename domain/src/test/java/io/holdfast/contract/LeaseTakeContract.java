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
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.lease.LeaseOutcome.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Who takes a lease, under which fence, and what a repeat gets: rules L1, L4 and G1 to G5 of {@code docs/contract.md}. */
interface LeaseTakeContract {
    /** The store under test; the same one for the whole of a test. */
    LeaseSubject subject();

    // L1: acquire when free, released or silent. L4: a name never used.

    @Test
    default void l1_itIsTakenWhenItIsNewOrReleasedOrItsHolderIsSilentAndNotElse() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        Trial.assertIs(a, lease.toldTaken("b"));
        lease.letGo(a);

        Lease b = lease.takenBy("b");
        Trial.assertIs(b, lease.toldTaken("a"));
        subject().letPass(LIMIT.minus(A_MINUTE));
        Trial.assertIs(b, lease.toldTaken("a"));
        subject().letPass(A_MINUTE);
        Lease c = lease.takenBy("c");
        Trial.assertIs(c, lease.toldTaken("b"));
    }

    @Test
    default void l4_aNameThatWasNeverUsedIsLikeOneThatWasReleased() {
        LeaseTrial unused = LeaseTrial.on(subject());
        LeaseTrial released = LeaseTrial.on(subject());
        Lease a = released.hadBy("a");
        String nothing = unused.dump();
        for (LeaseTrial lease : List.of(unused, released)) {
            assertThat(lease.find()).isEmpty();
            assertThat(lease.evict(a.fence(), Succession.AT_ONCE)).isEqualTo(new Eviction.Moved(Optional.empty()));
            lease.toldLostToNobody(new Lease(lease.name(), AttemptId.random(), a.fence()));
        }
        assertThat(unused.dump()).isEqualTo(nothing);
        for (LeaseTrial lease : List.of(unused, released)) {
            assertThat(lease.toldAcquired(wish("b")).remaining()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
        }
    }

    // G1: one winner.

    @Test
    default void g1_ofManyTakesOfANewKeyOneIsGranted() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            LeaseTrial lease = LeaseTrial.on(subject());
            assertOneWinner(race(OWNERS, owner -> lease.ask("owner-" + owner)));
        }
    }

    @Test
    default void g1_ofManyTakesOfAFreeKeyOneIsGranted() {
        LeaseTrial lease = LeaseTrial.on(subject());
        lease.hadBy("first");
        for (int i = 0; i < rounds(ROUNDS); i++) {
            lease.letGo(assertOneWinner(race(OWNERS, owner -> lease.ask("owner-" + owner))));
        }
    }

    @Test
    default void g1_ofManyTakesOfASilentKeyOneIsGranted() {
        LeaseTrial lease = LeaseTrial.on(subject());
        lease.takenBy("silent");
        for (int i = 0; i < rounds(ROUNDS); i++) {
            subject().letPass(LIMIT);
            assertOneWinner(race(OWNERS, owner -> lease.ask("owner-" + owner)));
        }
    }

    private static Lease assertOneWinner(List<LeaseOutcome> outcomes) {
        List<Acquired> winners = Trial.of(Acquired.class, outcomes);
        assertThat(winners).as("winners among %s", outcomes).hasSize(1);
        Lease won = winners.get(0).lease();
        assertThat(Trial.of(Taken.class, outcomes))
                .as("losers among %s", outcomes)
                .hasSize(outcomes.size() - 1)
                .allSatisfy(loser -> Trial.assertIs(won, loser.by()));
        return won;
    }

    // G2: one write decides.

    @Test
    default void g2_noTwoEverHoldAtOnce() {
        Rally.several(() -> LeaseTrial.on(subject())).forEach(Rally::assertThatNoTwoHeldAtOnce);
    }

    @Test
    default void g2_aLoserChangesNothing() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        assertLosersChangeNothing(lease);
        lease.letGo(a, Duration.ofHours(1));
        assertLosersChangeNothing(lease);
    }

    private static void assertLosersChangeNothing(LeaseTrial lease) {
        String before = lease.dump();
        lease.toldTaken("b");
        lease.toldTaken(wish("c").within(Duration.ofDays(1)));
        assertThat(lease.dump()).isEqualTo(before);
    }

    /** Losers that lock the row beyond a statement leave the renewal beside them without a word, tick after tick. */
    @Test
    default void g2_everyRenewalGetsThroughBesideManyLosers() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        CountDownLatch losing = new CountDownLatch(OWNERS - 1);
        List<Callable<Boolean>> tasks = new ArrayList<>();
        tasks.add(() -> {
            do {
                assertRenewedWithinATick(lease, a);
            } while (losing.getCount() > 0);
            return true;
        });
        for (int i = 1; i < OWNERS; i++) {
            String loser = "loser-" + i;
            tasks.add(() -> {
                try {
                    for (int n = 0; n < rounds(ROUNDS); n++) {
                        Trial.assertIs(a, lease.toldTaken(loser));
                    }
                    return true;
                } finally {
                    losing.countDown();
                }
            });
        }
        assertThat(race(tasks)).hasSize(OWNERS);
    }

    private static void assertRenewedWithinATick(LeaseTrial lease, Lease held) {
        long begun = System.nanoTime();
        Renewal word;
        do {
            word = lease.renew(held);
        } while (word == null && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(2));
        only(Renewal.Held.class, word);
    }

    // G3: the database's clock only.

    @Test
    default void g3_aHostsTimeZoneChangesNothing() {
        TimeZone own = TimeZone.getDefault();
        try {
            LeaseTrial lease = LeaseTrial.on(subject());
            Lease a = lease.takenBy("a");
            Instant since = lease.toldTaken("b").since();
            for (String zone : List.of("Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu")) {
                TimeZone.setDefault(TimeZone.getTimeZone(zone));
                Incumbent told = lease.toldTaken("b");
                Trial.assertIs(a, told);
                assertThat(told.since()).isEqualTo(since);
                assertThat(told.silentFor()).isLessThan(A_MINUTE);
                assertThat(told.takeableIn()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
                assertThat(lease.toldHeld(a)).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
            }
        } finally {
            TimeZone.setDefault(own);
        }
    }

    /** Until the told time is over, counted from when the call was sent, nobody takes. */
    @Test
    default void g3_theTimeThatIsToldNeverReachesBeyondTheRow() {
        LeaseTrial lease = LeaseTrial.on(subject());
        LeaseTrial.Wish wish = wish("a");
        Acquired acquired = lease.toldAcquired(wish);
        assertUntakeableFor(acquired.remaining(), lease);

        assertUntakeableFor(lease.toldHeld(acquired.lease()), lease);

        assertUntakeableFor(lease.toldAcquired(wish).remaining(), lease);

        lease.toldHeld(acquired.lease());
        assertUntakeableFor(lease.toldTaken("b").takeableIn(), lease);

        lease.toldHeld(acquired.lease());
        Fence moved =
                lease.evicted(acquired.lease().fence(), Succession.WHEN_SILENT).now();
        assertThat(moved).isGreaterThan(acquired.lease().fence());
        assertUntakeableFor(lease.toldTaken("b").takeableIn(), lease);
    }

    private static void assertUntakeableFor(Duration told, LeaseTrial lease) {
        assertThat(told).isGreaterThan(A_MINUTE);
        lease.store().letPass(told.minus(A_MINUTE));
        lease.toldTaken("b");
    }

    // G4: fences grow.

    @Test
    default void g4_eachTakeHasAHigherFence() {
        LeaseTrial lease = LeaseTrial.on(subject());
        List<Fence> fences = new ArrayList<>();
        fences.add(lease.hadBy("a").fence());
        fences.add(lease.hadBy("a").fence());
        Lease b = lease.takenBy("b");
        fences.add(b.fence());
        lease.letGo(b, LIMIT);
        subject().letPass(LIMIT);
        fences.add(lease.takenBy("c").fence());
        subject().letPass(LIMIT);
        Lease d = lease.takenBy("d");
        fences.add(d.fence());
        fences.add(lease.evicted(d.fence(), Succession.WHEN_SILENT).now());
        subject().letPass(LIMIT);
        Lease e = lease.takenBy("e");
        fences.add(e.fence());
        fences.add(lease.evicted(e.fence(), Succession.AT_ONCE).now());
        fences.add(lease.takenBy("f").fence());
        assertThat(fences).doesNotHaveDuplicates().isSorted();
    }

    @Test
    default void g4_fencesGrowInTheOrderOfTheTakesInARace() {
        Rally.several(() -> LeaseTrial.on(subject())).forEach(Rally::assertThatFencesGrew);
    }

    @Test
    default void g4_aRowThatWasDeletedByHandComesBackWithAHigherFence() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Fence last = lease.hadBy("a").fence();
        subject().deleteByHand(lease.name());
        lease.passClock(last);
        assertThat(lease.takenBy("b").fence()).isGreaterThan(last);
    }

    @Test
    default void g4_aRowThatCameBackFromABackupGoesOnWithAHigherFence() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Fence last = lease.hadBy("a").fence();
        subject().setFence(lease.name(), new Fence(1));
        lease.passClock(last);
        assertThat(lease.takenBy("b").fence()).isGreaterThan(last);
    }

    @Test
    default void g4_theLastFenceIsAnErrorAndNeverWraps() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        Fence last = new Fence(Long.MAX_VALUE);
        subject().setFence(lease.name(), last);
        for (Succession succession : Succession.values()) {
            assertExhausted(lease, () -> lease.evict(last, succession));
        }
        lease.letGo(new Lease(lease.name(), a.attempt(), last));
        assertExhausted(lease, () -> lease.ask("b"));
    }

    private static void assertExhausted(LeaseTrial lease, ThrowingCallable ask) {
        String before = lease.dump();
        assertThatThrownBy(ask)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(lease.name().value())
                .hasMessageContaining("exhausted");
        assertThat(lease.dump()).isEqualTo(before);
    }

    /** Above 2^53 a floating-point number no longer tells two neighbours apart. */
    @Test
    default void g4_aFenceIsNeverAFloatingPointNumber() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        long odd = (1L << 53) + 3;
        subject().setFence(lease.name(), new Fence(odd));
        Lease moved = new Lease(lease.name(), a.attempt(), new Fence(odd));
        for (long neighbour : new long[] {odd - 1, odd + 1}) {
            lease.toldLostTo(moved, new Lease(lease.name(), a.attempt(), new Fence(neighbour)));
            only(Eviction.Moved.class, lease.evict(new Fence(neighbour), Succession.AT_ONCE));
        }
        lease.toldHeld(moved);
        lease.letGo(moved);
        Lease b = lease.takenBy("b");
        assertThat(b.fence()).isEqualTo(new Fence(odd + 1));
        assertThat(lease.evicted(b.fence(), Succession.AT_ONCE).now()).isEqualTo(new Fence(odd + 2));
        assertThat(lease.takenBy("c").fence()).isEqualTo(new Fence(odd + 3));
    }

    // G5: a repeat is a renewal.

    @Test
    default void g5_aRepeatGetsTheSameHoldAndItsTimeAgain() {
        LeaseTrial lease = LeaseTrial.on(subject());
        LeaseTrial.Wish wish = wish("a");
        Lease first = lease.takenBy(wish);
        for (int i = 0; i < 3; i++) {
            subject().letPass(LIMIT.minus(A_MINUTE));
            Acquired again = lease.toldAcquired(wish);
            assertThat(again.lease()).isEqualTo(first);
            assertThat(again.remaining()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
            Incumbent told = lease.toldTaken("b");
            Trial.assertIs(first, told);
            assertThat(told.silentFor()).isLessThan(A_MINUTE);
            assertThat(told.takeableIn()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
        }
    }

    @Test
    default void g5_aRepeatAfterASilenceStillHolds() {
        LeaseTrial lease = LeaseTrial.on(subject());
        LeaseTrial.Wish wish = wish("a");
        Lease first = lease.takenBy(wish);
        subject().letPass(LIMIT.multipliedBy(2));
        assertThat(lease.takenBy(wish)).isEqualTo(first);
        Trial.assertIs(first, lease.toldTaken("b"));
    }

    @Test
    default void g5_repeatsAtOnceTakeOnce() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            LeaseTrial lease = LeaseTrial.on(subject());
            List<LeaseTrial.Wish> wishes = List.of(wish("a"), wish("b"));
            List<LeaseOutcome> outcomes = race(OWNERS, n -> lease.ask(wishes.get(n % 2)));
            Set<Lease> leases = Trial.of(Acquired.class, outcomes).stream()
                    .map(Acquired::lease)
                    .collect(Collectors.toSet());
            assertThat(leases).as("leases among %s", outcomes).hasSize(1);
            Lease won = leases.iterator().next();
            assertThat(Trial.of(Acquired.class, outcomes)).hasSize(OWNERS / 2);
            assertThat(Trial.of(Taken.class, outcomes))
                    .hasSize(OWNERS / 2)
                    .allSatisfy(loser -> Trial.assertIs(won, loser.by()));
        }
    }

    @Test
    default void g5_anAttemptThatHasOneLeaseIsNoneTheNearerToAnother() {
        LeaseTrial lease = LeaseTrial.on(subject());
        LeaseTrial other = LeaseTrial.on(subject());
        LeaseTrial.Wish wish = wish("a");
        lease.takenBy(wish);
        Lease b = other.takenBy("b");
        String before = lease.dump();
        Trial.assertIs(b, other.toldTaken(wish));
        assertThat(lease.dump()).isEqualTo(before);
    }

    /** For as long as nobody else has taken it; also when the packet that arrives late is the first one that was sent. */
    @Test
    default void g5_anAttemptThatLetGoIsToldSoAndTakesNothing() {
        for (Duration minimum : List.of(Duration.ZERO, LIMIT)) {
            LeaseTrial lease = LeaseTrial.on(subject());
            LeaseTrial.Wish wish = wish("a");
            lease.letGo(lease.takenBy(wish), minimum);
            lease.toldOver(wish);
            subject().letPass(minimum);
            lease.toldOver(wish);
            lease.takenBy("b");
        }
    }

    @Test
    default void g5_anAttemptThatWasEvictedIsToldSoAndTakesNothing() {
        for (Succession succession : Succession.values()) {
            LeaseTrial lease = LeaseTrial.on(subject());
            LeaseTrial.Wish wish = wish("a");
            Lease a = lease.takenBy(wish);
            lease.evicted(a.fence(), succession);
            lease.toldOver(wish);
            subject().letPass(LIMIT);
            lease.toldOver(wish);
            lease.takenBy("b");
        }
    }
}
