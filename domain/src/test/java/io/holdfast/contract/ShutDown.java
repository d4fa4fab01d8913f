package io.holdfast.contract;

import io.holdfast.Budget;
import io.holdfast.Heartbeats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A process that is told to stop while its works go on. What it says to its server is counted. */
final class ShutDown {
    private static final long PATIENCE_SECONDS = 60;

    /** By many times more than one beat of each kind of hold takes. */
    private static final int MANY_TRIPS = 100;

    private final FaultProxy proxy;
    private final Ports there;
    private final Heartbeats heartbeats = Heartbeats.every(Duration.ofMillis(20), Duration.ofMinutes(2));
    private final CountDownLatch end = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> works = new ArrayList<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    ShutDown(Engine engine, FaultProxy proxy) {
        this.proxy = proxy;
        this.there = new OneAtATime(engine.through(proxy.port(), Budget.DEFAULT));
    }

    /** Returns when its work is under way. */
    void begin(UseCase useCase) {
        CountDownLatch begun = new CountDownLatch(1);
        works.add(threads.submit(() -> useCase.run(there, heartbeats, () -> {
            begun.countDown();
            await(end);
        })));
        await(begun);
    }

    void close() {
        threads.execute(() -> {
            heartbeats.close();
            closed.complete(null);
        });
    }

    boolean isOver() {
        return closed.isDone();
    }

    void awaitBeats() {
        int before = proxy.roundTrips();
        long begun = System.nanoTime();
        while (proxy.roundTrips() - before < MANY_TRIPS) {
            if (System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new AssertionError("nothing is renewed");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Lets the works end, and returns when the process might. */
    void end() {
        end.countDown();
        try {
            closed.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            for (Future<?> work : works) {
                work.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (Exception e) {
            throw new AssertionError("it does not end", e);
        }
        threads.shutdown();
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("nothing happens");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
