package io.holdfast.contract.interleaving;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Where sessions stop before each of their steps until they are let go, for one run. A session that was let go comes back to
 * its next stop, or is done, or waits in the server for a lock: then it is left there, and comes back when another session's
 * step has set it free.
 */
final class Stage {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** How long a step may take before the server is asked whether it waits; nothing depends on it but the speed. */
    private static final long GLANCE_MILLIS = 1;

    /** As {@link SteppedServer#waits}. */
    @FunctionalInterface
    interface Waits {
        Map<Long, Set<Long>> now() throws SQLException;
    }

    private enum Place {
        ON_ITS_WAY,
        STOPPED,
        DONE
    }

    private final Place[] places;
    private final String[] steps;
    private final long[] ids;

    /** Grows whenever a session arrives somewhere. */
    private long arrivals;

    private boolean isOver;

    /**
     * @param ids what the server calls the sessions
     */
    Stage(long[] ids) {
        this.ids = ids.clone();
        places = new Place[ids.length];
        steps = new String[ids.length];
        Arrays.fill(places, Place.ON_ITS_WAY);
        Arrays.fill(steps, "");
    }

    /** The session's own thread is about to do this, and waits for its turn. */
    synchronized void stop(int session, String step) {
        if (isOver) {
            return;
        }
        steps[session] = step;
        arrive(session, Place.STOPPED);
        while (places[session] == Place.STOPPED && !isOver) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while it waits for its turn", e);
            }
        }
    }

    synchronized void leave(int session) {
        arrive(session, Place.DONE);
    }

    private void arrive(int session, Place place) {
        places[session] = place;
        arrivals++;
        notifyAll();
    }

    /** Lets a session take its step, and returns its name. */
    synchronized String letGo(int session) {
        places[session] = Place.ON_ITS_WAY;
        notifyAll();
        return steps[session];
    }

    /** Nobody stops any more. */
    synchronized void clear() {
        isOver = true;
        notifyAll();
    }

    /** Whose calls are over. */
    synchronized List<Integer> over() {
        return at(Place.DONE);
    }

    /**
     * Waits until no session can come any further without another one's step, and returns those that may take theirs; none
     * when all are done.
     *
     * @throws AssertionError if that never comes
     */
    List<Integer> settled(Waits waits) throws SQLException, InterruptedException {
        long began = System.nanoTime();
        while (System.nanoTime() - began < PATIENCE_NANOS) {
            long before;
            synchronized (this) {
                if (at(Place.ON_ITS_WAY).isEmpty()) {
                    return at(Place.STOPPED);
                }
                before = arrivals;
                wait(GLANCE_MILLIS);
                if (arrivals != before) {
                    continue;
                }
            }
            Map<Long, Set<Long>> waiting = waits.now();
            synchronized (this) {
                // An answer from before somebody arrived may be old.
                if (arrivals == before
                        && !at(Place.STOPPED).isEmpty()
                        && at(Place.ON_ITS_WAY).stream().allMatch(each -> isStuck(ids[each], waiting))) {
                    return at(Place.STOPPED);
                }
            }
        }
        throw new AssertionError(
                "sessions do not come back: " + Arrays.toString(places) + " after " + Arrays.toString(steps));
    }

    /** Waits for somebody who does not wait; who wait for each other are a deadlock, which the server is about to end. */
    private static boolean isStuck(long id, Map<Long, Set<Long>> waiting) {
        Set<Long> first = waiting.getOrDefault(id, Set.of());
        return !first.isEmpty() && first.stream().noneMatch(next -> reaches(next, id, waiting, waiting.size()));
    }

    private static boolean reaches(long from, long to, Map<Long, Set<Long>> waiting, int atMost) {
        return from == to
                || (atMost > 0
                        && waiting.getOrDefault(from, Set.of()).stream()
                                .anyMatch(next -> reaches(next, to, waiting, atMost - 1)));
    }

    private List<Integer> at(Place place) {
        return IntStream.range(0, places.length)
                .filter(each -> places[each] == place)
                .boxed()
                .toList();
    }
}
