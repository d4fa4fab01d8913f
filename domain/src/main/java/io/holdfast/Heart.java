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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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

    /** Guards all that follows, but for the last. No call to a store and no foreign code runs under it. */
    private final Object lock = new Object();

    private final Map<H, Beating> holds = new HashMap<>();
    private final Deque<UndeliveredEnd<?>> undelivered = new ArrayDeque<>();
    private int takes;
    private boolean closed;
    private boolean stopped;
    private boolean beating;
    private boolean delivering;
    private @Nullable Future<?> next;
    private long nextAt;

    /** Whether the last beat went without an answer. One beat follows another, so it needs no lock. */
    private boolean away;

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

        /** Calls the store once. Returns how to tell what it said; empty if it is away. */
        Optional<Runnable> call() {
            try {
                R said = end.get();
                stop(hold);
                return Optional.of(() -> answer.complete(said));
            } catch (StoreUnavailable e) {
                LOG.log(Level.DEBUG, "the end of a hold could not be delivered", e);
                return Optional.empty();
            } catch (Throwable e) {
                // Not a word about the store: repeating would not help. The hold is left to fall silent.
                stop(hold);
                return Optional.of(() -> answer.completeExceptionally(e));
            }
        }

        void giveUp() {
            answer.completeExceptionally(new StoreUnavailable(
                    StoreUnavailable.Effect.UNKNOWN,
                    "the store stayed away until this process had to stop: the hold is left to fall silent",
                    goingDown()));
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
        synchronized (lock) {
            if (closed) {
                throw goingDown();
            }
            takes++;
        }
        try {
            return ask(budget, ask, answered);
        } finally {
            synchronized (lock) {
                takes--;
                lock.notifyAll();
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
     * @throws IllegalStateException if the drain limit was over before the take was answered: the work must not begin,
     *     because nobody would renew its hold
     */
    public Pulse keep(H hold, Duration remaining, Moment sent) {
        synchronized (lock) {
            if (stopped) {
                throw goingDown();
            }
            HeldPulse pulse = new HeldPulse(clocks, beats, callbacks, remaining, sent);
            // A take that was granted in an earlier, lost reply may have little time left.
            long wait = Math.min(intervalNanos, pulse.sureFor().toNanos() / 2);
            Beating beating = new Beating(pulse, clocks.now().nanos() + wait);
            holds.put(hold, beating);
            wakeAt(beating.due);
            return pulse;
        }
    }

    /** Stops renewing: the work goes on elsewhere, or nobody knows what became of it. The hold is not ended. */
    public void stop(H hold) {
        synchronized (lock) {
            Beating held = holds.remove(hold);
            if (held != null) {
                held.pulse.over();
            }
            lock.notifyAll();
        }
    }

    /**
     * Ends a hold: calls {@code end}, and stops renewing once the store has answered. While the store is away the hold is
     * kept alive and {@code end} is called again, until it is answered or the drain limit is over.
     *
     * @param end the write that ends the hold in the store; called on this thread, and if need be on one of ours
     * @return completes with the store's answer; exceptionally with {@link StoreUnavailable} if it was not to be had until
     *     the drain limit was over, and with what else {@code end} threw. Completes on this thread, or on one where it
     *     delays no beat
     */
    public <R> CompletionStage<R> letGo(H hold, Supplier<R> end) {
        synchronized (lock) {
            Beating held = holds.get(hold);
            if (held != null) {
                held.ending = true;
            }
        }
        UndeliveredEnd<R> ending = new UndeliveredEnd<>(hold, end);
        ending.call().ifPresentOrElse(Runnable::run, () -> repeatLater(ending));
        return ending.answer;
    }

    private void repeatLater(UndeliveredEnd<?> end) {
        boolean tooLate;
        synchronized (lock) {
            tooLate = stopped;
            if (!tooLate) {
                undelivered.addLast(end);
                wakeAt(clocks.now().nanos() + retryNanos());
            }
        }
        if (tooLate) {
            end.giveUp();
        }
    }

    /** Refuses new takes. */
    void close() {
        synchronized (lock) {
            closed = true;
        }
    }

    /** Waits until nothing is left to be kept, or until the time is over. */
    void awaitIdle(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        synchronized (lock) {
            for (long left = nanos; !isIdle() && left > 0; left = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(lock, left);
            }
        }
    }

    private boolean isIdle() {
        return takes == 0 && holds.isEmpty() && undelivered.isEmpty() && !delivering;
    }

    /** Beats no more. */
    void stop() {
        List<UndeliveredEnd<?>> left;
        synchronized (lock) {
            stopped = true;
            left = List.copyOf(undelivered);
            undelivered.clear();
            holds.values().forEach(held -> held.pulse.over());
            holds.clear();
        }
        left.forEach(UndeliveredEnd::giveUp);
    }

    private static IllegalStateException goingDown() {
        return new IllegalStateException("heartbeats are closed, this process is shutting down: ask another one");
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
        synchronized (lock) {
            if (beating || stopped) {
                return;
            }
            beating = true;
            if (next != null) {
                next.cancel(false); // planned while this one waited for the lock: one chain of beats is enough
                next = null;
            }
            // Whoever is due soon comes along, so that all holds end up in one batch.
            long soon = clocks.now().nanos() + intervalNanos / 2;
            holds.forEach((hold, held) -> {
                if (held.due - soon <= 0) {
                    due.add(hold);
                }
            });
        }
        try {
            if (!due.isEmpty()) {
                renew(due);
            }
        } finally {
            synchronized (lock) {
                beating = false;
                planNext();
            }
            deliverEnds();
        }
    }

    private void renew(List<H> due) {
        Moment sent = now();
        try {
            Map<H, Renewal> said = store.renew(due);
            askAgainSoon(due);
            heed(due, said, sent);
            tellAnswered();
        } catch (Throwable e) {
            // Whatever it was, an answer that is none included: the next beat must come (K11), and not at once.
            askAgainSoon(due);
            tellAway(e);
        }
    }

    private void askAgainSoon(List<H> due) {
        synchronized (lock) {
            long soon = clocks.now().nanos() + retryNanos();
            for (H hold : due) {
                Beating held = holds.get(hold);
                if (held != null) {
                    held.due = soon;
                }
            }
        }
    }

    /** A hold without a word stays as it is, and is asked about again soon. */
    private void heed(List<H> due, Map<H, Renewal> said, Moment sent) {
        synchronized (lock) {
            long later = clocks.now().nanos() + intervalNanos;
            for (H hold : due) {
                Beating held = holds.get(hold);
                if (held == null) {
                    continue; // let go while the renewal was under way
                }
                Renewal word = said.get(hold);
                if (word instanceof Renewal.Held granted) {
                    held.pulse.granted(granted.remaining(), sent);
                    held.due = later;
                } else if (word instanceof Renewal.Lost && !held.ending) {
                    holds.remove(hold);
                    held.pulse.lost();
                }
            }
            lock.notifyAll();
        }
    }

    /** When the first hold is due, or when it is time to deliver again what could not be delivered. */
    private void planNext() {
        long now = clocks.now().nanos();
        long wait = undelivered.isEmpty() ? Long.MAX_VALUE : retryNanos();
        for (Beating held : holds.values()) {
            wait = Math.min(wait, held.due - now);
        }
        if (wait < Long.MAX_VALUE) {
            wakeAt(now + wait);
        }
    }

    /**
     * Repeats the ends that were not delivered, beside the beats and not within them: a finish may wait long for a
     * connection of the work pool (E9), and what hangs on its answer is foreign code.
     */
    private void deliverEnds() {
        synchronized (lock) {
            if (delivering || undelivered.isEmpty()) {
                return;
            }
            delivering = true;
        }
        try {
            callbacks.execute(this::deliverEach);
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "heartbeats are closed");
        }
    }

    private void deliverEach() {
        int left;
        synchronized (lock) {
            left = undelivered.size();
        }
        while (left-- > 0) {
            UndeliveredEnd<?> end;
            synchronized (lock) {
                end = undelivered.pollFirst();
            }
            if (end == null) {
                break; // stopped meanwhile
            }
            // Who fails goes behind the others: one row that a stranger keeps locked must not hold them up.
            end.call().ifPresentOrElse(this::tell, () -> repeatLater(end));
        }
        synchronized (lock) {
            delivering = false;
            planNext();
            lock.notifyAll();
        }
    }

    private void tell(Runnable answer) {
        try {
            callbacks.execute(answer);
        } catch (RejectedExecutionException e) {
            answer.run();
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
