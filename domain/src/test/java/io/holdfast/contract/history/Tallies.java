package io.holdfast.contract.history;

import java.util.LinkedHashMap;
import java.util.Map;

/** What the histories of one engine have shown so far, port by port. */
final class Tallies {
    private final String engine;
    private final Map<String, Tally> ports = new LinkedHashMap<>();

    Tallies(String engine) {
        this.engine = engine;
    }

    void add(long seed, Verdict verdict) {
        ports.computeIfAbsent(verdict.play().port(), port -> new Tally(verdict.play(), seed))
                .add(seed, verdict);
    }

    boolean isAnyTrivial() {
        return ports.values().stream().anyMatch(Tally::isTrivial);
    }

    void tell() {
        ports.values().forEach(tally -> tally.tell(engine));
    }

    @Override
    public String toString() {
        return ports.toString();
    }
}
