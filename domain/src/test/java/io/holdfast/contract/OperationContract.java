package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.Budget;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.contract.FaultProxy.Mode;
import io.holdfast.contract.Operation.Call;
import io.holdfast.contract.Operation.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/**
 * What every adapter must do with its engine, in each operation of each port: rules E1 to E5, E7 and E9 of {@code
 * docs/contract.md} once more, for whatever {@link Operation#all()} lists. {@link EngineContract} asks the same of
 * publishing, and more closely.
 */
public interface OperationContract {
    /** The engine under test; the same one for all tests of the class. */
    Engine engine();

    /** Of a call that has to fail. */
    Budget SHORT = Budget.of(Duration.ofMillis(1_500));

    /** Far more than any budget here, and far less than for ever. */
    Duration BOUND = Duration.ofSeconds(20);

    int OWNERS = 4;

    @TestFactory
    default Stream<DynamicTest> e1_noOperationJoinsTheCallersTransaction() {
        return each(Operation.all(), operation -> {
            Call call = begin(operation);
            engine().inCallersTransaction(call::make);
            assertApplied(operation, call);
            call.make(here());
        });
    }

    @TestFactory
    default Stream<DynamicTest> e2_settingsDoNotMatterToAnyOperation() {
        return engine().settings().entrySet().stream()
                .map(setting -> dynamicTest(
                        setting.getKey(),
                        () -> Operation.all().forEach(operation -> {
                            Call call = begin(operation);
                            call.make(setting.getValue());
                            assertApplied(operation, call);
                            call.make(here());
                        })));
    }

    /**
     * Several at once, because each is given its time; but no more than get a connection at once, for the wait for one is
     * within the budget too, and leaves less for the lock. The same operations on other keys are done meanwhile (E4).
     */
    @Test
    default void e3_noOperationWaitsForAStrangersLockLongerThanItsBudget() {
        List<Operation> operations = Operation.thatChange()
                .filter(operation -> operation.kind() != Kind.TAKE_NEW)
                .toList();
        for (int i = 0; i < operations.size(); i += OWNERS) {
            assertBounded(operations.subList(i, Math.min(operations.size(), i + OWNERS)));
        }
    }

    private void assertBounded(List<Operation> operations) {
        List<Call> locked = operations.stream().map(this::begin).toList();
        List<Call> free = operations.stream().map(this::begin).toList();
        List<Engine.Lock> locks = new ArrayList<>();
        try {
            locked.forEach(call -> locks.add(engine().lock(call.row())));
            Ports there = engine().within(SHORT);
            List<Callable<Void>> calls = new ArrayList<>();
            for (int i = 0; i < operations.size(); i++) {
                Operation operation = operations.get(i);
                Call waits = locked.get(i);
                Call passes = free.get(i);
                calls.add(done(() -> assertThat(unavailable(operation, () -> waits.make(there)))
                        .as(operation.name())
                        .isIn(Effect.NOT_APPLIED, engine().lockedOut())));
                calls.add(done(() -> passes.make(there)));
            }
            Contenders.race(calls);
        } finally {
            locks.forEach(Engine.Lock::close);
        }
        for (int i = 0; i < operations.size(); i++) {
            assertApplied(operations.get(i), free.get(i));
            locked.get(i).make(here());
        }
    }

    /** Whether the server has heard it is not known. */
    @Test
    default void e3_aSilentServerEndsEachOperationAsUnknown() {
        List<Operation> operations = Operation.all().toList();
        List<Call> begun = operations.stream().map(this::begin).toList();
        List<Callable<Void>> calls = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            Operation operation = operations.get(i);
            Call call = begun.get(i);
            calls.add(done(() -> {
                try (FaultProxy proxy = new FaultProxy(engine().host(), engine().port())) {
                    Ports there = connected(proxy, SHORT);
                    proxy.set(Mode.BLACKHOLE);
                    assertThat(unavailable(operation, () -> call.make(there)))
                            .as(operation.name())
                            .isEqualTo(Effect.UNKNOWN);
                }
            }));
        }
        Contenders.race(calls);
        begun.forEach(call -> call.make(here()));
    }

    /** K15: what was stored and had its answer lost, was answered with a failure, or with somebody else's name. */
    @TestFactory
    default Stream<DynamicTest> e3_anOperationWhoseReplyIsLostStands() {
        return each(Operation.all(), operation -> {
            boolean lost = true;
            for (int nth = 1; lost; nth++) {
                Call call = begin(operation);
                Effect effect = null;
                try (FaultProxy proxy = new FaultProxy(engine().host(), engine().port())) {
                    Ports there = connected(proxy, Budget.DEFAULT);
                    proxy.dropReply(nth);
                    try {
                        assertTimeoutPreemptively(BOUND, () -> call.make(there));
                    } catch (StoreUnavailable e) {
                        effect = e.effect();
                    }
                    lost = proxy.dropped();
                }
                assertThat(effect == Effect.NOT_APPLIED && call.isApplied())
                        .as("NOT_APPLIED was said, and it was applied, with reply %s lost", nth)
                        .isFalse();
                call.make(here());
                assertApplied(operation, call);
            }
        });
    }

    @TestFactory
    default Stream<DynamicTest> e3_aServerThatIsNotThereEndsEachOperationAsNotApplied() {
        return each(Operation.all(), operation -> {
            Call call = begin(operation);
            try (FaultProxy proxy = new FaultProxy(engine().host(), engine().port())) {
                proxy.set(Mode.REFUSE);
                assertNotApplied(operation, call, engine().through(proxy.port(), SHORT));
            }
        });
    }

    @TestFactory
    default Stream<DynamicTest> e3_whatCannotBeWrittenFailsEachOperation() {
        return engine().unable().entrySet().stream()
                .map(reason -> dynamicTest(
                        reason.getKey(),
                        () -> Operation.thatChange()
                                .forEach(operation ->
                                        assertNotApplied(operation, begin(operation), reason.getValue()))));
    }

    /** K19: under many inserts of different keys some were victims of a deadlock, and so nobody ran. */
    @Test
    default void e4_everyOperationOnManyKeysAtOnceFailsNone() {
        List<Operation> operations = Operation.thatChange().toList();
        for (int i = 0; i < Contenders.rounds(5); i++) {
            List<Callable<Void>> calls = new ArrayList<>();
            for (int owner = 0; owner < OWNERS; owner++) {
                operations.stream().map(this::begin).forEach(call -> calls.add(done(() -> call.make(here()))));
            }
            Contenders.race(calls);
        }
    }

    @TestFactory
    default Stream<DynamicTest> e5_anInterruptThatCameBeforeKeepsItsFlag() {
        return each(Operation.all(), operation -> {
            Call call = begin(operation);
            Effect effect = null;
            Thread.currentThread().interrupt();
            try {
                call.make(here());
            } catch (StoreUnavailable e) {
                effect = e.effect();
            } finally {
                assertThat(Thread.interrupted()).as("the flag").isTrue();
            }
            assertThat(effect == Effect.NOT_APPLIED && call.isApplied()).isFalse();
            call.make(here());
        });
    }

    @TestFactory
    default Stream<DynamicTest> e7_noOperationTakesMoreRoundTripsThanItsKind() {
        Engine.Trips most = engine().trips();
        return each(Operation.all(), operation -> {
            try (FaultProxy proxy = new FaultProxy(engine().host(), engine().port())) {
                Ports there = connected(proxy, Budget.DEFAULT);
                // More often than it takes a driver or a server to find out that a statement comes again and again.
                for (int i = 0; i < 8; i++) {
                    Call call = begin(operation);
                    int before = proxy.roundTrips();
                    call.make(there);
                    assertThat(proxy.roundTrips() - before)
                            .as("round trips")
                            .isBetween(
                                    1,
                                    switch (operation.kind()) {
                                        case TAKE -> most.take();
                                        case TAKE_NEW -> most.take() + most.newKeyMore();
                                        case LOSE -> most.loser();
                                        case RENEW -> most.renewMany();
                                        case END -> most.finish();
                                        case END_AGAIN -> most.finishAgain();
                                    });
                }
            }
        });
    }

    @Test
    default void e9_whilePoolIsExhaustedAllIsRenewedAndNothingElseIsDone() {
        List<Operation> operations = Operation.all().toList();
        List<Call> begun = operations.stream().map(this::begin).toList();
        engine().whilePoolIsExhausted(there -> {
            List<Callable<Void>> calls = new ArrayList<>();
            for (int i = 0; i < operations.size(); i++) {
                Operation operation = operations.get(i);
                Call call = begun.get(i);
                calls.add(done(() -> {
                    if (operation.kind() == Kind.RENEW) {
                        call.make(there);
                    } else {
                        assertNotApplied(operation, call, there);
                    }
                }));
            }
            Contenders.race(calls);
        });
    }

    // How it is asked.

    private static Stream<DynamicTest> each(Stream<Operation> operations, Consumer<Operation> test) {
        return operations.map(operation -> dynamicTest(operation.name(), () -> test.accept(operation)));
    }

    private Call begin(Operation operation) {
        return operation.begin().apply(engine().subject());
    }

    private Ports here() {
        return engine().within(Budget.DEFAULT);
    }

    /** Ports whose connection is open, and has been used. */
    private Ports connected(FaultProxy proxy, Budget budget) {
        Ports there = engine().through(proxy.port(), budget);
        Operation.all()
                .filter(operation -> operation.kind() == Kind.END)
                .findFirst()
                .ifPresent(warmUp -> begin(warmUp).make(there));
        return there;
    }

    private static void assertApplied(Operation operation, Call call) {
        assertThat(call.isApplied())
                .as(operation.name())
                .isEqualTo(operation.kind().changes());
    }

    private static void assertNotApplied(Operation operation, Call call, Ports there) {
        assertThat(unavailable(operation, () -> call.make(there)))
                .as(operation.name())
                .isEqualTo(Effect.NOT_APPLIED);
        assertThat(call.isApplied()).as(operation.name()).isFalse();
    }

    private static Effect unavailable(Operation operation, Executable call) {
        AtomicReference<@Nullable StoreUnavailable> thrown = new AtomicReference<>();
        assertTimeoutPreemptively(
                BOUND,
                () -> assertThatThrownBy(call::execute)
                        .as(operation.name())
                        .isInstanceOfSatisfying(StoreUnavailable.class, thrown::set));
        return thrown.get().effect();
    }

    private static Callable<Void> done(Runnable task) {
        return () -> {
            task.run();
            return null;
        };
    }
}
