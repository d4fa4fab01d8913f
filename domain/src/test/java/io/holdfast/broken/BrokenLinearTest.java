package io.holdfast.broken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.contract.history.Verdict;
import io.holdfast.memory.MemoryPorts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What is wrong is seen in its histories, without a test that looks for it. */
final class BrokenLinearTest {
    /** The rarest, a doubt that ends with its taker, needs 70 in the mean and was seen to need 232. */
    private static final int ROUNDS = 2_000;

    private static final Map<String, UnaryOperator<MemoryPorts>> STORES = new TreeMap<>(Map.ofEntries(
            Map.entry("claims: check, then act", sound -> sound.with(new BrokenTakes.CheckThenAct())),
            Map.entry("claims: check, then finish", sound -> sound.with(new BrokenHolds.CheckThenFinish())),
            Map.entry("claims: the last ending stands", sound -> sound.with(new BrokenHolds.LastEndingStands())),
            Map.entry("claims: the taker's limit", sound -> sound.with(new BrokenTakes.TakersLimit())),
            Map.entry("leases: check, then take over", sound -> sound.with(new BrokenLeaseTakes.CheckThenTakeOver())),
            Map.entry("leases: check, then evict", sound -> sound.with(new BrokenLeaseEnds.CheckThenEvict())),
            Map.entry("leases: attempt alone", sound -> sound.with(new BrokenLeaseHolds.FenceNotChecked())),
            Map.entry("leases: an attempt twice", sound -> sound.with(new BrokenLeaseTakes.AnAttemptTakesTwice())),
            Map.entry("leases: late is lost", sound -> sound.with(new BrokenLeaseHolds.LateRenewalRefused())),
            Map.entry("leases: the same fence", sound -> sound.with(new BrokenLeaseTakes.FenceNotRaisedByATakeOver())),
            Map.entry("saves: check, then end", sound -> sound.with(new BrokenSaveHolds.CheckThenEnd())),
            Map.entry("saves: check, then settle", sound -> sound.with(new BrokenSaveRules.CheckThenSettle())),
            Map.entry(
                    "saves: a doubt ends with its taker",
                    sound -> sound.with(new BrokenSaveRules.DoubtEndsWithItsTaker())),
            Map.entry("refresh: read, then write", sound -> sound.with(new BrokenRotations.ReadThenWrite())),
            Map.entry(
                    "refresh: rotation undoes revocation",
                    sound -> sound.with(new BrokenRotations.RotationUndoesARevocation())),
            Map.entry("refresh: grace for two", sound -> sound.with(new BrokenRotations.GraceForTwoGenerations())),
            Map.entry("sanctions: check, then insert", sound -> sound.with(new BrokenSanctions.CheckThenInsert())),
            Map.entry(
                    "sanctions: a gap while replacing", sound -> sound.with(new BrokenSanctions.ReplacingLeavesAGap())),
            Map.entry(
                    "sanctions: lifts whatever is there",
                    sound -> sound.with(new BrokenSanctions.LiftingIgnoresWhatWasSeen()))));

    @TestFactory
    Stream<DynamicTest> aHistoryOfABrokenStoreIsRefused() {
        return STORES.entrySet().stream()
                .map(store -> dynamicTest(
                        store.getKey(),
                        () -> assertThat(refused(store.getValue()))
                                .as("refused histories in %d rounds", ROUNDS)
                                .isNotEmpty()));
    }

    /** In the first round that has one. */
    private static List<String> refused(UnaryOperator<MemoryPorts> breaking) {
        List<String> refused = new ArrayList<>();
        for (long seed = 1; seed <= ROUNDS && refused.isEmpty(); seed++) {
            breaking.apply(new MemoryPorts()).play(seed).stream()
                    .map(Verdict::refused)
                    .flatMap(Optional::stream)
                    .forEach(refused::add);
        }
        return refused;
    }
}
