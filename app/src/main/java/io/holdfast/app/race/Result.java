package io.holdfast.app.race;

import java.time.Duration;
import java.util.List;

/**
 * What a run came to.
 *
 * @param store engine and version
 * @param took without starting and cleaning up
 */
record Result(String store, int contenders, int rounds, Duration took, List<Tally> tallies) {
    Result {
        tallies = List.copyOf(tallies);
    }

    /** Whether {@link Strategy#CLAIM} did what it promises, as far as it ran. */
    boolean kept() {
        return violations().isEmpty();
    }

    List<String> violations() {
        return tallies.stream().flatMap(tally -> tally.violations().stream()).toList();
    }
}
