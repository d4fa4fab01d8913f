package io.holdfast;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One process on one machine, and the world around it, in virtual time. Both of the machine's clocks run slow, stand still
 * and are set; its threads wait where they call out; and the whole process may stand still, at any look at a clock and
 * between any two steps, while the world goes on. A seed decides all of it.
 */
final class SimulatedMachine {
    /** Enough for any run that ends. */
    private static final int STEPS_AT_MOST = 50_000;

    /** What a timer may be late without anything being wrong. */
    static final long SLACK = 5_000_000;

    final Random random;
    private final Strands strands;
    private final List<Event> process = new ArrayList<>();
    private final PriorityQueue<Event> world = new PriorityQueue<>();
    private final List<Stopwatch> stopwatches = new ArrayList<>();

    private long now;
    private long frozen;
    private long wallAhead;
    private int steps;
    private int queued;
    private int refused;
    private long stoodUntil = -1;
    private long stoodAtLook = -1;
    private Runnable check = () -> {};

    /** How often it runs a callback: once, unless it is broken. */
    IntSupplier callbackRuns = () -> 1;

    /** What it makes of a timer's time: nothing, unless it is broken. Less than 0 is never. */
    LongUnaryOperator timers = nanos -> nanos;

    /** Whether what is waited for has come. */
    BooleanSupplier reasonToWake = () -> true;

    private @Nullable Throwable failure;

    private Strands.@Nullable Strand waiting;
    private @Nullable Event waitEnds;
    private long waitUntil;
    private boolean stirred;

    /** What may go wrong with it. */
    Temper temper = Temper.CALM;

    /**
     * What may go wrong with a machine.
     *
     * @param pause one in so many looks at a clock takes long; 0: none
     * @param longest how long, at most
     * @param freezes whether its monotonic clock, and its timers, may stand still with it
     * @param slowness how long its pool for callbacks may need to find a thread
     * @param noThread one in so many times it finds none; 0: never
     */
    record Temper(int pause, long longest, boolean freezes, long slowness, int noThread) {
        static final Temper CALM = new Temper(0, 0, false, 0, 0);
    }

    /** What happened, for whoever looks into a failure; empty unless somebody asked for it. */
    final List<String> story = new ArrayList<>();

    boolean tellsStory;

    void tell(Supplier<String> what) {
        if (tellsStory) {
            story.add(String.format("%10.3f s  %s", now / 1e9, what.get()));
        }
    }

    /** Its clocks run at so many thousandths of the world's speed. */
    int pace = 1000;

    SimulatedMachine(Strands strands, long seed) {
        this.strands = strands;
        this.random = new Random(seed);
    }

    private static final class Event implements Comparable<Event> {
        long at;
        final @Nullable Runnable task;
        final Strands.@Nullable Strand strand;

        Event(long at, @Nullable Runnable task, Strands.@Nullable Strand strand) {
            this.at = at;
            this.task = task;
            this.strand = strand;
        }

        @Override
        public int compareTo(Event other) {
            return Long.compare(at, other.at);
        }
    }

    /** Measures the time in which the process runs, and nothing holds the watch. */
    final class Stopwatch {
        private final boolean stopsForQueue;
        private int holders;
        private long nanos;

        private Stopwatch(boolean stopsForQueue) {
            this.stopsForQueue = stopsForQueue;
            stopwatches.add(this);
        }

        private void tick(long passed) {
            if (holders == 0 && !(stopsForQueue && queued > 0)) {
                nanos += passed;
            }
        }

        long nanos() {
            return nanos;
        }

        boolean isHeld() {
            return holders > 0;
        }

        <T> T holding(Supplier<T> work) {
            holders++;
            try {
                return work.get();
            } finally {
                holders--;
            }
        }
    }

    Stopwatch stopwatch() {
        return new Stopwatch(false);
    }

    /** One that stops while a callback waits for a thread, too. */
    Stopwatch stopwatchOfCallbacks() {
        return new Stopwatch(true);
    }

    /** Nanoseconds since the start, as the world has it. */
    long now() {
        return now;
    }

    /** How long a timer that is set to {@code nanos} takes at most, while the process runs. */
    long timer(long nanos) {
        return inWorldTime(nanos) + SLACK;
    }

    /** Rounded up: a timer never goes off too early. */
    private long inWorldTime(long nanos) {
        return (nanos / pace + 1) * 1000;
    }

    /** When it last stood still, and went on. */
    long stoodUntil() {
        return stoodUntil;
    }

    /**
     * Whether since then it stood still just when somebody had looked at a clock, such as whoever set a timer by it, which
     * is late then by as much as it was set to.
     */
    boolean stoodAtLookSince(long then) {
        return stoodAtLook >= then;
    }

    /** How often no thread was to be had. */
    int refused() {
        return refused;
    }

    /** The run goes on, lest it leave threads behind; what comes first counts. */
    void fail(Throwable e) {
        failure = failure == null ? e : failure;
    }

    long upTo(long most) {
        return (long) (random.nextDouble() * most);
    }

    boolean oneIn(int n) {
        return n > 0 && random.nextInt(n) == 0;
    }

    Clocks clocks() {
        return new Clocks(
                () -> {
                    standNowAndThen();
                    // Overflows within a minute, as nanoTime may.
                    long nanos = Long.MAX_VALUE - TimeUnit.MINUTES.toNanos(1) + (now - frozen) / 1000 * pace;
                    standNowAndThen();
                    return nanos;
                },
                () -> Instant.ofEpochMilli((now / 1000 * pace + wallAhead) / 1_000_000),
                this::waitOn);
    }

    private void standNowAndThen() {
        if (oneIn(temper.pause)) {
            stand(upTo(temper.longest));
            stoodAtLook = now;
        }
    }

    /** The process stands still, and the world does not. */
    void stand(long nanos) {
        tell(() -> "the process stands still for " + nanos / 1_000_000 + " ms");
        if (temper.freezes && random.nextBoolean()) {
            frozen += nanos;
            process.forEach(event -> event.at = Math.max(event.at, now) + nanos);
        }
        long end = now + nanos;
        worldGoesOnUntil(end);
        now = end;
        stoodUntil = now;
    }

    void setWallClock(long ahead) {
        tell(() -> "the wall clock is set " + ahead / 1_000_000 + " ms ahead");
        wallAhead += ahead;
    }

    /** Happens elsewhere, whether the process stands or not. Takes no time. */
    void elsewhere(long in, Runnable event) {
        world.add(new Event(now + in, event, null));
    }

    /** Runs on a thread of the process, and may {@link #pass} time. */
    void within(long in, Runnable task) {
        process.add(new Event(now + in, task, null));
    }

    /** A thread of the process waits. */
    void pass(long nanos) {
        long at = now + nanos;
        if (nothingUntil(at)) {
            moveTo(at);
            check.run();
            return;
        }
        process.add(new Event(at, null, strands.running()));
        strands.suspend();
    }

    private boolean nothingUntil(long at) {
        for (Event event : process) {
            if (event.at <= at) {
                return false;
            }
        }
        return waiting == null || !mayWake();
    }

    /** Whether a thread that waits has another look now: when it has reason to, and now and then when it has none. */
    private boolean mayWake() {
        return reasonToWake.getAsBoolean() || oneIn(8);
    }

    /** A thread of the process waits on a monitor, as long as there is no reason to go on. */
    private void waitOn(Object monitor, long nanos) throws InterruptedException {
        waiting = strands.running();
        stirred = false;
        waitUntil = now + inWorldTime(nanos);
        waitEnds = new Event(waitUntil, () -> {}, null);
        process.add(waitEnds);
        strands.suspend(monitor);
    }

    /**
     * Runs until nothing is left to happen.
     *
     * @param afterEach after each step
     */
    void run(Runnable afterEach) {
        check = afterEach;
        strands.run(this::step);
    }

    /** What has failed the run. */
    Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    private boolean step() {
        check.run();
        if (steps++ > STEPS_AT_MOST) {
            fail(new AssertionError("it never ends"));
            return false;
        }
        if (waiting != null && stirred && (now >= waitUntil || mayWake())) {
            Strands.Strand first = waiting;
            waiting = null;
            process.remove(waitEnds);
            strands.resume(first);
            return true;
        }
        if (process.isEmpty()) {
            return false;
        }
        Event next = nextOfProcess();
        if (next.at > now) {
            moveTo(next.at);
        }
        process.remove(next);
        stirred = true;
        if (next.strand != null) {
            strands.resume(next.strand);
        } else if (next.task != null) {
            try {
                next.task.run();
            } catch (Throwable e) {
                fail(e);
            }
        }
        return true;
    }

    /** The first; of those that are late, any. */
    private Event nextOfProcess() {
        Event first = process.get(0);
        int late = 0;
        for (Event event : process) {
            first = event.at < first.at ? event : first;
            late += event.at <= now ? 1 : 0;
        }
        int chosen = late > 1 ? random.nextInt(late) : 0;
        for (Event event : process) {
            if (late > 1 && event.at <= now && chosen-- == 0) {
                return event;
            }
        }
        return first;
    }

    private void moveTo(long at) {
        worldGoesOnUntil(at);
        for (Stopwatch watch : stopwatches) {
            watch.tick(at - now);
        }
        now = at;
    }

    private void worldGoesOnUntil(long end) {
        long then = now;
        for (Event next = world.peek(); next != null && next.at <= end; next = world.peek()) {
            world.remove();
            now = Math.max(then, next.at);
            if (next.task != null) {
                next.task.run();
            }
        }
        now = then;
    }

    /** A pool of its threads: as many as are needed, each when the machine has one to spare. */
    final class Pool extends SimulatedTimers {
        private final class Planned<V> extends FutureTask<V> implements ScheduledFuture<V> {
            private final Event event;

            Planned(Callable<V> work, long in) {
                super(work);
                long really = timers.applyAsLong(in);
                event = new Event(now + really, this::runUnlessShutDown, null);
                if (really >= 0) {
                    process.add(event);
                }
            }

            private void runUnlessShutDown() {
                if (!isShutdown()) {
                    run();
                }
            }

            @Override
            public boolean cancel(boolean mayInterrupt) {
                process.remove(event);
                return super.cancel(mayInterrupt);
            }

            @Override
            public long getDelay(TimeUnit unit) {
                return unit.convert(event.at - now, TimeUnit.NANOSECONDS);
            }

            @Override
            public int compareTo(Delayed other) {
                return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
            }
        }

        @Override
        public <V> ScheduledFuture<V> schedule(Callable<V> work, long delay, TimeUnit unit) {
            refuseWhenShutDown();
            return new Planned<>(work, inWorldTime(unit.toNanos(delay)));
        }

        @Override
        public void execute(Runnable work) {
            refuseWhenShutDown();
            if (oneIn(temper.noThread)) {
                refused++;
                throw new OutOfMemoryError("unable to create native thread");
            }
            for (int i = callbackRuns.getAsInt(); i > 0; i--) {
                runSoon(work);
            }
        }

        private void runSoon(Runnable work) {
            queued++;
            within(upTo(temper.slowness), () -> {
                queued--;
                try {
                    work.run();
                } catch (OutOfMemoryError noThread) {
                    // ends a thread of the pool, and nothing else
                }
            });
        }
    }

    ExecutorService callbacks() {
        return new Pool();
    }

    ScheduledExecutorService beats() {
        return new Pool();
    }
}
