package io.holdfast;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** What simulated threads and timers have in common: each thing is planned once, and nothing after the end. */
abstract class SimulatedTimers extends AbstractExecutorService implements ScheduledExecutorService {
    private volatile boolean shutdown;

    final void refuseWhenShutDown() {
        if (shutdown) {
            throw new RejectedExecutionException("shut down");
        }
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
        return schedule(
                () -> {
                    work.run();
                    return null;
                },
                delay,
                unit);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable work, long initial, long period, TimeUnit unit) {
        throw new UnsupportedOperationException("one exception would end it silently (K11)");
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable work, long initial, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException("one exception would end it silently (K11)");
    }

    @Override
    public void shutdown() {
        shutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutdown();
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return shutdown;
    }

    @Override
    public boolean isTerminated() {
        return shutdown;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return shutdown;
    }
}
