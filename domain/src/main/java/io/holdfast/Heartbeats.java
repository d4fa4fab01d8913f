package io.holdfast;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;

/**
 * Keeps the holds of this process alive. The only thing in the domain that owns threads and has a life cycle: one per
 * process, closed last, so that nothing is taken over while work is still ending (K9). Thread-safe.
 *
 * <p>Each store has one {@link Heart}, which renews all its holds in one batch. Threads are daemons: a process that ends
 * without {@link #close()} lets its holds fall silent.
 */
public final class Heartbeats implements AutoCloseable {
    /** The interval of {@link #everyHalfMinute()}. */
    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(30);

    /** How long {@link #close()} waits, unless told otherwise. */
    public static final Duration DEFAULT_DRAIN = Duration.ofMinutes(1);

    /** A limit must leave room for three beats that fail, and for the time that they take to fail. */
    private static final int BEATS_PER_LIMIT = 4;

    private final Duration interval;
    private final Duration drain;
    private final Clocks clocks;
    private final ScheduledExecutorService beats;
    private final ExecutorService callbacks;
    private final List<Heart<?>> hearts = new ArrayList<>();
    private boolean closed;

    Heartbeats(
            Duration interval,
            Duration drain,
            Clocks clocks,
            ScheduledExecutorService beats,
            ExecutorService callbacks) {
        this.interval = interval;
        this.drain = drain;
        this.clocks = clocks;
        this.beats = beats;
        this.callbacks = callbacks;
    }

    /**
     * Renews every {@link #DEFAULT_INTERVAL}, and waits for at most {@link #DEFAULT_DRAIN} on close.
     */
    public static Heartbeats everyHalfMinute() {
        return every(DEFAULT_INTERVAL, DEFAULT_DRAIN);
    }

    /**
     * Renews at the given interval.
     *
     * @param interval time between two renewals of a hold, from 1 ms up to a quarter of the {@link SilenceLimit#MAX longest
     *     limit}
     * @param drain how long {@link #close()} waits at most; zero: not at all; at most 365 days
     */
    public static Heartbeats every(Duration interval, Duration drain) {
        if (interval.compareTo(Duration.ofMillis(1)) < 0
                || interval.compareTo(SilenceLimit.MAX.dividedBy(BEATS_PER_LIMIT)) > 0) {
            throw new IllegalArgumentException("heartbeat interval must be from 1 ms to 91 days: " + interval);
        }
        if (drain.isNegative() || drain.compareTo(SilenceLimit.MAX) > 0) {
            throw new IllegalArgumentException("drain limit must be from 0 to 365 days: " + drain);
        }
        ScheduledThreadPoolExecutor beats = new ScheduledThreadPoolExecutor(1, daemons("holdfast-heartbeat"));
        beats.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        beats.setRemoveOnCancelPolicy(true);
        return new Heartbeats(
                interval, drain, Clocks.SYSTEM, beats, Executors.newCachedThreadPool(daemons("holdfast-pulse")));
    }

    /**
     * Binds a store, once, in the constructor of a use case.
     *
     * @param limit the silence limit of the holds that will be kept
     * @throws IllegalArgumentException if the limit is shorter than four intervals
     */
    public synchronized <H extends Hold> Heart<H> of(HoldStore<H> store, SilenceLimit limit) {
        if (limit.value().compareTo(interval.multipliedBy(BEATS_PER_LIMIT)) < 0) {
            throw new IllegalArgumentException("silence limit " + limit.value() + " is shorter than " + BEATS_PER_LIMIT
                    + " heartbeats of " + interval + ": beat more often, or allow a longer silence");
        }
        Heart<H> heart = new Heart<>(store, interval, clocks, beats, callbacks);
        hearts.add(heart);
        if (closed) {
            heart.close();
        }
        // A thread for each heart, lest a store that hangs delays another; and one that watches the pulses' time.
        if (beats instanceof ScheduledThreadPoolExecutor pool) {
            pool.setCorePoolSize(hearts.size() + 1);
        }
        return heart;
    }

    /**
     * Refuses new holds, and goes on beating until the last one is let go and its end is known to its store, or the drain
     * limit is over. Holds that remain then fall silent. Does nothing when repeated. An interrupt ends the wait and keeps
     * its flag.
     */
    @Override
    public void close() {
        List<Heart<?>> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(hearts);
        }
        all.forEach(Heart::close);
        Moment begun = clocks.now();
        try {
            for (Heart<?> heart : all) {
                heart.awaitIdle(drain.toNanos() - clocks.nanosSince(begun));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        all.forEach(Heart::stop);
        beats.shutdown();
        callbacks.shutdown();
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
