package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Budget;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.contract.Evidence.Method;
import io.holdfast.contract.Operation.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The server may only be read for a while, as a primary that has handed over its office. */
interface ReadOnlyContract {
    Engine engine();

    /** From now on the server refuses every change, of sessions that are open, too; or takes them again. */
    void setReadOnly(boolean readOnly);

    /** How often in one race. */
    int TURNS = 2;

    /** Of a call that has to fail. */
    Budget SHORT = Budget.of(Duration.ofMillis(1_500));

    /** How many calls of one owner are refused before the server takes changes again. */
    int REFUSALS = 3;

    /** That somebody else has it is said of nobody who has not. Some lose, and are told so by a server that can be read. */
    @Test
    default void g9_aServerThatIsReadOnlyFailsEachChangeAndTakesItAfterwards() {
        Tries tries = new Tries();
        AtomicInteger unknown = new AtomicInteger();
        List<Operation> operations = Operation.all().toList();
        List<Call> begun = operations.stream()
                .map(operation -> operation.begin().apply(engine().subject()))
                .toList();
        List<Callable<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            Operation operation = operations.get(i);
            Call call = begun.get(i);
            calls.add(() -> {
                tries.attempt(operation.name(), () -> {
                    if (isUnknown(operation, call)) {
                        unknown.incrementAndGet();
                    }
                });
                return true;
            });
        }
        setReadOnly(true);
        try {
            Contenders.race(calls);
        } finally {
            setReadOnly(false);
        }
        for (int i = 0; i < operations.size(); i++) {
            Operation operation = operations.get(i);
            Call call = begun.get(i);
            tries.attempt(operation.name() + ", afterwards", () -> {
                assertThat(call.isApplied()).as("applied").isFalse();
                Stubborn.ask(() -> {
                    call.make(engine().within(Budget.DEFAULT));
                    return true;
                });
                assertThat(call.isApplied())
                        .as("applied in the end")
                        .isEqualTo(operation.kind().changes());
            });
        }
        tries.tell(
                Method.FAULTS,
                engine().name(),
                "E3 G5 G8 G9",
                "the server is read-only: each operation; then it is not, and the same calls again",
                unknown + " were told UNKNOWN");
    }

    /** What is no change may be answered, and then rightly. */
    private boolean isUnknown(Operation operation, Call call) {
        try {
            call.make(engine().within(SHORT));
        } catch (StoreUnavailable e) {
            return e.effect() == Effect.UNKNOWN;
        }
        assertThat(operation.kind().changes()).as("a change was answered").isFalse();
        return false;
    }

    @Test
    default void g2_noHoldIsLostOrDoubledWhileTheServerIsReadOnlyAgainAndAgain() {
        Tries tries = new Tries();
        AtomicInteger takes = new AtomicInteger();
        Seeds seeds = Seeds.each(
                "races on a server that is read-only now and then",
                1,
                seed -> takes.addAndGet(
                        Siege.lay(engine().subject(), new Random(seed), TURNS, this::refuseSome, tries)));
        tries.tell(
                Method.FAULTS,
                engine().name(),
                "G1 G2 G4 G5 G7 E3",
                "the server is read-only, and is not, in the middle of races for an app, a lease and a save token",
                "%d times, %d takes; %s".formatted(TURNS * seeds.rounds(), takes.get(), seeds));
    }

    private void refuseSome() {
        setReadOnly(true);
        try {
            LeaseTrial free =
                    new LeaseTrial(engine().subject(), engine().within(SHORT).leases(), LeaseTrial.newName());
            for (int i = 0; i < REFUSALS; i++) {
                assertThatThrownBy(() -> free.hadBy("nobody")).isInstanceOf(StoreUnavailable.class);
            }
        } finally {
            setReadOnly(false);
        }
    }
}
