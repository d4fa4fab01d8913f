package io.holdfast;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One store's heartbeat: renews all holds that this process has in it, in one batch. Made by {@link Heartbeats#of}.
 * Thread-safe.
 *
 * <p>Used in this order: {@link #taking}, inside it {@link #keep} for the winner, in the end {@link #letGo} or {@link
 * #stop}.
 *
 * @param <H> the kind of hold
 */
public final class Heart<H extends Hold> {
    private static final Logger LOG = System.getLogger(Heartbeats.class.getName());

    /** After a beat without an answer, and after an end that could not be delivered. */
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final HoldStore<H> store;
    private final long intervalNanos;
    private final Clocks clocks;
    private final ScheduledExecutorService beats;
    private final Executor callbacks;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();

    // All below: guarded by lock. No call to a store and no foreign code runs under it.
    private final Map<H, Beating> holds = new HashMap<>();
    private final Deque<UndeliveredEnd<?>> undelivered = new ArrayDeque<>();
    private int takes;
    private boolean closed;
    private boolean stopped;
    private boolean beating;
    private boolean away;
    private @Nullable Future<?> next;
    private long nextAt;

    /** A hold that is renewed. Once {@code ending}, what a renewal says of it is no news: its end will tell. */
    private static final class Beating {
        final HeldPulse pulse;
        long due;
        boolean ending;

        Beating(HeldPulse pulse, long due) {
            this.pulse = pulse;
            this.due = due;
        }
    }

    private final class UndeliveredEnd<R> {
        final H hold;
        final Supplier<R> end;
        final CompletableFuture<R> answer = new CompletableFuture<>();

        UndeliveredEnd(H hold, Supplier<R> end) {
            this.hold = hold;
            this.end = end;
        }

        /** Returns false if the store is away. */
        boolean deliver() {
            try {
                R said = end.get();
                forget(hold);
                answer.complete(said);
            } catch (StoreUnavailable e) {
                LOG.log(Level.DEBUG, "the end of a hold could not be delivered", e);
                return false;
            } catch (Throwable e) {
                // Not a word about the store: repeating would not help. The hold is left to fall silent.
                forget(hold);
                answer.completeExceptionally(e);
            }
            return true;
        }
    }

    Heart(HoldStore<H> store, Duration interval, Clocks clocks, ScheduledExecutorService beats, Executor callbacks) {
        this.store = store;
        this.intervalNanos = interval.toNanos();
        this.clocks = clocks;
        this.beats = beats;
        this.callbacks = callbacks;
    }

    /** The moment just before a call to the store is sent: what it grants counts from then (G3). */
    Moment now() {
        return clocks.now();
    }

    /**
     * Runs a take, from the first call to the store until its winner is kept; {@link Heartbeats#close()} waits for it, so
     * that no winner is orphaned. An ask whose outcome is unknown is repeated: if it had been granted, the repetition gets
     * that very hold (G5).
     *
     * @param budget for how long it is repeated, though always at least once
     * @param ask one call to the store, the same attempt in each
     * @param answered is given the answer, and when the call that was answered was sent; keeps the winner
     * @throws StoreUnavailable if the store stayed away. NOT_APPLIED: no trace is left. UNKNOWN: a hold may have been left
     *     behind, and falls silent
     * @throws IllegalStateException if the heartbeats are closed; nothing was asked of the store
     */
    public <A, R> R taking(Budget budget, Supplier<A> ask, BiFunction<? super A, Moment, ? extends R> answered) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException(
                        "heartbeats are closed, this process is shutting down: ask another one");
            }
            takes++;
        } finally {
            lock.unlock();
        }
        try {
            return ask(budget, ask, answered);
        } finally {
            lock.lock();
            try {
                takes--;
                signalIfIdle();
            } finally {
                lock.unlock();
            }
        }
    }

    private <A, R> R ask(Budget budget, Supplier<A> ask, BiFunction<? super A, Moment, ? extends R> answered) {
        Deadline deadline = budget.begin();
        StoreUnavailable unknown = null;
        for (int calls = 0; ; calls++) {
            Moment sent = now();
            A answer;
            try {
                answer = ask.get();
            } catch (StoreUnavailable e) {
                // A repetition that was surely not applied says nothing about the call before it.
                if (e.effect() == StoreUnavailable.Effect.UNKNOWN) {
                    unknown = e;
                }
                if (unknown == null) {
                    throw e;
                }
                boolean over = !deadline.pause() && calls > 0;
                if (over || Thread.currentThread().isInterrupted()) {
                    throw unknown;
                }
                continue;
            }
            return answered.apply(answer, sent);
        }
    }

    /**
     * Renews {@code hold} until it is let go, stopped or lost.
     *
     * @param remaining what the store granted
     * @param sent when the call that was granted was sent, as {@link #taking} tells
     */
    public Pulse keep(H hold, Duration remaining, Moment sent) {
        HeldPulse pulse = new HeldPulse(clocks, beats, callbacks, remaining, sent);
        lock.lock();
        try {
            // A take that was granted in an earlier, lost reply may have little time left.
            long wait = Math.min(intervalNanos, pulse.sureFor().toNanos() / 2);
            Beating beating = new Beating(pulse, clocks.now().nanos() + wait);
            holds.put(hold, beating);
            wakeAt(beating.due);
        } finally {
            lock.unlock();
        }
        return pulse;
    }

    /** Stops renewing: the work goes on elsewhere, or nobody knows what became of it. The hold is not ended. */
    public void stop(H hold) {
        forget(hold);
    }

    /**
     * Ends a hold: calls {@code end}, and stops renewing once the store has answered. While the store is away the hold is
     * kept alive and {@code end} is called again, until it is answered or the drain limit is over.
     *
     * @param end the write that ends the hold in the store; called on this thread, and if need be on a heartbeat's
     * @return completes with the store's answer; exceptionally with {@link StoreUnavailable} if it was not to be had until
     *     the drain limit was over, and with what else {@code end} threw
     */
    public <R> CompletionStage<R> letGo(H hold, Supplier<R> end) {
        lock.lock();
        try {
            Beating held = holds.get(hold);
            if (held != null) {
                held.ending = true;
            }
        } finally {
            lock.unlock();
        }
        UndeliveredEnd<R> ending = new UndeliveredEnd<>(hold, end);
        if (!ending.deliver()) {
            lock.lock();
            try {
                if (stopped) {
                    ending.answer.completeExceptionally(undeliverable());
                } else {
                    undelivered.addLast(ending);
                    wakeAt(clocks.now().nanos() + retryNanos());
                }
            } finally {
                lock.unlock();
            }
        }
        return ending.answer;
    }

    /** Refuses new takes. */
    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until nothing is left to be kept, or until the time is over. */
    void awaitIdle(long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (!isIdle() && left > 0) {
                left = idle.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Beats no more. */
    void stop() {
        List<UndeliveredEnd<?>> left;
        lock.lock();
        try {
            stopped = true;
            left = List.copyOf(undelivered);
            undelivered.clear();
            holds.values().forEach(held -> held.pulse.over());
            holds.clear();
        } finally {
            lock.unlock();
        }
        left.forEach(end -> end.answer.completeExceptionally(undeliverable()));
    }

    private static StoreUnavailable undeliverable() {
        return new StoreUnavailable(
                StoreUnavailable.Effect.UNKNOWN,
                "the store stayed away until this process had to stop: the hold is left to fall silent",
                new IllegalStateException("heartbeats are closed"));
    }

    private void forget(H hold) {
        lock.lock();
        try {
            Beating held = holds.remove(hold);
            if (held != null) {
                held.pulse.over();
            }
            signalIfIdle();
        } finally {
            lock.unlock();
        }
    }

    private void signalIfIdle() {
        if (isIdle()) {
            idle.signalAll();
        }
    }

    private boolean isIdle() {
        return takes == 0 && holds.isEmpty() && undelivered.isEmpty();
    }

    private long retryNanos() {
        return Math.min(intervalNanos, RETRY_NANOS);
    }

    /** Sees to it that there is a beat at {@code due} or before. A beat that is running plans the next one itself. */
    private void wakeAt(long due) {
        if (beating || stopped || (next != null && nextAt - due <= 0)) {
            return;
        }
        if (next != null) {
            next.cancel(false);
        }
        try {
            next = beats.schedule(this::beat, Math.max(0, due - clocks.now().nanos()), TimeUnit.NANOSECONDS);
            nextAt = due;
        } catch (RejectedExecutionException e) {
            next = null;
            LOG.log(Level.DEBUG, "heartbeats are closed");
        }
    }

    private void beat() {
        List<H> due = new ArrayList<>();
        lock.lock();
        try {
            if (beating || stopped) {
                return;
            }
            beating = true;
            next = null;
            // Whoever is due soon comes along, so that all holds end up in one batch.
            long soon = clocks.now().nanos() + intervalNanos / 2;
            holds.forEach((hold, held) -> {
                if (held.due - soon <= 0) {
                    due.add(hold);
                }
            });
        } finally {
            lock.unlock();
        }
        try {
            if (!due.isEmpty()) {
                renew(due);
            }
            deliverEnds();
        } finally {
            lock.lock();
            try {
                beating = false;
                planNext();
            } finally {
                lock.unlock();
            }
        }
    }

    private void renew(List<H> due) {
        Map<H, Renewal> said = Map.of();
        Moment sent = now();
        try {
            said = store.renew(due);
            tellAnswered();
        } catch (Throwable e) {
            // Whatever it was, the next beat must come (K11): the holds have had no word, and that is all that is
            // known.
            tellAway(e);
        }
        lock.lock();
        try {
            long now = clocks.now().nanos();
            for (H hold : due) {
                Beating held = holds.get(hold);
                if (held == null) {
                    continue; // let go while the renewal was under way
                }
                Renewal word = said.get(hold);
                if (word instanceof Renewal.Held granted) {
                    held.pulse.granted(granted.remaining(), sent);
                    held.due = now + intervalNanos;
                } else if (word instanceof Renewal.Lost && !held.ending) {
                    holds.remove(hold);
                    held.pulse.lost();
                } else {
                    held.due = now + retryNanos();
                }
            }
            signalIfIdle();
        } finally {
            lock.unlock();
        }
    }

    /** Repeats ends for about as long as a retry may wait; whoever failed goes to the back of the queue. */
    private void deliverEnds() {
        Moment begun = now();
        int left;
        lock.lock();
        try {
            left = undelivered.size();
        } finally {
            lock.unlock();
        }
        while (left-- > 0 && clocks.nanosSince(begun) < RETRY_NANOS) {
            UndeliveredEnd<?> end;
            lock.lock();
            try {
                end = undelivered.peekFirst();
            } finally {
                lock.unlock();
            }
            if (end == null) {
                return;
            }
            boolean delivered = end.deliver();
            lock.lock();
            try {
                // Stays in the queue while it is delivered, or close() would believe that nothing is left.
                if (undelivered.remove(end) && !delivered) {
                    undelivered.addLast(end);
                }
                signalIfIdle();
            } finally {
                lock.unlock();
            }
        }
    }

    private void planNext() {
        long now = clocks.now().nanos();
        boolean any = !undelivered.isEmpty();
        long due = now + retryNanos();
        for (Beating held : holds.values()) {
            due = !any || held.due - due < 0 ? held.due : due;
            any = true;
        }
        if (any) {
            wakeAt(due);
        }
    }

    private void tellAway(Throwable cause) {
        if (!away) {
            away = true;
            LOG.log(Level.WARNING, "a heartbeat was not answered; it is tried again until it is", cause);
        }
    }

    private void tellAnswered() {
        if (away) {
            away = false;
            LOG.log(Level.INFO, "heartbeats are answered again");
        }
    }
}
