package io.holdfast.lease;

import static io.holdfast.StoreUnavailable.Effect.NOT_APPLIED;
import static io.holdfast.StoreUnavailable.Effect.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.Pulse;
import io.holdfast.Renewal;
import io.holdfast.SilenceLimit;
import io.holdfast.StoreUnavailable;
import io.holdfast.Succession;
import io.holdfast.contract.Contenders;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.lease.LeaseOutcome.Over;
import io.holdfast.lease.UnderLease.Run;
import io.holdfast.memory.MemoryLeases;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The use case on the in-memory store, which is held to the same contract as the real ones. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnderLeaseTest {
    private static final LeaseName NAME = LeaseName.of("nightly import");
    private static final SilenceLimit LIMIT = SilenceLimit.of(Duration.ofMinutes(5));

    private final MemoryLeases store = new MemoryLeases();
    private final Heartbeats heartbeats = Heartbeats.every(Duration.ofMillis(5), Duration.ZERO);
    private final AtomicInteger runs = new AtomicInteger();

    /** A store whose acquires are answered as the test says, after the real one was asked; and that may be away. */
    private class Faulty implements LeaseStore {
        final List<UnaryOperator<LeaseOutcome>> answers = new ArrayList<>();
        final List<AttemptId> attempts = new ArrayList<>();
        final CountDownLatch released = new CountDownLatch(1);
        volatile boolean away;

        @Override
        public LeaseOutcome acquire(LeaseName name, AttemptId attempt, Holder holder, SilenceLimit limit) {
            attempts.add(attempt);
            LeaseOutcome answer = store.acquire(name, attempt, holder, limit);
            return answers.isEmpty() ? answer : answers.remove(0).apply(answer);
        }

        @Override
        public Release release(Lease lease, Duration minimum) {
            refuseIfAway();
            Release said = store.release(lease, minimum);
            released.countDown();
            return said;
        }

        @Override
        public Map<Lease, Renewal> renew(Collection<Lease> holds) {
            refuseIfAway();
            return store.renew(holds);
        }

        @Override
        public Optional<Incumbent> find(LeaseName name) {
            return store.find(name);
        }

        @Override
        public Eviction evict(LeaseName name, Fence seen, Succession succession) {
            return store.evict(name, seen, succession);
        }

        private void refuseIfAway() {
            if (away) {
                throw new StoreUnavailable(UNKNOWN, "away", new Exception());
            }
        }
    }

    private static UnaryOperator<LeaseOutcome> fails(StoreUnavailable.Effect effect) {
        return answer -> {
            throw new StoreUnavailable(effect, "no reply", new Exception());
        };
    }

    @AfterEach
    void close() {
        heartbeats.close();
    }

    private UnderLease underLease(String holder) {
        return underLease(holder, store);
    }

    private UnderLease underLease(String holder, LeaseStore leases) {
        return underLease(holder, leases, LIMIT, Duration.ofMinutes(1));
    }

    private UnderLease underLease(String holder, LeaseStore leases, SilenceLimit limit, Duration budget) {
        return new UnderLease(leases, heartbeats, new Holder(holder), limit, Budget.of(budget));
    }

    private String work(Lease lease, Pulse pulse) {
        assertThat(pulse.view()).isEqualTo(Pulse.View.HELD);
        assertThat(store.find(NAME))
                .hasValueSatisfying(by -> assertThat(by.attempt()).isEqualTo(lease.attempt()));
        runs.incrementAndGet();
        return "done";
    }

    private static Run<String> ran(Pulse.View lease) {
        return new Run.Ran<>("done", lease);
    }

    private static Incumbent refused(Run<?> run) {
        assertThat(run).isInstanceOf(Run.Refused.class);
        return ((Run.Refused<?>) run).by();
    }

    @Test
    void oneRunsItAndTheOthersAreToldWhoDoes() {
        CountDownLatch refused = new CountDownLatch(7);
        List<Run<AttemptId>> all = Contenders.race(Collections.nCopies(8, () -> {
            Run<AttemptId> run = underLease("a node").run(NAME, (lease, pulse) -> {
                refused.await();
                return lease.attempt();
            });
            if (run instanceof Run.Refused) {
                refused.countDown();
            }
            return run;
        }));
        AttemptId winner = all.stream()
                .flatMap(
                        run -> run.fold(ran -> Optional.of(ran.result()), none -> Optional.<AttemptId>empty()).stream())
                .reduce((a, b) -> {
                    throw new AssertionError("two ran it: " + all);
                })
                .orElseThrow();
        assertThat(all)
                .filteredOn(Run.Refused.class::isInstance)
                .hasSize(7)
                .allSatisfy(run -> assertThat(refused(run).attempt()).isEqualTo(winner));
        assertThat(store.find(NAME)).isEmpty();
    }

    @Test
    void itIsLetGoWhenTheWorkIsDone() {
        assertThat(underLease("one").run(NAME, this::work)).isEqualTo(ran(Pulse.View.HELD));
        assertThat(store.find(NAME)).isEmpty();
        assertThat(underLease("two").run(NAME, this::work)).isEqualTo(ran(Pulse.View.HELD));
    }

    @Test
    void aFastJobDoesNotRunTwiceInARowOnNodesWhoseTimersDiffer() {
        Duration minimum = Duration.ofHours(1);
        assertThat(underLease("one").run(NAME, minimum, this::work)).isEqualTo(ran(Pulse.View.HELD));
        Incumbent by = refused(underLease("two").run(NAME, minimum, this::work));
        assertThat(by.holder().label()).isEqualTo("one");
        assertThat(by.takeableIn()).isBetween(minimum.minusMinutes(1), minimum);
        refused(underLease("one").run(NAME, minimum, this::work));
        assertThat(runs).hasValue(1);
        store.letPass(minimum);
        assertThat(underLease("two").run(NAME, minimum, this::work)).isEqualTo(ran(Pulse.View.HELD));
    }

    @Test
    void aMinimumThatCannotBeIsRefusedBeforeTheStoreIsAsked() {
        Faulty faulty = new Faulty();
        assertThatThrownBy(() -> underLease("one", faulty).run(NAME, Duration.ofDays(366), this::work))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(faulty.attempts).isEmpty();
    }

    @Test
    void workMayReturnNothing() {
        assertThat(underLease("one").<Optional<String>, RuntimeException>run(NAME, (lease, pulse) -> Optional.empty()))
                .isEqualTo(new Run.Ran<>(Optional.empty(), Pulse.View.HELD));
    }

    @Test
    void whatTheWorkThrewIsThrownAsItIsAndTheLeaseIsLetGo() {
        for (Throwable thrown : List.of(
                new IOException("disk full"),
                new IllegalStateException("bug"),
                new StoreUnavailable(NOT_APPLIED, "the work's own store", new Exception()),
                new AssertionError("worse"))) {
            assertThatThrownBy(() -> underLease("one").run(NAME, (lease, pulse) -> throwing(thrown)))
                    .isSameAs(thrown)
                    .hasNoSuppressedExceptions();
            assertThat(store.find(NAME)).isEmpty();
        }
    }

    private static String throwing(Throwable thrown) throws Exception {
        if (thrown instanceof Exception e) {
            throw e;
        }
        throw (Error) thrown;
    }

    @Test
    void whatTheWorkThrewIsThrownThoughTheStoreIsAway() throws Exception {
        Faulty faulty = new Faulty();
        IOException thrown = new IOException("disk full");
        assertThatThrownBy(() -> underLease("one", faulty).run(NAME, (lease, pulse) -> {
                    faulty.away = true;
                    throw thrown;
                }))
                .isSameAs(thrown)
                .hasNoSuppressedExceptions();
        faulty.away = false;
        faulty.released.await();
        assertThat(store.find(NAME)).isEmpty();
    }

    /** The release is told to the store as soon as it is back, and its time still counts from the take. */
    @Test
    void theResultIsReturnedThoughTheStoreIsAway() throws Exception {
        Faulty faulty = new Faulty();
        Run<String> run = underLease("one", faulty).run(NAME, Duration.ofHours(1), (lease, pulse) -> {
            faulty.away = true;
            return work(lease, pulse);
        });
        assertThat(run).isEqualTo(ran(Pulse.View.HELD)); // by the time that was granted
        assertThat(store.find(NAME)).isPresent();
        faulty.away = false;
        faulty.released.await();
        assertThat(store.find(NAME)).isEmpty();
        refused(underLease("two").run(NAME, this::work));
    }

    @Test
    void theResultIsReturnedThoughTheReleaseIsAnError() {
        LeaseStore mistaken = new Faulty() {
            @Override
            public Release release(Lease lease, Duration minimum) {
                throw new IllegalStateException("bug");
            }
        };
        assertThat(underLease("one", mistaken).run(NAME, this::work)).isEqualTo(ran(Pulse.View.HELD));
    }

    @Test
    void theWorkIsToldThatItIsUnsureAndItsResultIsReturned() throws Exception {
        Faulty faulty = new Faulty();
        SilenceLimit brief = SilenceLimit.of(Duration.ofMillis(20));
        CountDownLatch unsure = new CountDownLatch(1);
        Run<String> run = underLease("one", faulty, brief, Duration.ofMinutes(1))
                .run(NAME, (lease, pulse) -> {
                    faulty.away = true;
                    pulse.onUnsure(unsure::countDown);
                    unsure.await();
                    assertThat(pulse.view()).isEqualTo(Pulse.View.UNSURE);
                    return "done";
                });
        assertThat(run).isEqualTo(ran(Pulse.View.UNSURE));
    }

    /** Only a taker ends a hold: the store knows that there was none. */
    @Test
    void whoWasUnsureIsToldInTheEndThatNobodyElseHadIt() throws Exception {
        Faulty faulty = new Faulty();
        SilenceLimit brief = SilenceLimit.of(Duration.ofMillis(20));
        CountDownLatch unsure = new CountDownLatch(1);
        Run<String> run = underLease("one", faulty, brief, Duration.ofMinutes(1))
                .run(NAME, (lease, pulse) -> {
                    faulty.away = true;
                    pulse.onUnsure(unsure::countDown);
                    unsure.await();
                    faulty.away = false;
                    return "done";
                });
        assertThat(run).isEqualTo(ran(Pulse.View.HELD));
    }

    @Test
    void theWorkIsToldThatItIsLostAndItsResultIsReturned() throws Exception {
        CountDownLatch lost = new CountDownLatch(1);
        Run<String> run = underLease("one").run(NAME, (lease, pulse) -> {
            pulse.onLost(lost::countDown);
            store.evict(NAME, lease.fence(), Succession.AT_ONCE);
            lost.await();
            assertThat(pulse.view()).isEqualTo(Pulse.View.LOST);
            return "done";
        });
        assertThat(run).isEqualTo(ran(Pulse.View.LOST));
    }

    @Test
    void whoWasTakenOverIsToldByItsReleaseAtTheLatestAndTheSuccessorStands() {
        // Beats so seldom that it is surely silent.
        Heartbeats silent = Heartbeats.every(Duration.ofMinutes(1), Duration.ZERO);
        UnderLease frozen = new UnderLease(store, silent, new Holder("frozen"), LIMIT, Budget.DEFAULT);
        Run<Run<String>> run = frozen.run(NAME, (lease, pulse) -> {
            store.letPass(LIMIT.value());
            return underLease("two").run(NAME, (successor, its) -> {
                assertThat(store.release(lease, Duration.ZERO)).isInstanceOf(LeaseStore.Release.Lost.class);
                return work(successor, its);
            });
        });
        assertThat(run).isEqualTo(new Run.Ran<>(ran(Pulse.View.HELD), Pulse.View.LOST));
        silent.close();
    }

    @Test
    void anInterruptOfTheWorkKeepsItsFlag() {
        Run<String> run = underLease("one").run(NAME, (lease, pulse) -> {
            Thread.currentThread().interrupt();
            return "done";
        });
        assertThat(Thread.interrupted()).isTrue();
        assertThat(run).isEqualTo(ran(Pulse.View.HELD));
    }

    @Test
    void k15_anAcquireWhoseReplyWasLostIsRepeatedWithTheSameAttempt() {
        Faulty faulty = new Faulty();
        faulty.answers.add(fails(UNKNOWN));
        faulty.answers.add(fails(UNKNOWN));
        assertThat(underLease("one", faulty).run(NAME, this::work)).isEqualTo(ran(Pulse.View.HELD));
        assertThat(faulty.attempts).hasSize(3);
        assertThat(List.copyOf(faulty.attempts).stream().distinct()).hasSize(1);
        assertThat(runs).hasValue(1);
    }

    @Test
    void whoeverWasEvictedBeforeItKnewOfItsTakeAsksAnew() {
        Faulty faulty = new Faulty();
        faulty.answers.add(answer -> {
            store.evict(NAME, ((Acquired) answer).lease().fence(), Succession.AT_ONCE);
            return fails(UNKNOWN).apply(answer);
        });
        assertThat(underLease("one", faulty).run(NAME, this::work)).isEqualTo(ran(Pulse.View.HELD));
        assertThat(faulty.attempts).hasSize(3);
        assertThat(faulty.attempts.get(1)).isEqualTo(faulty.attempts.get(0));
        assertThat(faulty.attempts.get(2)).isNotEqualTo(faulty.attempts.get(0));
        assertThat(runs).hasValue(1);
    }

    @Test
    void whoeverIsEvictedAgainAndAgainGivesUpWithItsBudget() {
        Faulty faulty = new Faulty();
        UnaryOperator<LeaseOutcome> over = answer -> {
            if (answer instanceof Acquired won) {
                store.evict(NAME, won.lease().fence(), Succession.AT_ONCE);
            }
            return new Over();
        };
        for (int i = 0; i < 1_000; i++) {
            faulty.answers.add(over);
        }
        StoreUnavailable thrown = catchThrowableOfType(
                StoreUnavailable.class,
                () -> underLease("one", faulty, LIMIT, Duration.ofMillis(50)).run(NAME, this::work));
        assertThat(thrown.effect()).isEqualTo(NOT_APPLIED);
        assertThat(faulty.attempts).hasSizeGreaterThan(1).doesNotHaveDuplicates();
        assertThat(runs).hasValue(0);
    }

    @Test
    void anAcquireThatWasNotAppliedIsToldAtOnceForTheStoreHasSpentItsBudget() {
        Faulty faulty = new Faulty();
        faulty.answers.add(fails(NOT_APPLIED));
        StoreUnavailable thrown = catchThrowableOfType(
                StoreUnavailable.class, () -> underLease("one", faulty).run(NAME, this::work));
        assertThat(thrown.effect()).isEqualTo(NOT_APPLIED);
        assertThat(faulty.attempts).hasSize(1);
        assertThat(runs).hasValue(0);
    }

    @Test
    void aClosedProcessRefusesBeforeTheStoreIsAsked() {
        Faulty faulty = new Faulty();
        UnderLease underLease = underLease("one", faulty);
        heartbeats.close();
        assertThatThrownBy(() -> underLease.run(NAME, this::work))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shutting down");
        assertThat(faulty.attempts).isEmpty();
    }

    @Test
    void aLeaseThatIsWonAfterTheDrainLimitIsGivenBackAndNothingIsRun() {
        Faulty faulty = new Faulty();
        faulty.answers.add(answer -> {
            heartbeats.close(); // its drain limit is zero
            return answer;
        });
        assertThatThrownBy(() -> underLease("one", faulty).run(NAME, Duration.ofHours(1), this::work))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shutting down");
        assertThat(runs).hasValue(0);
        assertThat(store.acquire(NAME, AttemptId.random(), new Holder("two"), LIMIT))
                .isInstanceOf(Acquired.class);
    }

    @Test
    void aLimitUnderFourBeatsIsRefusedInTheConstructor() {
        SilenceLimit tooShort = SilenceLimit.of(Duration.ofMillis(19));
        assertThatThrownBy(() -> underLease("one", store, tooShort, Duration.ofMinutes(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("beat more often, or allow a longer silence");
    }
}
