package io.holdfast.contract.interleaving;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Says whose turn it is, run by run. */
interface Orders {
    /** Which of these sessions, in rising order, goes on. */
    int next(List<Integer> ready);

    /** Whether there is another order, which the next run is to follow. */
    boolean hasAnother();

    /**
     * Every order once: depth first, each run as the one before it up to the last choice that leaves another one.
     *
     * @param interruptions how often at most a session that could go on has to let another one go first. Most of what goes
     *     wrong needs one; without such a bound calls of ten statements have more orders than anybody has time for
     */
    static Orders all(int interruptions) {
        return new Orders() {
            private final List<Integer> chosen = new ArrayList<>();
            private final List<List<Integer>> among = new ArrayList<>();
            private int depth;
            private int last = -1;
            private int interrupted;

            @Override
            public int next(List<Integer> ready) {
                boolean goesOn = ready.contains(last);
                List<Integer> allowed = goesOn && interrupted == interruptions ? List.of(last) : ready;
                if (depth == chosen.size()) {
                    chosen.add(0);
                    among.add(allowed);
                } else if (!among.get(depth).equals(allowed)) {
                    throw new AssertionError("after the same " + depth + " steps " + among.get(depth)
                            + " were ready, and now are " + allowed);
                }
                int next = allowed.get(chosen.get(depth++));
                interrupted += goesOn && next != last ? 1 : 0;
                last = next;
                return next;
            }

            @Override
            public boolean hasAnother() {
                depth = 0;
                last = -1;
                interrupted = 0;
                for (int latest = chosen.size() - 1; latest >= 0; latest--) {
                    if (chosen.get(latest) + 1 < among.get(latest).size()) {
                        chosen.set(latest, chosen.get(latest) + 1);
                        return true;
                    }
                    chosen.remove(latest);
                    among.remove(latest);
                }
                return false;
            }
        };
    }

    /** All in which one comes after the other, and then so many by chance. */
    static Orders some(int sessions, int many, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return new Orders() {
            private final Deque<List<Integer>> oneByOne = new ArrayDeque<>(permutations(sessions));
            private int left = many;

            @Override
            public int next(List<Integer> ready) {
                return oneByOne.isEmpty()
                        ? ready.get(random.nextInt(ready.size()))
                        : oneByOne.getFirst().stream()
                                .filter(ready::contains)
                                .findFirst()
                                .orElseThrow();
            }

            @Override
            public boolean hasAnother() {
                return oneByOne.pollFirst() != null ? !oneByOne.isEmpty() || left > 0 : --left > 0;
            }
        };
    }

    private static List<List<Integer>> permutations(int of) {
        if (of == 0) {
            return List.of(List.of());
        }
        return permutations(of - 1).stream()
                .flatMap(shorter -> IntStream.range(0, of).mapToObj(at -> {
                    List<Integer> longer = new ArrayList<>(shorter);
                    longer.add(at, of - 1);
                    return longer;
                }))
                .toList();
    }
}
