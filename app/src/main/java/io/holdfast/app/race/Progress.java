package io.holdfast.app.race;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Tells how far a run is: on a terminal in one line that changes, elsewhere in a line every few seconds. Thread-safe. */
final class Progress implements AutoCloseable {
    private static final int WIDTH = 30;
    private static final Duration TERMINAL_TICK = Duration.ofMillis(250);
    private static final Duration LOG_TICK = Duration.ofSeconds(5);
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final PrintWriter err;
    private final boolean terminal;
    private final long total;
    private final AtomicLong done = new AtomicLong();
    private final ScheduledExecutorService ticks =
            Executors.newSingleThreadScheduledExecutor(Threads.daemons("progress"));
    private volatile long began;

    /**
     * @param total what it is expected to take, if one thing is done after the other
     */
    Progress(PrintWriter err, boolean terminal, Duration total) {
        this.err = err;
        this.terminal = terminal;
        this.total = total.toNanos();
    }

    /** Whatever was done before does not count. */
    void begin() {
        done.set(0);
        began = System.nanoTime();
        Duration tick = terminal ? TERMINAL_TICK : LOG_TICK;
        var unused = ticks.scheduleAtFixedRate(this::tell, tick.toMillis(), tick.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What was expected to take so long is done. */
    void done(Duration part) {
        done.addAndGet(part.toNanos());
    }

    private void tell() {
        double part = Math.min(1, (double) done.get() / total);
        Duration gone = Duration.ofNanos(System.nanoTime() - began);
        // Too little is known in the beginning.
        String left = part < 0.02
                ? ""
                : ", about " + clock(Duration.ofNanos((long) (gone.toNanos() * (1 - part) / part))) + " left";
        String percent = "%3d %%".formatted((int) (100 * part));
        if (terminal) {
            int filled = (int) (WIDTH * part);
            err.print(CLEAR_LINE + "━".repeat(filled) + "╌".repeat(WIDTH - filled) + " " + percent + "  " + clock(gone)
                    + left);
        } else {
            err.println("racing: " + percent.strip() + " after " + clock(gone) + left);
        }
        err.flush();
    }

    /** Minutes and seconds. */
    static String clock(Duration time) {
        return "%d:%02d".formatted(time.toMinutes(), time.toSecondsPart());
    }

    @Override
    public void close() {
        ticks.shutdownNow();
        try {
            ticks.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (terminal) {
            err.print(CLEAR_LINE);
            err.flush();
        }
    }
}
