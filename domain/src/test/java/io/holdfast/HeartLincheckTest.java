package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.contract.Evidence;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The heart's own code, with a switch of threads at any of its accesses to what they share: decision 0077. */
class HeartLincheckTest {
    /** Of each race, the same in each run, those with one interruption first. No mistake below needs more than 20. */
    private static final int ORDERS = 40;

    @TempDir
    private Path temporary;

    @Test
    void inWhicheverOrderThreadsComeAHeartKeepsItsPromises() throws Exception {
        List<HeartRace> races = List.of(HeartRace.values());

        List<String> found = found(races);

        Evidence.of(
                        Evidence.Method.SCHEDULES,
                        "memory",
                        "G3 G14 E9",
                        "two threads within the heart: beat, loss, end, delivery, withdrawal, stop and close, step by step",
                        (long) ORDERS * races.size(),
                        found.size(),
                        "")
                .tell();
        assertThat(found).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    LOST_AND_ASKED     | HeldPulse | lost        | locks     | told of the loss 1 and 0 times
                    LOST_AND_ASKED     | HeldPulse | onLost      | locks     | told of the loss 1 and 0 times
                    UNSURE_AND_ASKED   | HeldPulse | onUnsure    | locks     | told of UNSURE 2 and 2 times
                    GRANTED_AND_LOOKED | HeldPulse | granted     | locks     | the time is up, and nobody told
                    KEPT_WHILE_BEATING | Heart     | beat        | locks     | ConcurrentModificationException
                    ENDED_AND_STOPPED  | Heart     | repeatLater | locks     | nobody is told what became of an end
                    REFUSED_AND_CLOSED | Heart     | taking      | notifyAll | Concurrent test has hung
                    LOST_AND_CLOSED    | Heart     | heed        | notifyAll | Concurrent test has hung
                    """)
    void aMethodThatForgetsIsFound(HeartRace race, String type, String method, String what, String otherwise)
            throws Exception {
        Forgetful.write(temporary, type, method, what);

        assertThat(found(List.of(race))).singleElement().asString().contains(otherwise);
    }

    private List<String> found(List<HeartRace> races) throws InterruptedException {
        return OrdersProcess.findings(temporary, temporary.resolve("said.txt"), ORDERS, races);
    }
}
