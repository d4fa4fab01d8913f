package io.holdfast.contract.history;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Looks for an order of a history's operations, one after the other, in which each comes between its call and its return and
 * is told what the model says. After Wing and Gong (1993): the next one is any that no pending one has returned before; with
 * the memory of Lowe (2017): which were done, and what the key was then, need not be tried twice.
 *
 * @param <S> the model of the key; compared by value
 */
public final class Linearizability<S> {
    /** Far more than any history of ours needs. */
    private static final int MOST_STATES = 2_000_000;

    /** Enough for a part of a history that was refused; what needs more is not left out of the report. */
    private static final int MOST_STATES_OF_A_PART = 20_000;

    private final List<Event<S>> events;
    private final int answered;
    private final int most;
    private final Set<Tried<S>> tried = new HashSet<>();
    private final List<S> states = new ArrayList<>();

    private record Tried<S>(BitSet done, S key) {}

    private Linearizability(List<Event<S>> events, int most) {
        // Who returned first is the likeliest to be the next.
        this.events = events.stream()
                .sorted(Comparator.comparingLong(Event::returned))
                .toList();
        this.answered =
                (int) events.stream().filter(event -> !event.isOptional()).count();
        this.most = most;
    }

    /** What the key was, from the start on, in one order that explains all answers; empty if there is none. */
    public static <S> Optional<List<S>> explain(S start, List<Event<S>> events) {
        Linearizability<S> search = new Linearizability<>(events, MOST_STATES);
        search.states.add(start);
        return search.goOn(new BitSet(), 0) ? Optional.of(List.copyOf(search.states)) : Optional.empty();
    }

    /**
     * Of a history that cannot be explained the operations that contradict each other, whatever became of all the others:
     * without the answer of any of these the rest could be explained. In the order of their calls.
     */
    public static <S> List<Event<S>> contradiction(S start, List<Event<S>> events) {
        List<Event<S>> left = new ArrayList<>(events);
        left.sort(Comparator.comparingLong(Event::called));
        for (int i = left.size() - 1; i >= 0; i--) {
            Event<S> event = left.get(i);
            if (event.isOptional()) {
                continue;
            }
            left.set(i, event.forgotten());
            if (!isRefused(start, left)) {
                left.set(i, event);
            }
        }
        return left.stream().filter(event -> !event.isOptional()).toList();
    }

    private static <S> boolean isRefused(S start, List<Event<S>> events) {
        Linearizability<S> search = new Linearizability<>(events, MOST_STATES_OF_A_PART);
        search.states.add(start);
        try {
            return !search.goOn(new BitSet(), 0);
        } catch (TooMany e) {
            return false;
        }
    }

    /** Whether what is not done yet can follow. */
    private boolean goOn(BitSet done, int answeredDone) {
        if (answeredDone == answered) {
            return true;
        }
        S key = states.get(states.size() - 1);
        if (!tried.add(new Tried<>((BitSet) done.clone(), key))) {
            return false;
        }
        if (tried.size() > most) {
            throw new TooMany();
        }
        long firstReturn = firstReturn(done);
        for (int i = done.nextClearBit(0); i < events.size(); i = done.nextClearBit(i + 1)) {
            Event<S> event = events.get(i);
            if (event.called() > firstReturn || isPassed(event, done)) {
                continue;
            }
            Optional<S> next = event.told().apply(key);
            // What may not have happened, and would change nothing now, may as well come later, or never.
            if (next.isEmpty() || (event.isOptional() && next.get().equals(key))) {
                continue;
            }
            done.set(i);
            states.add(next.get());
            if (goOn(done, answeredDone + (event.isOptional() ? 0 : 1))) {
                return true;
            }
            states.remove(states.size() - 1);
            done.clear(i);
        }
        return false;
    }

    /** Of those that must have happened and are pending; they are sorted by it. */
    private long firstReturn(BitSet done) {
        int i = done.nextClearBit(0);
        while (events.get(i).isOptional()) {
            i = done.nextClearBit(i + 1);
        }
        return events.get(i).returned();
    }

    /** Whether something was done that was called only when this had returned, if it has happened. */
    private boolean isPassed(Event<S> event, BitSet done) {
        return event.isOptional()
                && !event.isUnknown()
                && done.stream().anyMatch(i -> events.get(i).called() > event.returned());
    }

    /** It was given up, and nothing was found out. */
    private static final class TooMany extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        TooMany() {
            super("the history has too many unknown outcomes to be checked: let fewer get lost");
        }
    }
}
