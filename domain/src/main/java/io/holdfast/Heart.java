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
import java.util.function.Consumer;
import java.util.function.Function;
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

    /** After a beat without an answer, after an end that could not be delivered, and before a take is withdrawn. */
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A fence of the year 1970: whoever renews by it is told who holds, and changes nothing (G6). */
    private static final Fence NO_TAKES = new Fence(1);

    private final HoldStore<H> store;
    private final long intervalNanos;
    private final Clocks clocks;
    private final ScheduledExecutorService beats;
    private final Executor callbacks;

    /** Guards all that follows, but for the last. No call to a store and no foreign code runs under it. */
    private final Object lock = new Object();

    private final Map<H, Beating> holds = new HashMap<>();
    private final Deque<Errand> undelivered = new ArrayDeque<>();
    private int takes;
    private boolean closed;
    private boolean stopped;
    private boolean leftTold;
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

    /** What the store has to be told, and is told again until it answers. */
    private interface Errand {
        /** Calls the store. Returns how to tell what it said; empty if it is away. */
        Optional<Runnable> call();

        void giveUp();
    }

    private final class UndeliveredEnd<R> implements Errand {
        final H hold;
        final Supplier<R> end;
        final CompletableFuture<R> answer = new CompletableFuture<>();

        UndeliveredEnd(H hold, Supplier<R> end) {
            this.hold = hold;
            this.end = end;
        }

        @Override
        public Optional<Runnable> call() {
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

        @Override
        public void giveUp() {
            answer.completeExceptionally(new StoreUnavailable(
                    StoreUnavailable.Effect.UNKNOWN,
                    "the store stayed away until this process had to stop: the hold is left to fall silent",
                    goingDown()));
        }
    }

    /**
     * Ends what a take has got whose caller was told that nobody knows, and sees to it that it gets nothing any more: its
     * packets may still be under way, and an attempt that has ended takes nothing (G5). So a key that is nobody's is taken once
     * more, and given back at once. What somebody else holds is left alone: to ask for it would take it over from whoever is
     * silent, and after an outage everybody is.
     */
    private final class Withdrawal<A> implements Errand {
        final Take<A, H> take;

        Withdrawal(Take<A, H> take) {
            this.take = take;
        }

        @Override
        public Optional<Runnable> call() {
            try {
                H mine = take.named().apply(NO_TAKES);
                Renewal said = store.renew(List.of(mine)).get(mine);
                if (said == null || isStopped()) {
                    return Optional.empty();
                }
                said.<Optional<H>>fold(held -> Optional.of(mine), lost -> got(mine, lost.to()))
                        .ifPresent(take.giveBack());
            } catch (StoreUnavailable e) {
                LOG.log(Level.DEBUG, "a take could not be withdrawn", e);
                return Optional.empty();
            } catch (Throwable e) {
                LOG.log(Level.WARNING, "a take cannot be withdrawn; if it has got a hold, that falls silent", e);
            }
            return Optional.of(() -> {});
        }

        private Optional<H> got(H mine, Optional<Incumbent> holder) {
            return holder.isEmpty()
                    ? take.granted().apply(take.ask().get())
                    : holder.filter(by -> by.attempt().equals(mine.attempt()))
                            .map(by -> take.named().apply(by.fence()));
        }

        @Override
        public void giveUp() {
            synchronized (lock) {
                if (leftTold) {
                    return;
                }
                leftTold = true;
            }
            LOG.log(
                    Level.WARNING,
                    "takes whose outcome is unknown could not be withdrawn before this process had to stop;"
                            + " what they have got falls silent");
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
     * One take, as its store sees it.
     *
     * @param named the hold that it asks for, under the fence that the store will give it
     * @param ask one call to the store, the same attempt in each
     * @param granted the hold that an answer grants; empty if it is refused
     * @param giveBack one call to the store, which ends a hold whose work was surely not begun
     */
    public record Take<A, H extends Hold>(
            Function<Fence, H> named,
            Supplier<A> ask,
            Function<? super A, Optional<H>> granted,
            Consumer<? super H> giveBack) {}

    /**
     * Runs a take, from the first call to the store until its winner is kept; {@link Heartbeats#close()} waits for it, so
     * that no winner is orphaned. An ask whose outcome is unknown is repeated: if it had been granted, the repetition gets
     * that very hold (G5). If it stays unknown the take is withdrawn in the background, until the store has answered or the
     * drain limit is over.
     *
     * @param budget for how long it is repeated, though always at least once
     * @param answered is given the answer, and when the call that was answered was sent; keeps the winner
     * @throws StoreUnavailable if the store stayed away. NOT_APPLIED: no trace is left. UNKNOWN: a hold may have been left
     *     behind, and is withdrawn
     * @throws IllegalStateException if the heartbeats are closed; nothing was asked of the store
     */
    public <A, R> R taking(Budget budget, Take<A, H> take, BiFunction<? super A, Moment, ? extends R> answered) {
        synchronized (lock) {
            if (closed) {
                throw goingDown();
            }
            takes++;
        }
        try {
            return ask(budget, take, answered);
        } finally {
            synchronized (lock) {
                takes--;
                lock.notifyAll();
            }
        }
    }

    private <A, R> R ask(Budget budget, Take<A, H> take, BiFunction<? super A, Moment, ? extends R> answered) {
        Deadline deadline = budget.begin();
        StoreUnavailable unknown = null;
        for (int calls = 0; ; calls++) {
            Moment sent = now();
            A answer;
            try {
                answer = take.ask().get();
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
                    repeatLater(new Withdrawal<>(take));
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

    private void repeatLater(Errand errand) {
        boolean tooLate;
        synchronized (lock) {
            tooLate = stopped;
            if (!tooLate) {
                undelivered.addLast(errand);
                wakeAt(clocks.now().nanos() + retryNanos());
            }
        }
        if (tooLate) {
            errand.giveUp();
        }
    }

    private boolean isStopped() {
        synchronized (lock) {
            return stopped;
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
        long end = clocks.now().nanos() + nanos;
        synchronized (lock) {
            for (long left = nanos;
                    !isIdle() && left > 0;
                    left = end - clocks.now().nanos()) {
                clocks.waiting().on(lock, left);
            }
        }
    }

    private boolean isIdle() {
        return takes == 0 && holds.isEmpty() && undelivered.isEmpty() && !delivering;
    }

    /** Beats no more. */
    void stop() {
        List<Errand> left;
        synchronized (lock) {
            stopped = true;
            left = List.copyOf(undelivered);
            undelivered.clear();
            holds.values().forEach(held -> held.pulse.over());
            holds.clear();
        }
        left.forEach(Errand::giveUp);
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
            deliver();
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
     * Repeats what was not delivered, beside the beats and not within them: a finish may wait long for a connection of the
     * work pool (E9), and what hangs on its answer is foreign code.
     */
    private void deliver() {
        synchronized (lock) {
            if (delivering || undelivered.isEmpty()) {
                return;
            }
            delivering = true;
        }
        try {
            callbacks.execute(this::deliverEach);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // Closed, or no thread is to be had just now: then the next beat tries again.
            LOG.log(Level.DEBUG, "nothing is delivered just now", e);
            synchronized (lock) {
                delivering = false;
            }
        }
    }

    private void deliverEach() {
        int left;
        synchronized (lock) {
            left = undelivered.size();
        }
        while (left-- > 0) {
            Errand errand;
            synchronized (lock) {
                errand = undelivered.pollFirst();
            }
            if (errand == null) {
                break; // stopped meanwhile
            }
            // Who fails goes behind the others: one row that a stranger keeps locked must not hold them up.
            errand.call().ifPresentOrElse(this::tell, () -> repeatLater(errand));
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
        } catch (RejectedExecutionException | OutOfMemoryError e) {
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
