package io.holdfast.contract;

import io.holdfast.publish.Deployments;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Lets several threads do something at the same moment. */
public final class Contenders {
    /** How many come at once, unless a race says otherwise. */
    public static final int OWNERS = 8;

    /** How often they come, unless a race says otherwise. */
    public static final int ROUNDS = 20;

    /** So few for each owner that no deployment of a race leaves the history before the race is over. */
    public static final int CLAIMS_EACH = Deployments.HISTORY / OWNERS - 1;

    /** No race takes this long; a store that hangs must not hang the suite. */
    private static final long PATIENCE_SECONDS = 120;

    private static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "contender");
        thread.setDaemon(true);
        return thread;
    });

    private Contenders() {}

    /** Runs {@code task} {@code n} times at once, and returns what came of it, in order of the task's number. */
    public static <T> List<T> race(int n, IntFunction<T> task) {
        List<Callable<T>> tasks = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            int number = i;
            tasks.add(() -> task.apply(number));
        }
        return race(tasks);
    }

    /**
     * Runs all tasks at once, each on a thread of its own, released together, and returns what came of them, in their
     * order.
     *
     * @throws AssertionError if a task threw, with that as its cause: losing is a value (G9)
     */
    public static <T> List<T> race(List<? extends Callable<? extends T>> tasks) {
        CyclicBarrier start = new CyclicBarrier(tasks.size());
        List<Future<? extends T>> running = new ArrayList<>();
        for (Callable<? extends T> task : tasks) {
            running.add(THREADS.submit(() -> {
                start.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                return task.call();
            }));
        }
        try {
            List<T> outcomes = new ArrayList<>();
            for (Future<? extends T> each : running) {
                outcomes.add(each.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
            }
            return outcomes;
        } catch (ExecutionException e) {
            throw new AssertionError("a contender failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("a contender is not done after " + PATIENCE_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while contenders run", e);
        } finally {
            running.forEach(each -> each.cancel(true));
        }
    }

    /**
     * How many rounds a race has: {@code usual}, times the system property {@code holdfast.contract.times} (1). Races are
     * found by many rounds; 200 times makes an hour's run of a minute's.
     */
    public static int rounds(int usual) {
        return usual * Integer.getInteger("holdfast.contract.times", 1);
    }
}
