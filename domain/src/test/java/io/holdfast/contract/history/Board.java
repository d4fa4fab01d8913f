package io.holdfast.contract.history;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * The last few things that the clients of a key have learnt, for all of them: so each acts for the others, too, as a late
 * packet does, or a process that was taken for dead. Thread-safe.
 */
final class Board<T> {
    private static final int FEW = 3;

    private final Deque<T> newestFirst = new ArrayDeque<>();

    synchronized void add(T learnt) {
        newestFirst.remove(learnt);
        newestFirst.addFirst(learnt);
        if (newestFirst.size() > FEW) {
            newestFirst.removeLast();
        }
    }

    /** One of them, the newest half of the time. */
    synchronized Optional<T> any(Random random) {
        if (newestFirst.isEmpty()) {
            return Optional.empty();
        }
        List<T> all = List.copyOf(newestFirst);
        return Optional.of(all.get(random.nextBoolean() ? 0 : random.nextInt(all.size())));
    }
}
