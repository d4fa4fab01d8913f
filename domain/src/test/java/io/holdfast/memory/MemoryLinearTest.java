package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.contract.Seeds;
import io.holdfast.contract.history.Verdict;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Histories of the stores in memory: the model of the rules agrees with the models of the histories. */
final class MemoryLinearTest {
    @Test
    void everyHistoryHasAnOrderThatExplainsIt() {
        Seeds.each(
                "histories in memory",
                200,
                seed -> assertThat(new MemoryPorts()
                                .play(seed).stream().map(Verdict::refused).flatMap(Optional::stream))
                        .isEmpty());
    }
}
