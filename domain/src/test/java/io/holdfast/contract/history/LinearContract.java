package io.holdfast.contract.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Budget;
import io.holdfast.contract.Engine;
import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Histories of an engine: clients who come at the same time, lose answers and connections, and are told as if they came one
 * after the other. Decision 0070 says how it is done.
 */
public interface LinearContract {
    /** So many rounds have seen everything that makes a history hard. */
    int ENOUGH = 20;

    int PORTS = 5;

    Engine engine();

    /** Name and version, as {@link io.holdfast.contract.Evidence} has it. */
    String version();

    /** Each has a history of each port. */
    default int rounds() {
        return 200;
    }

    @Test
    @Tag("soak")
    default void everyHistoryHasAnOrderThatExplainsIt() {
        Tallies tallies = new Tallies(version());
        List<FaultyWire> wires = new ArrayList<>();
        try {
            for (int i = 0; i < PORTS * Round.CLIENTS; i++) {
                wires.add(new FaultyWire(engine(), Budget.DEFAULT));
            }
            Seeds seeds = Seeds.each("histories on " + version(), rounds(), seed -> round(seed, wires, tallies));
            assertThat(seeds.rounds() >= ENOUGH && tallies.isAnyTrivial())
                    .as("%s: nothing that is hard to explain has happened: %s", seeds, tallies)
                    .isFalse();
        } finally {
            wires.forEach(FaultyWire::close);
            tallies.tell();
        }
    }

    private void round(long seed, List<FaultyWire> wires, Tallies tallies) {
        EngineSubject store = engine().subject();
        store.wipe();
        Random random = new Random(~seed);
        wires.forEach(wire -> wire.seed(new Random(random.nextLong())));
        List<Play<?>> plays = Play.ofEachPort(random, engine().within(Budget.DEFAULT), store.deployments());
        List<Verdict> verdicts = Round.play(seed, plays, List.copyOf(wires), store::letPass);
        verdicts.forEach(verdict -> tallies.add(seed, verdict));
        assertThat(verdicts.stream().map(Verdict::refused).flatMap(Optional::stream))
                .isEmpty();
    }
}
