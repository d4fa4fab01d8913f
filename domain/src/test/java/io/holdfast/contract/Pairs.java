package io.holdfast.contract;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Few rows that have, for every two columns, every two values of theirs in one row. Which third value stands beside them is
 * left to chance.
 */
final class Pairs {
    /** Of so many the row is taken that has most pairs which none before had. */
    private static final int CANDIDATES = 20;

    /** A value of one column, and one of another. */
    private record Pair(int column, int value, int other, int otherValue) {}

    private final List<Integer> sizes;
    private final Random random;
    private final Set<Pair> missing = new HashSet<>();

    private Pairs(List<Integer> sizes, Random random) {
        this.sizes = sizes;
        this.random = random;
        for (int column = 0; column < sizes.size(); column++) {
            for (int other = column + 1; other < sizes.size(); other++) {
                for (int value = 0; value < sizes.get(column); value++) {
                    for (int otherValue = 0; otherValue < sizes.get(other); otherValue++) {
                        missing.add(new Pair(column, value, other, otherValue));
                    }
                }
            }
        }
    }

    /**
     * @param sizes how many values each column has: 0, 1 and so on
     * @return rows, each with a value of every column
     */
    static List<List<Integer>> of(List<Integer> sizes, Random random) {
        return new Pairs(sizes, random).rows();
    }

    private List<List<Integer>> rows() {
        List<List<Integer>> rows = new ArrayList<>();
        while (!missing.isEmpty()) {
            List<Integer> row = Stream.generate(this::candidate)
                    .limit(CANDIDATES)
                    .max(Comparator.comparingLong(this::news))
                    .orElseThrow();
            missing.removeIf(pair -> isIn(row, pair));
            rows.add(row);
        }
        return rows;
    }

    /** Has one of the missing pairs, and of every other column the value that goes best with what is there. */
    private List<Integer> candidate() {
        List<Integer> row = new ArrayList<>(Collections.nCopies(sizes.size(), -1));
        Pair first = missing.stream()
                .skip(random.nextInt(missing.size()))
                .findFirst()
                .orElseThrow();
        row.set(first.column, first.value);
        row.set(first.other, first.otherValue);
        for (int column : shuffled(sizes.size())) {
            if (row.get(column) < 0) {
                row.set(
                        column,
                        shuffled(sizes.get(column)).stream()
                                .max(Comparator.comparingLong(value -> news(with(row, column, value))))
                                .orElseThrow());
            }
        }
        return row;
    }

    private List<Integer> shuffled(int size) {
        List<Integer> all = new ArrayList<>(IntStream.range(0, size).boxed().toList());
        Collections.shuffle(all, random);
        return all;
    }

    private static List<Integer> with(List<Integer> row, int column, int value) {
        List<Integer> changed = new ArrayList<>(row);
        changed.set(column, value);
        return changed;
    }

    private long news(List<Integer> row) {
        return missing.stream().filter(pair -> isIn(row, pair)).count();
    }

    private static boolean isIn(List<Integer> row, Pair pair) {
        return row.get(pair.column) == pair.value && row.get(pair.other) == pair.otherValue;
    }
}
