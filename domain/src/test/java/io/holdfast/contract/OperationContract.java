package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.Budget;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.contract.Evidence.Method;
import io.holdfast.contract.FaultProxy.Mode;
import io.holdfast.contract.FaultProxy.Strike;
import io.holdfast.contract.Operation.Call;
import io.holdfast.contract.Operation.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
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
        Tries tries = new Tries();
        for (int i = 0; i < operations.size(); i += OWNERS) {
            assertBounded(operations.subList(i, Math.min(operations.size(), i + OWNERS)), tries);
        }
        tell(tries, "E3 E4", "a stranger locks the row for longer than the budget");
    }

    private void assertBounded(List<Operation> operations, Tries tries) {
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
                calls.add(done(() -> tries.attempt(
                        operation.name(),
                        () -> assertThat(unavailable(operation, () -> waits.make(there)))
                                .isIn(Effect.NOT_APPLIED, engine().lockedOut()))));
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
        Tries tries = new Tries();
        List<Callable<Void>> calls = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            Operation operation = operations.get(i);
            Call call = begun.get(i);
            calls.add(done(() -> tries.attempt(operation.name(), () -> {
                try (FaultProxy proxy = new FaultProxy(engine().host(), engine().port())) {
                    Ports there = connected(proxy, SHORT);
                    proxy.set(Mode.BLACKHOLE);
                    assertThat(unavailable(operation, () -> call.make(there))).isEqualTo(Effect.UNKNOWN);
                }
            })));
        }
        Contenders.race(calls);
        begun.forEach(call -> tries.attempt("again", () -> call.make(here())));
        tell(tries, "E3 G5", "a black hole before the answer, then the same call again");
    }

    /** K15: what was stored and had its answer lost, was answered with a failure, or with somebody else's name. */
    @TestFactory
    default Stream<DynamicTest> e3_anOperationWhoseConnectionBreaksStandsOrHasNotBeen() {
        return Stream.of(Strike.REPLY_LOST, Strike.REPLY_CUT, Strike.REQUEST_LOST, Strike.REQUEST_CUT)
                .map(strike -> dynamicTest(strike.name(), () -> {
                    Tries tries = new Tries();
                    Operation.all().forEach(operation -> {
                        boolean struck = true;
                        for (int nth = 1; struck; nth++) {
                            struck = isTrueOfItself(operation, strike, nth, tries);
                        }
                    });
                    tell(tries, "E3 G5 G12", strike + ": each message of each operation, then the same call again");
                }));
    }

    private boolean isTrueOfItself(Operation operation, Strike strike, int nth, Tries tries) {
        Call call = begin(operation);
        @Nullable Effect effect;
        try (FaultProxy proxy = new FaultProxy(engine().host(), engine().port())) {
            Ports there = connected(proxy, Budget.DEFAULT);
            proxy.strike(nth, strike);
            effect = effect(call, there);
            if (!proxy.struck()) {
                return false;
            }
        }
        tries.attempt(operation.name() + ", message " + nth, () -> assertTrueOfItself(operation, call, effect));
        return true;
    }

    private void assertTrueOfItself(Operation operation, Call call, @Nullable Effect effect) {
        assertThat(effect == Effect.NOT_APPLIED && call.isApplied())
                .as("NOT_APPLIED was said, and it was applied")
                .isFalse();
        call.make(here());
        assertApplied(operation, call);
    }

    @TestFactory
    default Stream<DynamicTest> e3_aServerThatEndsWhatTakesLongLeavesNothingHalfDone() {
        return engine().hasty().entrySet().stream()
                .map(limit -> dynamicTest(limit.getKey(), () -> {
                    Tries tries = new Tries();
                    Operation.all()
                            .forEach(operation -> tries.attempt(operation.name(), () -> {
                                Call call = begin(operation);
                                assertTrueOfItself(operation, call, effect(call, limit.getValue()));
                            }));
                    tell(tries, "E3 G9", "the server's own limit: " + limit.getKey());
                }));
    }

    /** What a call said of itself; null if it was answered all the same. */
    private static @Nullable Effect effect(Call call, Ports there) {
        try {
            assertTimeoutPreemptively(BOUND, () -> call.make(there));
            return null;
        } catch (StoreUnavailable e) {
            return e.effect();
        }
    }

    /**
     * A request is under way for longer than the budget, the same call is made again and answered, and only then the first
     * one arrives: it changes no answer. Nor does it wait for the call that was cut off, whose connection is not broken. All
     * operations at once, because each is given its time.
     */
    @Test
    default void e3_aRequestThatArrivesWhenAllIsOverChangesNoAnswer() {
        Tries tries = new Tries();
        Semaphore connecting = new Semaphore(OWNERS);
        Contenders.race(Operation.all()
                .map(operation -> done(() -> {
                    boolean late = true;
                    for (int nth = 1; late; nth++) {
                        late = isHarmlessLater(operation, nth, connecting, tries);
                    }
                }))
                .toList());
        tell(tries, "E3 G5 G12", "each message of each operation arrives after the same call was repeated");
    }

    /** Others may have to wait for as long as the server believes in whoever was cut off, and so ask again. */
    private boolean isHarmlessLater(Operation operation, int nth, Semaphore connecting, Tries tries) {
        Call call = Stubborn.ask(() -> begin(operation));
        try (FaultProxy proxy = new FaultProxy(engine().host(), engine().port())) {
            Ports there = oneOfFew(connecting, () -> connected(proxy, SHORT));
            proxy.strike(nth, Strike.REQUEST_LATE);
            @Nullable Effect effect = effect(call, there);
            if (!proxy.struck()) {
                return false;
            }
            tries.attempt(operation.name() + ", message " + nth, () -> {
                assertThat(effect == Effect.NOT_APPLIED && call.isApplied())
                        .as("NOT_APPLIED was said, and it was applied")
                        .isFalse();
                makeSurely(call);
                proxy.deliver();
                makeSurely(call);
                assertApplied(operation, call);
            });
        }
        return true;
    }

    /** All at once they would take so long to be let in that none would be within its budget. */
    private static <T> T oneOfFew(Semaphore few, Callable<T> call) {
        few.acquireUninterruptibly();
        try {
            return Stubborn.ask(call);
        } finally {
            few.release();
        }
    }

    private void makeSurely(Call call) {
        Stubborn.ask(() -> {
            call.make(here());
            return true;
        });
    }

    @Test
    default void e3_aServerThatIsNotThereEndsEachOperationAsNotApplied() {
        Tries tries = new Tries();
        Operation.all()
                .forEach(operation -> tries.attempt(operation.name(), () -> {
                    Call call = begin(operation);
                    try (FaultProxy proxy = new FaultProxy(engine().host(), engine().port())) {
                        proxy.set(Mode.REFUSE);
                        assertNotApplied(operation, call, engine().through(proxy.port(), SHORT));
                    }
                }));
        tell(tries, "E3 G9", "connections are refused");
    }

    @TestFactory
    default Stream<DynamicTest> e3_whatCannotBeWrittenFailsEachOperation() {
        return engine().unable().entrySet().stream()
                .map(reason -> dynamicTest(reason.getKey(), () -> {
                    Tries tries = new Tries();
                    Operation.thatChange()
                            .forEach(operation -> tries.attempt(
                                    operation.name(),
                                    () -> assertNotApplied(operation, begin(operation), reason.getValue())));
                    tell(tries, "E3 G9", "cannot write: " + reason.getKey());
                }));
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

    @Test
    default void e5_anInterruptThatCameBeforeKeepsItsFlag() {
        Tries tries = new Tries();
        Operation.all()
                .forEach(operation -> tries.attempt(operation.name(), () -> {
                    Call call = begin(operation);
                    @Nullable Effect effect = null;
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
                }));
        tell(tries, "E5", "the thread is interrupted before the call");
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
        Tries tries = new Tries();
        engine().whilePoolIsExhausted(there -> {
            List<Callable<Void>> calls = new ArrayList<>();
            for (int i = 0; i < operations.size(); i++) {
                Operation operation = operations.get(i);
                Call call = begun.get(i);
                calls.add(done(() -> {
                    tries.attempt(operation.name(), () -> {
                        if (operation.kind() == Kind.RENEW) {
                            call.make(there);
                        } else {
                            assertNotApplied(operation, call, there);
                        }
                    });
                }));
            }
            Contenders.race(calls);
        });
        tell(tries, "E9 G9", "the work pool is exhausted");
    }

    // How it is asked.

    private void tell(Tries tries, String rules, String what) {
        tries.tell(Method.FAULTS, engine().name(), rules, what, "");
    }

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
