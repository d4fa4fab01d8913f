package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** One store's heartbeat, in simulated time: what the holder believes, and what is asked of the store when. */
class HeartTest {
    private static final Duration BEAT = Duration.ofSeconds(30);
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration RETRY = Duration.ofSeconds(2);

    /** Held, because a logger that nobody holds forgets its level: what the tests provoke need not be read. */
    private static final Logger LOG = Logger.getLogger(Heartbeats.class.getName());

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void asBefore() {
        LOG.setLevel(null);
    }

    private final SimulatedTime time = new SimulatedTime();
    private final ToldStore store = new ToldStore();
    private final Heartbeats heartbeats = new Heartbeats(BEAT, Duration.ZERO, time.clocks(), time, time);
    private final Heart<Key> heart = heartbeats.of(store, SilenceLimit.of(LIMIT));

    private record Key(AttemptId attempt, Fence fence) implements Hold {
        static Key random() {
            return new Key(AttemptId.random(), new Fence(1));
        }
    }

    /** A store that says what the test tells it to say. */
    private static final class ToldStore implements HoldStore<Key> {
        static final Function<Collection<Key>, Map<Key, Renewal>> AWAY = holds -> {
            throw new StoreUnavailable(StoreUnavailable.Effect.UNKNOWN, "away", new Exception());
        };

        final List<Collection<Key>> batches = new ArrayList<>();
        Function<Collection<Key>, Map<Key, Renewal>> answer = ToldStore::allHeld;

        static Map<Key, Renewal> allHeld(Collection<Key> holds) {
            return holds.stream().collect(Collectors.toMap(h -> h, h -> new Renewal.Held(LIMIT)));
        }

        static Map<Key, Renewal> allLost(Collection<Key> holds) {
            return holds.stream().collect(Collectors.toMap(h -> h, h -> new Renewal.Lost(Optional.empty())));
        }

        @Override
        public Map<Key, Renewal> renew(Collection<Key> holds) {
            batches.add(List.copyOf(holds));
            return answer.apply(holds);
        }
    }

    private Pulse keep(Key key) {
        return heart.keep(key, LIMIT, heart.now());
    }

    @Test
    void allHoldsOfAStoreEndUpInOneBatchPerInterval() {
        Key first = Key.random();
        Key second = Key.random();
        keep(first);
        time.advance(Duration.ofSeconds(20));
        keep(second);
        time.advance(Duration.ofMinutes(5));
        assertThat(store.batches.get(0)).containsExactly(first);
        assertThat(store.batches.subList(1, store.batches.size()))
                .hasSize(10)
                .allSatisfy(batch -> assertThat(batch).containsExactlyInAnyOrder(first, second));
    }

    @Test
    void nothingIsAskedAndNothingPlannedWhileNothingIsHeld() {
        keep(Key.random());
        store.answer = ToldStore::allLost;
        time.advance(Duration.ofHours(1));
        assertThat(store.batches).hasSize(1);
        assertThat(time.plannedTasks()).isZero();
    }

    @Test
    void g3_heldCountsFromTheMomentOfSendingLessATenth() {
        Moment sent = heart.now();
        time.advance(Duration.ofSeconds(100));
        Pulse pulse = heart.keep(Key.random(), LIMIT, sent);
        assertThat(pulse.sureFor()).isEqualTo(Duration.ofSeconds(270 - 100));
    }

    @Test
    void aHoldWithLittleTimeLeftIsRenewedBeforeTheNextTick() {
        Pulse pulse = heart.keep(Key.random(), Duration.ofSeconds(10), heart.now());
        time.advance(Duration.ofSeconds(9));
        assertThat(store.batches).hasSize(1);
        assertThat(pulse.view()).isEqualTo(Pulse.View.HELD);
    }

    @Test
    void k11_aBeatThatThrowsIsRepeatedWithinTwoSecondsAndChangesNothingForTheNext() {
        Function<Collection<Key>, Map<Key, Renewal>> bug = holds -> {
            throw new IllegalStateException("bug");
        };
        Function<Collection<Key>, Map<Key, Renewal>> error = holds -> {
            throw new OutOfMemoryError("simulated");
        };
        for (Function<Collection<Key>, Map<Key, Renewal>> thrown : List.of(bug, error)) {
            Pulse pulse = keep(Key.random());
            int before = store.batches.size();
            store.answer = thrown;
            time.advance(BEAT);
            store.answer = ToldStore::allHeld;
            time.advance(RETRY);
            assertThat(store.batches).hasSize(before + 2);
            time.advance(BEAT.multipliedBy(2));
            assertThat(store.batches).hasSize(before + 4);
            assertThat(pulse.sureFor()).isGreaterThan(Duration.ofMinutes(4));
        }
    }

    @Test
    void anAnswerThatIsNoneIsTakenAsNoWordAndDoesNotMakeTheHeartRace() {
        @SuppressWarnings("NullAway") // a third party's store is played here
        Function<Collection<Key>, Map<Key, Renewal>> nothing = holds -> null;
        Function<Collection<Key>, Map<Key, Renewal>> endless = holds -> holds.stream()
                .collect(Collectors.toMap(h -> h, h -> new Renewal.Held(Duration.ofSeconds(Long.MAX_VALUE))));
        for (Function<Collection<Key>, Map<Key, Renewal>> malformed : List.of(nothing, endless)) {
            Key key = Key.random();
            Pulse pulse = keep(key);
            store.batches.clear();
            store.answer = malformed;
            time.advance(BEAT.plusSeconds(60));
            assertThat(store.batches).hasSizeBetween(30, 32);
            store.answer = ToldStore::allHeld;
            time.advance(RETRY);
            assertThat(pulse.sureFor()).isGreaterThan(Duration.ofMinutes(4));
            heart.stop(key);
        }
    }

    @Test
    void k8_withoutAWordFromTheStoreHeldBecomesUnsureAndComesBackWithTheNextOne() {
        List<String> told = new ArrayList<>();
        Pulse pulse = keep(Key.random());
        pulse.onUnsure(() -> told.add("unsure"));
        pulse.onLost(() -> told.add("lost"));
        store.answer = ToldStore.AWAY;
        time.advance(Duration.ofSeconds(269));
        assertThat(pulse.view()).isEqualTo(Pulse.View.HELD);
        time.advance(Duration.ofSeconds(1));
        assertThat(told).containsExactly("unsure");
        assertThat(pulse.view()).isEqualTo(Pulse.View.UNSURE);
        assertThat(pulse.sureFor()).isZero();

        store.answer = ToldStore::allHeld;
        time.advance(RETRY);
        assertThat(pulse.view()).isEqualTo(Pulse.View.HELD);

        store.answer = ToldStore.AWAY;
        time.advance(Duration.ofMinutes(10));
        assertThat(told).containsExactly("unsure", "unsure");
        assertThat(pulse.view()).isEqualTo(Pulse.View.UNSURE);
    }

    @Test
    void aRegistrationThatComesLateIsToldAtOnce() {
        List<String> told = new ArrayList<>();
        Pulse pulse = keep(Key.random());
        store.answer = ToldStore.AWAY;
        time.advance(Duration.ofMinutes(6));
        pulse.onUnsure(() -> told.add("unsure"));
        store.answer = ToldStore::allLost;
        time.advance(RETRY);
        pulse.onLost(() -> told.add("lost"));
        assertThat(told).containsExactly("unsure", "lost");
    }

    @Test
    void k8_aSuspendedMachineIsUnsureWhenItWakesUpThoughItsMonotonicClockStoodStill() {
        Pulse pulse = keep(Key.random());
        time.wallClockJumps(Duration.ofMinutes(6));
        assertThat(pulse.view()).isEqualTo(Pulse.View.UNSURE);
        time.advance(BEAT);
        assertThat(pulse.view()).isEqualTo(Pulse.View.HELD);
    }

    @Test
    void aWallClockThatIsSetBackMakesNothingLast() {
        Pulse pulse = keep(Key.random());
        store.answer = ToldStore.AWAY;
        time.wallClockJumps(Duration.ofHours(-5));
        time.advance(Duration.ofSeconds(270));
        assertThat(pulse.view()).isEqualTo(Pulse.View.UNSURE);
    }

    @Test
    void lostIsToldOnceAndNeverComesBack() {
        List<String> told = new ArrayList<>();
        Pulse pulse = keep(Key.random());
        pulse.onLost(() -> told.add("lost"));
        pulse.onUnsure(() -> told.add("unsure"));
        store.answer = ToldStore::allLost;
        time.advance(BEAT);
        store.answer = ToldStore::allHeld;
        time.advance(Duration.ofHours(1));
        assertThat(told).containsExactly("lost");
        assertThat(pulse.view()).isEqualTo(Pulse.View.LOST);
        assertThat(pulse.sureFor()).isZero();
        assertThat(store.batches).hasSize(1);
    }

    @Test
    void g14_aHoldWithoutAWordIsAskedForAgainSoonAndTheOthersAreNot() {
        Key locked = Key.random();
        Key fine = Key.random();
        Pulse lockedPulse = keep(locked);
        Pulse finePulse = keep(fine);
        store.answer = holds ->
                ToldStore.allHeld(holds.stream().filter(h -> !h.equals(locked)).toList());
        time.advance(BEAT.plus(Duration.ofSeconds(6)));
        assertThat(store.batches).hasSize(4);
        assertThat(store.batches.get(3)).containsExactly(locked);
        time.advance(Duration.ofMinutes(5));
        assertThat(lockedPulse.view()).isEqualTo(Pulse.View.UNSURE);
        assertThat(finePulse.view()).isEqualTo(Pulse.View.HELD);
    }

    @Test
    void aCallbackThatThrowsChangesNothing() {
        List<String> told = new ArrayList<>();
        Pulse pulse = keep(Key.random());
        pulse.onLost(() -> {
            throw new IllegalStateException("the host's bug");
        });
        pulse.onLost(() -> told.add("lost"));
        store.answer = ToldStore::allLost;
        time.advance(BEAT);
        assertThat(told).containsExactly("lost");
    }

    @Test
    void anEndThatTheStoreHasAnsweredStopsTheBeat() {
        Key key = Key.random();
        Pulse pulse = keep(key);
        List<String> told = new ArrayList<>();
        pulse.onUnsure(() -> told.add("unsure"));
        assertThat(heart.letGo(key, () -> "ended").toCompletableFuture()).isCompletedWithValue("ended");
        time.advance(Duration.ofHours(1));
        assertThat(store.batches).isEmpty();
        assertThat(told).isEmpty();
        assertThat(time.plannedTasks()).isZero();
    }

    @Test
    void anEndThatCouldNotBeDeliveredIsRepeatedAndTheHoldKeptAliveMeanwhile() {
        Key key = Key.random();
        Pulse pulse = keep(key);
        List<String> asked = new ArrayList<>();
        CompletionStage<String> end = heart.letGo(key, () -> {
            asked.add("end");
            return store.answer.apply(List.of(key)).isEmpty() ? "" : "ended";
        });
        assertThat(end.toCompletableFuture()).isCompletedWithValue("ended");

        Key other = Key.random();
        Pulse otherPulse = keep(other);
        asked.clear();
        boolean[] finishIsLocked = {true};
        CompletionStage<String> late = heart.letGo(other, () -> {
            asked.add("end");
            if (finishIsLocked[0]) {
                throw new StoreUnavailable(StoreUnavailable.Effect.NOT_APPLIED, "locked", new Exception());
            }
            return "ended";
        });
        time.advance(Duration.ofMinutes(10));
        assertThat(late.toCompletableFuture()).isNotDone();
        assertThat(asked).hasSizeGreaterThan(250);
        assertThat(otherPulse.view()).isEqualTo(Pulse.View.HELD);
        finishIsLocked[0] = false;
        time.advance(RETRY);
        assertThat(late.toCompletableFuture()).isCompletedWithValue("ended");
        int batches = store.batches.size();
        time.advance(Duration.ofHours(1));
        assertThat(store.batches).hasSize(batches);
        assertThat(pulse.view()).isEqualTo(Pulse.View.UNSURE);
    }

    @Test
    void anEndIsDeliveredThoughNoThreadWasToBeHadAtFirst() {
        Key key = Key.random();
        keep(key);
        boolean[] away = {true};
        CompletionStage<String> end = heart.letGo(key, () -> {
            if (away[0]) {
                throw new StoreUnavailable(StoreUnavailable.Effect.NOT_APPLIED, "away", new Exception());
            }
            return "ended";
        });
        away[0] = false;
        time.threadsAreMissing(3);
        time.advance(RETRY.multipliedBy(4));
        assertThat(end.toCompletableFuture()).isCompletedWithValue("ended");
    }

    @Test
    void lostIsToldThoughNoThreadWasToBeHadAtFirst() {
        List<String> told = new ArrayList<>();
        keep(Key.random()).onLost(() -> told.add("first"));
        keep(Key.random()).onLost(() -> told.add("second"));
        store.answer = ToldStore::allLost;
        time.threadsAreMissing(3);
        time.advance(BEAT.plusSeconds(3));
        assertThat(told).containsExactlyInAnyOrder("first", "second");
        assertThat(time.plannedTasks()).isZero();
    }

    @Test
    void anEndThatCanNeverBeDeliveredDoesNotKeepTheOthersWaiting() {
        List<CompletionStage<String>> ends = new ArrayList<>();
        boolean[] away = {true};
        for (int i = 0; i < 10; i++) {
            boolean stuck = i == 0;
            Key key = Key.random();
            keep(key);
            ends.add(heart.letGo(key, () -> {
                if (away[0] || stuck) {
                    time.advance(Duration.ofSeconds(5)); // a whole budget is spent on it
                    throw new StoreUnavailable(StoreUnavailable.Effect.NOT_APPLIED, "locked", new Exception());
                }
                return "ended";
            }));
        }
        away[0] = false;
        time.advance(Duration.ofMinutes(2));
        assertThat(ends.get(0).toCompletableFuture()).isNotDone();
        assertThat(ends.subList(1, 10))
                .allSatisfy(e -> assertThat(e.toCompletableFuture()).isCompleted());
    }

    @Test
    void whileItsEndIsUnderWayALossIsNoNews() {
        Key key = Key.random();
        Pulse pulse = keep(key);
        List<String> told = new ArrayList<>();
        pulse.onLost(() -> told.add("lost"));
        boolean[] replyIsLost = {true};
        CompletionStage<String> end = heart.letGo(key, () -> {
            if (replyIsLost[0]) {
                throw new StoreUnavailable(StoreUnavailable.Effect.UNKNOWN, "applied, but no reply", new Exception());
            }
            return "ended";
        });
        store.answer = ToldStore::allLost; // it was applied, so that a renewal finds nothing to renew
        time.advance(BEAT);
        assertThat(told).isEmpty();
        replyIsLost[0] = false;
        time.advance(RETRY);
        assertThat(end.toCompletableFuture()).isCompletedWithValue("ended");
        assertThat(told).isEmpty();
    }

    @Test
    void anEndThatFailsForAnotherReasonIsNotRepeated() {
        Key key = Key.random();
        keep(key);
        CompletionStage<String> end = heart.letGo(key, () -> {
            throw new IllegalArgumentException("a bug");
        });
        assertThat(end.toCompletableFuture()).isCompletedExceptionally();
        time.advance(Duration.ofHours(1));
        assertThat(store.batches).isEmpty();
    }

    @Test
    void aStoppedHoldIsLeftToFallSilent() {
        Key key = Key.random();
        Pulse pulse = keep(key);
        List<String> told = new ArrayList<>();
        pulse.onUnsure(() -> told.add("unsure"));
        heart.stop(key);
        time.advance(Duration.ofHours(1));
        assertThat(store.batches).isEmpty();
        assertThat(told).isEmpty();
        assertThat(pulse.view()).isEqualTo(Pulse.View.UNSURE);
    }

    @Test
    void aLimitUnderFourBeatsIsRefused() {
        assertThatThrownBy(() -> heartbeats.of(
                        store, SilenceLimit.of(BEAT.multipliedBy(4).minusMillis(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("silence limit PT1M59.999S is shorter than 4 heartbeats of PT30S:"
                        + " beat more often, or allow a longer silence");
        assertThat(heartbeats.of(store, SilenceLimit.of(BEAT.multipliedBy(4)))).isNotNull();
    }

    @Test
    void intervalsAndDrainLimitsOutOfRangeAreRefused() {
        for (Duration interval : List.of(
                Duration.ZERO,
                Duration.ofSeconds(-1),
                Duration.ofNanos(999_999),
                Duration.ofDays(92),
                Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatThrownBy(() -> Heartbeats.every(interval, Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("heartbeat interval must be from 1 ms to 91 days: " + interval);
        }
        for (Duration drain : List.of(Duration.ofNanos(-1), Duration.ofDays(366), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatThrownBy(() -> Heartbeats.every(BEAT, drain))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("drain limit must be from 0 to 365 days: " + drain);
        }
    }
}
