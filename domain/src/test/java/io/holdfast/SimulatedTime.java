package io.holdfast;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.PriorityQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A machine whose time passes when the test says so: both clocks, and the executor that runs what is due. Everything runs
 * on the test's thread, so what a test sees is the same each time.
 */
final class SimulatedTime extends SimulatedTimers {
    private final PriorityQueue<Task<?>> planned = new PriorityQueue<>();
    private long nanos = Long.MAX_VALUE - TimeUnit.MINUTES.toNanos(1); // nanoTime may overflow: let it, in every test
    private long sequence;
    private long wallAheadMillis;
    private int threadsMissing;

    Clocks clocks() {
        InstantSource wall = () -> Instant.ofEpochMilli((nanos - Long.MAX_VALUE) / 1_000_000 + wallAheadMillis);
        return new Clocks(() -> nanos, wall, TimeUnit.NANOSECONDS::timedWait);
    }

    /** Lets time pass, running what falls due at its time. */
    void advance(Duration time) {
        long end = nanos + time.toNanos();
        for (Task<?> next = planned.peek(); next != null && next.at - end <= 0; next = planned.peek()) {
            planned.remove(next);
            nanos = next.at - nanos > 0 ? next.at : nanos;
            next.run();
        }
        nanos = end;
    }

    /** Moves the wall clock alone, as a suspended machine sees it when it wakes up. */
    void wallClockJumps(Duration ahead) {
        wallAheadMillis += ahead.toMillis();
    }

    /** So many times {@link #execute} finds no thread. */
    void threadsAreMissing(int times) {
        threadsMissing = times;
    }

    int plannedTasks() {
        return planned.size();
    }

    private final class Task<V> extends FutureTask<V> implements RunnableScheduledFuture<V> {
        private final long at;
        private final long order = sequence++;

        Task(Callable<V> work, long at) {
            super(work);
            this.at = at;
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            planned.remove(this);
            return super.cancel(mayInterrupt);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(at - nanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            Task<?> that = (Task<?>) other;
            return at == that.at ? Long.compare(order, that.order) : Long.compare(at - that.at, 0);
        }

        @Override
        public boolean isPeriodic() {
            return false;
        }
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> work, long delay, TimeUnit unit) {
        Task<V> task = new Task<>(work, nanos + unit.toNanos(delay));
        planned.add(task);
        return task;
    }

    @Override
    public void execute(Runnable work) {
        if (threadsMissing > 0) {
            threadsMissing--;
            throw new OutOfMemoryError("unable to create native thread");
        }
        work.run();
    }

    @Override
    public void shutdown() {
        super.shutdown();
        planned.clear();
    }
}
