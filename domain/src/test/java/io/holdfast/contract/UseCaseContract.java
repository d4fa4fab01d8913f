package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Budget;
import io.holdfast.Heartbeats;
import io.holdfast.contract.Evidence.Method;
import io.holdfast.contract.FaultProxy.Strike;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the use cases do on the engine when their network goes away. */
public interface UseCaseContract {
    /** The engine under test; the same one for all tests of the class. */
    Engine engine();

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
        Attack attack = new Attack();
        AtomicInteger unknown = new AtomicInteger();
        for (Function<Ports, UseCase> kind : UseCase.all()) {
            List<Callable<Boolean>> callers = new ArrayList<>();
            for (Strike strike : List.of(Strike.REPLY_LOST, Strike.REQUEST_LOST, Strike.REQUEST_LATE)) {
                callers.add(() -> {
                    boolean failed = true;
                    for (int nth = 1; failed; nth++) {
                        CutOff cutOff = new CutOff(engine(), kind.apply(near()), strike, nth);
                        attack.attempt(cutOff.toString(), cutOff);
                        unknown.addAndGet(cutOff.isUnknown() ? 1 : 0);
                        failed = cutOff.hasFailed();
                    }
                    return true;
                });
            }
            Contenders.race(callers);
        }
        attack.tell(
                Method.FAULTS,
                engine().name(),
                "G5 C11 L3 S5 S6",
                "the network lost in a take, or its request late, and back again: withdrawn",
                unknown + " were told UNKNOWN");
        // Each kind, with each strike: else nothing was withdrawn.
        assertThat(unknown.get()).isGreaterThanOrEqualTo(9);
    }

    private Ports near() {
        return engine().within(Budget.DEFAULT);
    }
}
