package io.holdfast.contract.history;

import io.holdfast.contract.Evidence;
import io.holdfast.contract.Evidence.Method;

/** What all histories of one port have shown so far. */
final class Tally {
    private final Play<?> play;
    private final long firstSeed;
    private long histories;
    private long operations;
    private long unknown;
    private long endedAnothers;
    private long refused;
    private String seeds = "";

    Tally(Play<?> play, long firstSeed) {
        this.play = play;
        this.firstSeed = firstSeed;
    }

    void add(long seed, Verdict verdict) {
        seeds = verdict.refused().isPresent() ? "refused: seed " + seed : "seeds " + firstSeed + " to " + seed;
        histories++;
        operations += verdict.operations();
        unknown += verdict.unknown();
        endedAnothers += verdict.endedAnothers();
        refused += verdict.refused().isPresent() ? 1 : 0;
    }

    void tell(String engine) {
        Evidence.of(
                        Method.HISTORIES,
                        engine,
                        play.rules(),
                        play.port() + ": concurrent histories of one key, each checked for an order that explains it",
                        histories,
                        refused,
                        "%s; %s".formatted(seeds, this))
                .tell();
    }

    /** Whether it happened at all what makes a history hard to explain. */
    boolean isTrivial() {
        return unknown == 0 || endedAnothers == 0;
    }

    @Override
    public String toString() {
        return "%d operations, %d of unknown outcome, %d that ended what another had"
                .formatted(operations, unknown, endedAnothers);
    }
}
