package io.holdfast.contract.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.contract.Engine;
import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.FaultProxy;
import io.holdfast.contract.Seeds;
import io.holdfast.save.Ending;
import io.holdfast.save.Fingerprint;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveToken;
import io.holdfast.save.SaveTokenStore;
import io.holdfast.save.SaveTokenStore.EndOutcome;
import io.holdfast.save.SaveTokenStore.Lost;
import io.holdfast.save.TokenDigest;
import java.time.Duration;
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
    int ENOUGH = 100;

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

    /** Found by a history, where an engine decides by one request and explains by the next. */
    @Test
    default void s5_aDoubtThatComesUpWhileItIsSettledIsSettledToo() {
        for (int request = 1; request <= 6; request++) {
            SaveTokenStore tokens = engine().subject().saveTokens();
            TokenDigest token = SaveToken.random().digest();
            tokens.issue(token, Duration.ofDays(1), IfInDoubt.RUN_AGAIN);
            reserve(tokens, token);
            engine().subject().letPass(Duration.ofHours(1));
            Reservation second = ((Reserved) reserve(tokens, token)).reservation();
            try (FaultProxy proxy = new FaultProxy(engine().host(), engine().port())) {
                SaveTokenStore operators =
                        engine().through(proxy.port(), Budget.DEFAULT).saveTokens();
                EndOutcome early = operators.settle(token, second.fence(), new Ending.NotSaved());
                assertThat(early).as("while the holder is alive").isInstanceOf(Lost.class);

                // For itself alone: that the first one may have written is still in doubt.
                proxy.before(request, () -> tokens.end(second, new Ending.NotSaved()));
                EndOutcome told = operators.settle(token, second.fence(), new Ending.NotSaved());
                Optional<AttemptId> inDoubt = reserve(tokens, token) instanceof Reserved next
                        ? next.takenOverFrom()
                        : Optional.of(second.attempt());
                assertThat(told instanceof Lost)
                        .as("before request %d, told %s, in doubt %s", request, told, inDoubt)
                        .isEqualTo(inDoubt.isPresent());
            }
        }
    }

    private static ReserveOutcome reserve(SaveTokenStore tokens, TokenDigest token) {
        return tokens.reserve(new ReserveRequest(
                token,
                AttemptId.random(),
                Fingerprint.of(new byte[] {1}),
                new Holder("host"),
                SilenceLimit.of(Duration.ofMinutes(5))));
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
