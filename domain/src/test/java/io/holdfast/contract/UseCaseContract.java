package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Budget;
import io.holdfast.Heartbeats;
import io.holdfast.contract.Evidence.Method;
import io.holdfast.contract.FaultProxy.Mode;
import io.holdfast.contract.FaultProxy.Strike;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the use cases do on the engine when their network goes away, and when their process does. */
public interface UseCaseContract {
    /** The engine under test; the same one for all tests of the class. */
    Engine engine();

    /** Of each kind as many works are under way when the process is told to stop. */
    int WORKS = 3;

    /** By far more than the beats that are under way at one time. */
    int MANY = 50;

    /** Held, because a logger that nobody holds forgets its level: what is provoked here need not be read. */
    Logger LOG = Logger.getLogger(Heartbeats.class.getName());

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void asBefore() {
        LOG.setLevel(null);
    }

    /** At each round trip of a take in turn; the last one comes too late to cut it off. */
    @Test
    default void g5_whatNobodyKnowsOfIsWithdrawnWhereverItWasCutOff() {
        Tries tries = new Tries();
        AtomicInteger unknown = new AtomicInteger();
        for (Function<Ports, UseCase> kind : UseCase.all()) {
            List<Callable<Boolean>> callers = new ArrayList<>();
            for (Strike strike : List.of(Strike.REPLY_LOST, Strike.REQUEST_LOST, Strike.REQUEST_LATE)) {
                callers.add(() -> {
                    boolean failed = true;
                    for (int nth = 1; failed; nth++) {
                        CutOff cutOff = new CutOff(engine(), kind.apply(near()), strike, nth);
                        tries.attempt(cutOff.toString(), cutOff);
                        unknown.addAndGet(cutOff.isUnknown() ? 1 : 0);
                        failed = cutOff.hasFailed();
                    }
                    return true;
                });
            }
            Contenders.race(callers);
        }
        tries.tell(
                Method.FAULTS,
                engine().name(),
                "G5 C11 L3 S5 S6",
                "the network lost in a take, or its request late, and back again: withdrawn",
                unknown + " were told UNKNOWN");
        // Each kind, with each strike: else nothing was withdrawn.
        assertThat(unknown.get()).isGreaterThanOrEqualTo(9);
    }

    /** K9: when a process is told to stop its works go on for a while, and each must stay its own until it has ended. */
    @Test
    default void k9_worksInFlightKeepTheirHoldsThroughAShutdown() {
        Tries tries = new Tries();
        List<UseCase> works = IntStream.range(0, WORKS)
                .boxed()
                .flatMap(i -> UseCase.all().stream().map(kind -> kind.apply(near())))
                .toList();
        try (FaultProxy proxy = new FaultProxy(engine().host(), engine().port());
                Heartbeats near = Heartbeats.everyHalfMinute()) {
            ShutDown shutDown = new ShutDown(engine(), proxy);
            works.forEach(shutDown::begin);
            shutDown.close();
            for (int i = 0; i < 3; i++) {
                engine().subject().letPass(Trial.LIMIT.minus(Trial.A_MINUTE));
                shutDown.awaitBeats();
                works.forEach(work -> tries.attempt(
                        "in between: " + work,
                        () -> assertThat(isRun(work, near))
                                .as("it is somebody else's")
                                .isFalse()));
                tries.attempt("the wait", () -> assertThat(shutDown.isOver()).isFalse());
            }
            shutDown.end();
            // Its end is in the database before the process may go; a beat that was under way may still be answered.
            boolean isSilent = false;
            for (int i = 0; !isSilent && i < MANY; i++) {
                int said = proxy.roundTrips();
                works.forEach(work -> tries.attempt(
                        "afterwards: " + work,
                        () -> assertThat(isRun(work, near)).as("it is free").isTrue()));
                isSilent = proxy.roundTrips() == said;
            }
            assertThat(isSilent).as("it has stopped speaking").isTrue();
        }
        tries.attempt("without a network", this::shutDownWithoutANetwork);
        tries.tell(
                Method.FAULTS,
                engine().name(),
                "E9 G7 C7",
                "a shutdown with works in flight for longer than their limit, and one that cannot tell the end of its work",
                "%d works at once".formatted(works.size()));
    }

    /** The drain limit ends the wait; what is left falls silent, and is taken over after its limit and not before. */
    private void shutDownWithoutANetwork() {
        UseCase lease = new UseCase.OnLease();
        try (FaultProxy proxy = new FaultProxy(engine().host(), engine().port());
                Heartbeats near = Heartbeats.everyHalfMinute()) {
            Ports there = new OneAtATime(engine().through(proxy.port(), Budget.of(Duration.ofSeconds(1))));
            Heartbeats heartbeats = Heartbeats.every(Duration.ofMillis(20), Duration.ofMillis(500));
            lease.run(there, heartbeats, () -> proxy.set(Mode.BREAK));
            heartbeats.close();
            proxy.set(Mode.PASS);
            assertThat(isRun(lease, near)).as("before the limit").isFalse();
            engine().subject().letPass(Trial.LIMIT);
            assertThat(isRun(lease, near)).as("after the limit").isTrue();
        }
    }

    /** Whether somebody else could run it. */
    private boolean isRun(UseCase useCase, Heartbeats heartbeats) {
        AtomicBoolean run = new AtomicBoolean();
        useCase.run(near(), heartbeats, () -> run.set(true));
        return run.get();
    }

    private Ports near() {
        return engine().within(Budget.DEFAULT);
    }
}
