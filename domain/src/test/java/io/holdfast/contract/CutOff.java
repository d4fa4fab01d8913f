package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Budget;
import io.holdfast.Heartbeats;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.contract.FaultProxy.Mode;
import io.holdfast.contract.FaultProxy.Strike;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.function.Executable;

/**
 * A use case whose network goes away with one of its requests, and comes back after its caller was told. Whoever was told a
 * failure has begun nothing, and nothing will: the key is free again, and the request key with it (decision 0007).
 */
final class CutOff implements Executable {
    private static final Budget SHORT = Budget.of(Duration.ofSeconds(1));

    /** More than it takes to withdraw on a new connection. What is late arrives after that, or when it was tried in vain. */
    private static final int MANY_TRIPS = 80;

    private final Engine engine;
    private final UseCase useCase;
    private final Strike strike;
    private final int nth;
    private final AtomicInteger works = new AtomicInteger();
    private Optional<Effect> told = Optional.empty();
    private boolean struck;

    CutOff(Engine engine, UseCase useCase, Strike strike, int nth) {
        this.engine = engine;
        this.useCase = useCase;
        this.strike = strike;
        this.nth = nth;
    }

    /** Whether it was cut off before it was granted. */
    boolean hasFailed() {
        return told.isPresent();
    }

    boolean isUnknown() {
        return told.filter(Effect.UNKNOWN::equals).isPresent();
    }

    @Override
    public void execute() throws Exception {
        try (FaultProxy proxy = new FaultProxy(engine.host(), engine.port())) {
            Ports there = new OneAtATime(engine.through(proxy.port(), SHORT));
            connect(there);
            Heartbeats heartbeats = Heartbeats.every(Duration.ofMillis(20), Duration.ofMinutes(1));
            proxy.strikeLast(nth, strike);
            try {
                useCase.run(there, heartbeats, works::incrementAndGet);
            } catch (StoreUnavailable e) {
                told = Optional.of(e.effect());
            }
            struck = proxy.struck();
            int begun = works.get();
            assertThat(begun).as("works that were begun").isEqualTo(told.isPresent() ? 0 : 1);
            proxy.set(Mode.PASS);
            CompletableFuture<Void> withdrawn = CompletableFuture.runAsync(heartbeats::close);
            if (struck && strike == Strike.REQUEST_LATE) {
                int before = proxy.roundTrips();
                while (!withdrawn.isDone() && proxy.roundTrips() - before < MANY_TRIPS) {
                    LockSupport.parkNanos(1_000_000);
                }
                proxy.deliver();
            }
            withdrawn.get(90, TimeUnit.SECONDS);
            assertThat(works).hasValue(begun);
            try (Heartbeats next = Heartbeats.everyHalfMinute()) {
                useCase.run(engine.within(Budget.DEFAULT), next, works::incrementAndGet);
            }
            assertThat(works).as("works with the next one's").hasValue(begun + 1);
        }
    }

    /** With a budget this short a new connection may need more than one try, on a busy machine. */
    private static void connect(Ports there) {
        long begun = System.nanoTime();
        while (true) {
            try {
                assertThat(there.leases().find(LeaseTrial.newName())).isEmpty();
                return;
            } catch (StoreUnavailable e) {
                if (System.nanoTime() - begun > TimeUnit.MINUTES.toNanos(1)) {
                    throw e;
                }
            }
        }
    }

    @Override
    public String toString() {
        return useCase + ", " + strike + " " + nth;
    }
}
