package io.holdfast.app.race;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the rounds of one cell came to. For one thread. */
final class Tally {
    private static final int KEPT_ERRORS = 5;

    private final Cell cell;
    private final TreeMap<Integer, Integer> roundsByEffects = new TreeMap<>();
    private final Map<Untruth, Integer> untruths = new EnumMap<>(Untruth.class);
    private final List<String> errors = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private int truths;

    Tally(Cell cell) {
        this.cell = cell;
    }

    /** Counts a round in which so many effects arrived at the orchestrator. */
    void effects(int effects) {
        roundsByEffects.merge(effects, 1, Integer::sum);
    }

    /** Counts a loser who was told the truth. */
    void truth() {
        truths++;
    }

    void untruth(Untruth untruth) {
        untruths.merge(untruth, 1, Integer::sum);
    }

    /** Keeps the words of the first errors that losers were told. */
    void error(String words) {
        if (errors.size() < KEPT_ERRORS && !errors.contains(words)) {
            errors.add(words);
        }
    }

    List<String> errors() {
        return errors;
    }

    /** Something that {@link Strategy#CLAIM} promises and that was not so. */
    void violation(String words) {
        violations.add(words);
    }

    Cell cell() {
        return cell;
    }

    int rounds() {
        return roundsByEffects.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** The fewest effects of a round. */
    int least() {
        return roundsByEffects.firstKey();
    }

    /** The most effects of a round. */
    int most() {
        return roundsByEffects.lastKey();
    }

    /** How many rounds had how many effects. */
    Map<Integer, Integer> roundsByEffects() {
        return roundsByEffects;
    }

    int truths() {
        return truths;
    }

    int untruthsInAll() {
        return untruths.values().stream().mapToInt(Integer::intValue).sum();
    }

    Map<Untruth, Integer> untruths() {
        return untruths;
    }

    List<String> violations() {
        return violations;
    }
}
