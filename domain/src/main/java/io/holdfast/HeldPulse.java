package io.holdfast;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The pulse of one hold. Told by its {@link Heart} what the store says, and watching its own time. */
final class HeldPulse implements Pulse {
    private static final Logger LOG = System.getLogger(Heartbeats.class.getName());

    private final Clocks clocks;
    private final ScheduledExecutorService watch;
    private final Executor callbacks;

    private final List<Runnable> onUnsure = new ArrayList<>();
    private final List<Runnable> onLost = new ArrayList<>();
    private Moment sent;
    private long sureNanos;
    private boolean lost;
    private boolean over;
    private boolean unsureTold;
    private @Nullable Future<?> look;

    HeldPulse(Clocks clocks, ScheduledExecutorService watch, Executor callbacks, Duration remaining, Moment sent) {
        this.clocks = clocks;
        this.watch = watch;
        this.callbacks = callbacks;
        this.sent = sent;
        granted(remaining, sent);
    }

    /** The store has said that the hold is ours for {@code remaining}, in answer to a call sent at {@code sent}. */
    synchronized void granted(Duration remaining, Moment sent) {
        this.sent = sent;
        // A tenth less than granted: the two machines' clocks do not run at quite the same speed.
        this.sureNanos = remaining.toNanos() / 10 * 9;
        if (sureNanosLeft() > 0) {
            unsureTold = false;
        }
        watchTime();
    }

    synchronized void lost() {
        if (lost || over) {
            return;
        }
        lost = true;
        onLost.forEach(this::run);
        onLost.clear();
        onUnsure.clear();
        watchNoMore();
    }

    /** This process has let go; nothing is told any more. */
    synchronized void over() {
        over = true;
        onLost.clear();
        onUnsure.clear();
        watchNoMore();
    }

    @Override
    public synchronized View view() {
        if (lost) {
            return View.LOST;
        }
        if (sureNanosLeft() > 0) {
            return View.HELD;
        }
        tellUnsure();
        return View.UNSURE;
    }

    @Override
    public synchronized Duration sureFor() {
        return lost ? Duration.ZERO : Duration.ofNanos(sureNanosLeft());
    }

    @Override
    public synchronized void onUnsure(Runnable action) {
        if (lost || over) {
            return;
        }
        onUnsure.add(action);
        if (sureNanosLeft() > 0) {
            return;
        }
        if (unsureTold) {
            run(action);
        } else {
            tellUnsure();
        }
    }

    @Override
    public synchronized void onLost(Runnable action) {
        if (lost) {
            run(action);
        } else if (!over) {
            onLost.add(action);
        }
    }

    private long sureNanosLeft() {
        return Math.max(0, sureNanos - clocks.nanosSince(sent));
    }

    /** Keeps one look at the time planned, and no more than one however often the hold is renewed. */
    private void watchTime() {
        if (look != null || lost || over || unsureTold) {
            return;
        }
        try {
            look = watch.schedule(this::look, sureNanosLeft(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "heartbeats are closed; view() goes on telling the truth, onUnsure is not called");
        }
    }

    private void watchNoMore() {
        if (look != null) {
            look.cancel(false);
            look = null;
        }
    }

    private synchronized void look() {
        look = null;
        if (sureNanosLeft() == 0) {
            tellUnsure();
        }
        watchTime();
    }

    private void tellUnsure() {
        if (!unsureTold && !lost && !over) {
            unsureTold = true;
            onUnsure.forEach(this::run);
        }
    }

    private void run(Runnable action) {
        try {
            callbacks.execute(() -> {
                try {
                    action.run();
                } catch (RuntimeException e) {
                    LOG.log(Level.WARNING, "a pulse's callback failed; nothing else is changed by that", e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "heartbeats are closed; callback not called");
        } catch (OutOfMemoryError e) {
            runLater(action, e);
        }
    }

    /** No thread was to be had. The others of this batch must hear of theirs, and this one must be told all the same. */
    private void runLater(Runnable action, OutOfMemoryError noThread) {
        LOG.log(Level.WARNING, "no thread for a pulse's callback; it is called as soon as there is one", noThread);
        try {
            Future<?> unused = watch.schedule(() -> run(action), 1, TimeUnit.SECONDS);
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "heartbeats are closed; callback not called");
        }
    }
}
