package io.holdfast.app.serve;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** How many builds, releases and saves this node runs, and whether it takes on more. Thread-safe. */
final class Builds {
    private final int most;
    private final Semaphore free;
    private volatile boolean closed;

    Builds(int most) {
        this.most = most;
        this.free = new Semaphore(most);
    }

    /** Keeps a place for a build that may start. */
    void enter() {
        if (closed) {
            throw new Refused(Problem.shuttingDown());
        }
        if (!free.tryAcquire()) {
            throw new Refused(Problem.busy(most));
        }
    }

    void leave() {
        free.release();
    }

    /** Takes on no more. */
    void close() {
        closed = true;
    }

    /**
     * Waits until all have left, after {@link #close()}. An interrupt ends the wait and keeps its flag.
     *
     * @return false if some are still there when the time is over
     */
    boolean awaitNone(Duration atMost) {
        try {
            return free.tryAcquire(most, atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    boolean closed() {
        return closed;
    }

    int running() {
        return most - free.availablePermits();
    }
}
