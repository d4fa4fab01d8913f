package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The life cycle of heartbeats, on real threads. Nothing here waits for a time to pass, only for things to happen. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HeartbeatsTest {
    private static final SilenceLimit LIMIT = SilenceLimit.of(Duration.ofMinutes(5));

    private record Key(AttemptId attempt, Fence fence) implements Hold {
        static Key random() {
            return new Key(AttemptId.random(), new Fence(1));
        }
    }

    private static Map<Key, Renewal> held(Collection<Key> holds) {
        return holds.stream().collect(Collectors.toMap(h -> h, h -> new Renewal.Held(LIMIT.value())));
    }

    private static Heartbeats everyMilli(Duration drain) {
        return Heartbeats.every(Duration.ofMillis(1), drain);
    }

    @Test
    void k9_closeGoesOnBeatingUntilTheLastHoldIsLetGo() throws Exception {
        Heartbeats heartbeats = everyMilli(Duration.ofDays(1));
        CountDownLatch beatsWhileClosing = new CountDownLatch(3);
        AtomicBoolean closing = new AtomicBoolean();
        Heart<Key> heart = heartbeats.of(
                holds -> {
                    if (closing.get()) {
                        beatsWhileClosing.countDown();
                    }
                    return held(holds);
                },
                LIMIT);
        Key key = Key.random();
        heart.keep(key, LIMIT.value(), heart.now());
        CompletableFuture<Void> close = CompletableFuture.runAsync(() -> {
            closing.set(true);
            heartbeats.close();
        });
        beatsWhileClosing.await();
        assertThat(close).isNotDone();
        heart.letGo(key, () -> "ended").toCompletableFuture().get();
        close.get();
    }

    @Test
    void closeWaitsForATakeThatIsUnderWayAndForItsWinner() throws Exception {
        Heartbeats heartbeats = everyMilli(Duration.ofDays(1));
        Heart<Key> heart = heartbeats.of(HeartbeatsTest::held, LIMIT);
        CountDownLatch taking = new CountDownLatch(1);
        CountDownLatch granted = new CountDownLatch(1);
        Key key = Key.random();
        CompletableFuture<Pulse> take = CompletableFuture.supplyAsync(() -> heart.taking(
                Budget.DEFAULT,
                take(() -> {
                    taking.countDown();
                    await(granted);
                    return key;
                }),
                (won, sent) -> heart.keep(won, LIMIT.value(), sent)));
        taking.await();
        CompletableFuture<Void> close = CompletableFuture.runAsync(heartbeats::close);
        untilClosed(heart);
        assertThat(close).isNotDone();
        granted.countDown();
        assertThat(take.get().view()).isEqualTo(Pulse.View.HELD);
        assertThat(close).isNotDone();
        heart.letGo(key, () -> "ended").toCompletableFuture().get();
        close.get();
    }

    @Test
    void afterCloseATakeIsRefusedBeforeTheStoreIsAsked() {
        Heartbeats heartbeats = everyMilli(Duration.ZERO);
        Heart<Key> heart = heartbeats.of(HeartbeatsTest::held, LIMIT);
        heartbeats.close();
        heartbeats.close();
        AtomicInteger asked = new AtomicInteger();
        assertThatThrownBy(() -> ask(heart, asked::incrementAndGet))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("heartbeats are closed, this process is shutting down: ask another one");
        Heart<Key> late = heartbeats.of(HeartbeatsTest::held, LIMIT);
        assertThatThrownBy(() -> ask(late, asked::incrementAndGet)).isInstanceOf(IllegalStateException.class);
        assertThat(asked).hasValue(0);
    }

    @Test
    void closeRepeatsAnEndUntilTheStoreIsBack() throws Exception {
        Heartbeats heartbeats = everyMilli(Duration.ofDays(1));
        Heart<Key> heart = heartbeats.of(HeartbeatsTest::held, LIMIT);
        Key key = Key.random();
        heart.keep(key, LIMIT.value(), heart.now());
        AtomicBoolean away = new AtomicBoolean(true);
        CompletionStage<String> end = heart.letGo(key, () -> endUnless(away));
        CompletableFuture<Void> close = CompletableFuture.runAsync(heartbeats::close);
        untilClosed(heart);
        assertThat(end.toCompletableFuture()).isNotDone();
        away.set(false);
        close.get();
        assertThat(end.toCompletableFuture().get()).isEqualTo("ended");
    }

    @Test
    void closeWaitsUntilWhatNobodyKnowsOfIsWithdrawn() throws Exception {
        Heartbeats heartbeats = everyMilli(Duration.ofDays(1));
        Heart<Key> heart = heartbeats.of(
                holds -> holds.stream().collect(Collectors.toMap(h -> h, h -> new Renewal.Lost(Optional.empty()))),
                LIMIT);
        AtomicBoolean away = new AtomicBoolean(true);
        AttemptId attempt = AttemptId.random();
        CompletableFuture<Key> givenBack = new CompletableFuture<>();
        Key key = new Key(attempt, new Fence(2));
        Heart.Take<String, Key> take = new Heart.Take<>(
                fence -> new Key(attempt, fence), () -> endUnless(away), said -> Optional.of(key), givenBack::complete);
        assertThatThrownBy(() -> heart.taking(Budget.of(Duration.ofNanos(1)), take, (answer, sent) -> answer))
                .isInstanceOf(StoreUnavailable.class);
        CompletableFuture<Void> close = CompletableFuture.runAsync(heartbeats::close);
        untilClosed(heart);
        assertThat(close).isNotDone();
        away.set(false);
        close.get();
        assertThat(givenBack).isCompletedWithValue(key);
    }

    @Test
    void whenTheDrainLimitIsOverWhatCouldNotBeDeliveredSaysSo() {
        Heartbeats heartbeats = everyMilli(Duration.ofMillis(1));
        Heart<Key> heart = heartbeats.of(HeartbeatsTest::held, LIMIT);
        Key key = Key.random();
        heart.keep(key, LIMIT.value(), heart.now());
        CompletionStage<String> before = heart.letGo(key, () -> endUnless(new AtomicBoolean(true)));
        heartbeats.close();
        CompletionStage<String> after = heart.letGo(key, () -> endUnless(new AtomicBoolean(true)));
        for (CompletionStage<String> end : java.util.List.of(before, after)) {
            assertThatThrownBy(() -> end.toCompletableFuture().get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(StoreUnavailable.class)
                    .hasMessageContaining("the hold is left to fall silent");
        }
    }

    @Test
    void anInterruptEndsTheWaitOfCloseAndKeepsItsFlag() {
        Heartbeats heartbeats = everyMilli(Duration.ofDays(1));
        Heart<Key> heart = heartbeats.of(HeartbeatsTest::held, LIMIT);
        heart.keep(Key.random(), LIMIT.value(), heart.now());
        Thread.currentThread().interrupt();
        heartbeats.close();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aStoreThatHangsDelaysNoOtherStore() throws Exception {
        Heartbeats heartbeats = everyMilli(Duration.ZERO);
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Heart<Key> stuck = heartbeats.of(
                holds -> {
                    hanging.countDown();
                    await(never);
                    return held(holds);
                },
                LIMIT);
        CountDownLatch beats = new CountDownLatch(5);
        Heart<Key> fine = heartbeats.of(
                holds -> {
                    beats.countDown();
                    return held(holds);
                },
                LIMIT);
        CountDownLatch unsure = new CountDownLatch(1);
        stuck.keep(Key.random(), Duration.ofMillis(50), stuck.now()).onUnsure(unsure::countDown);
        hanging.await();
        fine.keep(Key.random(), LIMIT.value(), fine.now());
        beats.await();
        unsure.await(); // the time of the stuck one is watched all the same
        never.countDown();
        heartbeats.close();
    }

    /** K10: the end waits for a connection of the exhausted work pool; the beats have one of their own. */
    @Test
    void e9_anEndThatHangsDelaysNoBeat() throws Exception {
        Heartbeats heartbeats = everyMilli(Duration.ZERO);
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch beats = new CountDownLatch(5);
        Heart<Key> heart = heartbeats.of(
                holds -> {
                    if (hanging.getCount() == 0) {
                        beats.countDown();
                    }
                    return held(holds);
                },
                LIMIT);
        Key ending = Key.random();
        heart.keep(ending, LIMIT.value(), heart.now());
        heart.keep(Key.random(), LIMIT.value(), heart.now());
        AtomicBoolean first = new AtomicBoolean(true);
        heart.letGo(ending, () -> {
            if (!first.getAndSet(false)) {
                hanging.countDown();
                await(never);
            }
            return endUnless(new AtomicBoolean(true));
        });
        beats.await();
        never.countDown();
        heartbeats.close();
    }

    @Test
    void whatWaitsForAnEndDelaysNoBeatAndMayCloseTheHeartbeats() throws Exception {
        Heartbeats heartbeats = everyMilli(Duration.ofDays(1));
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch beats = new CountDownLatch(5);
        Heart<Key> heart = heartbeats.of(
                holds -> {
                    if (told.getCount() == 0) {
                        beats.countDown();
                    }
                    return held(holds);
                },
                LIMIT);
        Key ended = Key.random();
        Key other = Key.random();
        heart.keep(ended, LIMIT.value(), heart.now());
        heart.keep(other, LIMIT.value(), heart.now());
        AtomicBoolean away = new AtomicBoolean(true);
        CompletionStage<Void> closed = heart.letGo(ended, () -> endUnless(away)).thenAccept(end -> {
            told.countDown();
            await(beats);
            heart.letGo(other, () -> "ended");
            heartbeats.close();
        });
        away.set(false);
        closed.toCompletableFuture().get();
    }

    @Test
    void aWinnerThatComesAfterTheDrainLimitIsNotKept() throws Exception {
        Heartbeats heartbeats = everyMilli(Duration.ofMillis(1));
        Heart<Key> heart = heartbeats.of(HeartbeatsTest::held, LIMIT);
        CountDownLatch taking = new CountDownLatch(1);
        CountDownLatch granted = new CountDownLatch(1);
        CompletableFuture<Pulse> take = CompletableFuture.supplyAsync(() -> heart.taking(
                Budget.DEFAULT,
                take(() -> {
                    taking.countDown();
                    await(granted);
                    return Key.random();
                }),
                (won, sent) -> heart.keep(won, LIMIT.value(), sent)));
        taking.await();
        heartbeats.close();
        granted.countDown();
        assertThatThrownBy(take::get)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shutting down");
    }

    @Test
    void aCallbackThatBlocksDelaysNoBeat() throws Exception {
        Heartbeats heartbeats = everyMilli(Duration.ZERO);
        AtomicBoolean lose = new AtomicBoolean(true);
        CountDownLatch beats = new CountDownLatch(5);
        Key lost = Key.random();
        Heart<Key> heart = heartbeats.of(
                holds -> {
                    beats.countDown();
                    Map<Key, Renewal> said = held(holds);
                    if (lose.get()) {
                        said.computeIfPresent(lost, (k, r) -> new Renewal.Lost(Optional.empty()));
                    }
                    return said;
                },
                LIMIT);
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        heart.keep(lost, LIMIT.value(), heart.now()).onLost(() -> {
            blocked.countDown();
            await(never);
        });
        heart.keep(Key.random(), LIMIT.value(), heart.now());
        blocked.await();
        beats.await();
        never.countDown();
        heartbeats.close();
    }

    private static String endUnless(AtomicBoolean away) {
        if (away.get()) {
            throw new StoreUnavailable(StoreUnavailable.Effect.UNKNOWN, "away", new Exception());
        }
        return "ended";
    }

    private static int ask(Heart<Key> heart, Supplier<Integer> ask) {
        return heart.taking(Budget.DEFAULT, take(ask), (answer, sent) -> answer);
    }

    /** One whose outcome does not stay unknown. */
    private static <A> Heart.Take<A, Key> take(Supplier<A> ask) {
        AttemptId attempt = AttemptId.random();
        return new Heart.Take<>(fence -> new Key(attempt, fence), ask, answer -> Optional.empty(), hold -> {});
    }

    private static void untilClosed(Heart<Key> heart) {
        while (true) {
            try {
                ask(heart, () -> 0);
                Thread.onSpinWait();
            } catch (IllegalStateException e) {
                return;
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
