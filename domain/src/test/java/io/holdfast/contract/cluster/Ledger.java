package io.holdfast.contract.cluster;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.publish.AppId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What publishers were told during a fail-over, by one clock of theirs; and the judge of it. Thread-safe. */
final class Ledger {
    /**
     * A claim that was acknowledged, and ended at once.
     *
     * @param told when its publisher heard that it has it, and began to end it
     */
    record Take(AppId app, AttemptId attempt, Fence fence, long told) {}

    private final Queue<Take> takes = new ConcurrentLinkedQueue<>();
    private final Queue<AttemptId> refused = new ConcurrentLinkedQueue<>();

    void add(Take take) {
        takes.add(take);
    }

    /** An attempt that was told that it has nothing, be it after calls whose outcome it never learned. */
    void addRefused(AttemptId attempt) {
        refused.add(attempt);
    }

    int takes() {
        return takes.size();
    }

    /** What the ledger does not agree on with itself, or with the fences that the database keeps; a line for each. */
    List<String> findings(Function<AttemptId, Optional<Fence>> database) {
        List<String> findings = new ArrayList<>();
        for (Take take : takes) {
            Optional<Fence> kept = database.apply(take.attempt());
            if (!kept.equals(Optional.of(take.fence()))) {
                findings.add("acknowledged and not kept: " + take + ", the database has " + kept);
            }
        }
        for (AttemptId attempt : refused) {
            database.apply(attempt)
                    .ifPresent(kept -> findings.add("refused, and in the database it has taken: " + kept));
        }
        byApp(takes).forEach(ofOne -> addContradictions(ofOne, findings));
        return findings;
    }

    private static Collection<List<Take>> byApp(Collection<Take> takes) {
        Map<AppId, List<Take>> byApp =
                takes.stream().sorted(Comparator.comparing(Take::fence)).collect(Collectors.groupingBy(Take::app));
        return byApp.values();
    }

    /** Who has the higher fence was granted it after the other had begun to end, and so was told later (G1, G4). */
    private static void addContradictions(List<Take> byFence, List<String> findings) {
        for (int i = 1; i < byFence.size(); i++) {
            Take before = byFence.get(i - 1);
            Take after = byFence.get(i);
            if (before.fence().equals(after.fence())) {
                findings.add("one fence twice: " + before + " and " + after);
            } else if (after.told() - before.told() < 0) {
                findings.add("the fence went back, or both held: " + after + " was told before " + before);
            }
        }
    }
}
