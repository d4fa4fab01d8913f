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

import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Succession;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.lease.LeaseStore.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** How a lease is let go and how a holder is evicted: rules L3, G12 and G15 of {@code docs/contract.md}. */
interface LeaseEndContract {
    /** The store under test; the same one for the whole of a test. */
    LeaseSubject subject();

    // L3: release.

    @Test
    default void l3_releasedItIsAnybodysAtOnce() {
        LeaseTrial lease = LeaseTrial.on(subject());
        for (String holder : List.of("a", "b", "b", "a")) {
            lease.hadBy(holder);
        }
    }

    /** Nor does a database's clock that is set back keep anybody waiting. */
    @Test
    default void l3_releasedItIsFreeWhateverTheClockSays() {
        LeaseTrial lease = LeaseTrial.on(subject());
        lease.hadBy("a");
        subject().letPass(Duration.ofDays(-1));
        lease.takenBy("b");
    }

    /** A fast job on nodes whose timers differ does not run twice in a row. */
    @Test
    default void l3_afterAMinimumItIsAnybodysAndNotBefore() {
        Duration minimum = Duration.ofHours(1);
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        lease.letGo(a, minimum);
        subject().letPass(minimum.minus(A_MINUTE));
        assertThat(lease.toldTaken("a").takeableIn()).isLessThanOrEqualTo(A_MINUTE);
        assertThat(lease.toldTaken("b").takeableIn()).isLessThanOrEqualTo(A_MINUTE);
        subject().letPass(A_MINUTE);
        lease.takenBy("b");
    }

    /** It counts from the take: work that took longer holds nobody up. */
    @Test
    default void l3_theMinimumCountsFromTheTake() {
        Duration minimum = Duration.ofHours(1);
        LeaseTrial slow = LeaseTrial.on(subject());
        LeaseTrial fast = LeaseTrial.on(subject());
        Lease a = slow.takenBy(wish("a").within(Duration.ofHours(3)));
        Lease b = fast.takenBy(wish("b").within(Duration.ofHours(3)));
        subject().letPass(Duration.ofMinutes(50));
        slow.toldHeld(a);
        fast.toldHeld(b);
        fast.letGo(b, minimum);
        assertThat(fast.toldTaken("c").takeableIn())
                .isBetween(Duration.ofMinutes(10).minus(A_MINUTE), Duration.ofMinutes(10));
        subject().letPass(Duration.ofMinutes(10));
        fast.takenBy("c");
        slow.letGo(a, minimum);
        slow.takenBy("c");
    }

    @Test
    default void l3_theMinimumIsNoLongerBecauseTheClockWasSetBack() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        subject().letPass(Duration.ofHours(-1));
        lease.letGo(a, A_MINUTE);
        assertThat(lease.toldTaken("b").takeableIn()).isLessThanOrEqualTo(A_MINUTE);
        subject().letPass(A_MINUTE);
        lease.takenBy("b");
    }

    // G12: repeated endings.

    @Test
    default void g12_aReleaseThatIsRepeatedSaysTheSameUntilTheNextTake() {
        for (Duration minimum : List.of(Duration.ZERO, Duration.ofHours(1))) {
            LeaseTrial lease = LeaseTrial.on(subject());
            Lease a = lease.takenBy("a");
            lease.letGo(a, minimum);
            String before = lease.dump();
            for (Duration again : List.of(minimum, Duration.ZERO, A_MINUTE, Duration.ofDays(1))) {
                lease.letGo(a, again);
            }
            assertThat(lease.dump()).isEqualTo(before);
            subject().letPass(minimum);
            lease.letGo(a, Duration.ofDays(1));

            Lease b = lease.takenBy("b");
            lease.toldLostTo(b, a);
            lease.letGo(b);
            lease.toldLostToNobody(a);
        }
    }

    @Test
    default void g12_ofManyReleasesAtOnceEachIsToldTheSame() {
        LeaseTrial lease = LeaseTrial.on(subject());
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Lease a = lease.takenBy("a");
            assertThat(race(OWNERS, n -> lease.release(a, Duration.ZERO))).containsOnly(new Release.Released());
            lease.hadBy("b");
        }
    }

    // G15: eviction.

    @Test
    default void g15_whoIsEvictedHasLostAtOnceAndForGood() {
        for (Succession succession : Succession.values()) {
            LeaseTrial lease = LeaseTrial.on(subject());
            Lease a = lease.takenBy("a");
            Fence now = lease.evicted(a.fence(), succession).now();
            assertThat(now).isGreaterThan(a.fence());
            assertThat(lease.find()).isEmpty();
            lease.toldLostToNobody(a);

            subject().letPass(LIMIT);
            Lease b = lease.takenBy("b");
            assertThat(b.fence()).isGreaterThan(now);
            lease.toldLostTo(b, a);
        }
    }

    @Test
    default void g15_othersMayTakeWhenTheTimeThatItStillCountsOnIsOver() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        subject().letPass(A_MINUTE);
        Eviction.Evicted evicted = lease.evicted(a.fence(), Succession.WHEN_SILENT);
        Duration left = LIMIT.minus(A_MINUTE);
        assertThat(evicted.takeableIn()).isBetween(left.minus(A_MINUTE), left);
        subject().letPass(evicted.takeableIn().minus(A_MINUTE));
        assertThat(lease.toldTaken("b").takeableIn()).isLessThanOrEqualTo(A_MINUTE);
        subject().letPass(A_MINUTE);
        lease.takenBy("b");
    }

    @Test
    default void g15_othersMayTakeAtOnceIfSoAsked() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        assertThat(lease.evicted(a.fence(), Succession.AT_ONCE).takeableIn()).isZero();
        lease.takenBy("b");
    }

    @Test
    default void g15_aSilentHolderIsEvictedToo() {
        for (Succession succession : Succession.values()) {
            LeaseTrial lease = LeaseTrial.on(subject());
            Lease a = lease.takenBy("a");
            subject().letPass(LIMIT);
            assertThat(lease.evicted(a.fence(), succession).takeableIn()).isZero();
            lease.toldLostToNobody(a);
            lease.takenBy("b");
        }
    }

    /** An operator who was told of a wait ends it, by the fence that was told. */
    @Test
    default void g15_whatKeepsOthersFromTakingIsEndedToo() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        lease.letGo(a, Duration.ofHours(1));
        Eviction.Evicted still = lease.evicted(lease.toldTaken("b").fence(), Succession.WHEN_SILENT);
        assertThat(still.takeableIn()).isBetween(Duration.ofHours(1).minus(A_MINUTE), Duration.ofHours(1));
        lease.evicted(lease.toldTaken("b").fence(), Succession.AT_ONCE);

        Lease b = lease.takenBy("b");
        lease.evicted(b.fence(), Succession.WHEN_SILENT);
        lease.evicted(lease.toldTaken("c").fence(), Succession.AT_ONCE);
        lease.takenBy("c");
    }

    @Test
    default void g15_anotherFenceChangesNothing() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        subject().letPass(LIMIT);
        Lease b = lease.takenBy("b");
        for (Fence seen : List.of(a.fence(), new Fence(b.fence().value() + 1), new Fence(Long.MAX_VALUE))) {
            for (Succession succession : Succession.values()) {
                String before = lease.dump();
                Eviction.Moved moved = only(Eviction.Moved.class, lease.evict(seen, succession));
                assertThat(moved.now()).hasValueSatisfying(by -> Trial.assertIs(b, by));
                assertThat(lease.dump()).isEqualTo(before);
            }
        }
        lease.toldHeld(b);
    }

    /** Names have fences of their own, which may be the same. */
    @Test
    default void g15_aFenceIsThatOfOneNameAlone() {
        List<LeaseTrial> leases = List.of(LeaseTrial.on(subject()), LeaseTrial.on(subject()), LeaseTrial.on(subject()));
        Fence same = new Fence(7);
        for (LeaseTrial lease : leases) {
            lease.takenBy("a");
            subject().setFence(lease.name(), same);
        }
        LeaseTrial evicted = leases.get(1);
        evicted.evicted(same, Succession.AT_ONCE);
        leases.get(0).toldTaken("b");
        evicted.takenBy("b");
        leases.get(2).toldTaken("b");
    }

    /** What is told to whoever checks fences must refuse everybody who came before. */
    @Test
    default void g4_anEvictionFromARowOfABackupHasAHigherFence() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Fence last = lease.takenBy("a").fence();
        subject().setFence(lease.name(), new Fence(1));
        lease.passClock(last);
        assertThat(lease.evicted(new Fence(1), Succession.AT_ONCE).now()).isGreaterThan(last);
    }

    /** The fence of whoever had it last, but has let it go: there is nobody to evict. */
    @Test
    default void g15_whatAnybodyMayTakeIsNobodysToBeEvicted() {
        LeaseTrial lease = LeaseTrial.on(subject());
        Lease a = lease.hadBy("a");
        assertNobodyIsEvicted(lease, a);
        Lease b = lease.takenBy("b");
        lease.letGo(b, A_MINUTE);
        subject().letPass(A_MINUTE);
        assertNobodyIsEvicted(lease, b);
        lease.letGo(b);
    }

    private static void assertNobodyIsEvicted(LeaseTrial lease, Lease last) {
        String before = lease.dump();
        for (Succession succession : Succession.values()) {
            assertThat(lease.evict(last.fence(), succession)).isEqualTo(new Eviction.Moved(Optional.empty()));
        }
        assertThat(lease.dump()).isEqualTo(before);
    }

    /** Of several who evict by one fence one does; a holder that lets go beside them has done so, or has lost. */
    @Test
    default void g15_ofManyEvictionsAndAReleaseAtOnceOneComesTrue() {
        LeaseTrial lease = LeaseTrial.on(subject());
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Lease a = lease.takenBy("a");
            List<Callable<Object>> tasks = new ArrayList<>();
            for (Succession succession : Succession.values()) {
                tasks.add(() -> lease.evict(a.fence(), succession));
                tasks.add(() -> lease.evict(a.fence(), succession));
            }
            if (i % 2 == 0) {
                tasks.add(1, () -> lease.release(a, Duration.ZERO));
            }
            List<Object> outcomes = race(tasks);
            List<Eviction.Evicted> evictions = Trial.of(Eviction.Evicted.class, outcomes);
            int released = Trial.of(Release.Released.class, outcomes).size();
            assertThat(evictions.size() + released)
                    .as("ends of one hold among %s", outcomes)
                    .isEqualTo(1);
            evictions.forEach(one -> subject().letPass(one.takeableIn()));
        }
    }

    /** By a fence that was seen before, nobody is evicted who came since. */
    @Test
    default void g15_anEvictionNeverHitsTheNextHolder() {
        LeaseTrial lease = LeaseTrial.on(subject());
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Lease silent = lease.takenBy("silent");
            subject().letPass(LIMIT);
            List<Object> outcomes = race(List.<Callable<Object>>of(
                    () -> lease.evict(silent.fence(), Succession.AT_ONCE),
                    () -> lease.ask("taker-1"),
                    () -> lease.evict(silent.fence(), Succession.WHEN_SILENT),
                    () -> lease.ask("taker-2")));
            List<Acquired> taken = Trial.of(Acquired.class, outcomes);
            assertThat(taken).as("takers among %s", outcomes).hasSize(1);
            lease.letGo(taken.get(0).lease());
        }
    }
}
