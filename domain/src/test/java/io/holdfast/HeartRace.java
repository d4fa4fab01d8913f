package io.holdfast;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What two threads of one process do with one heart at the same time, and what must be true in the end in whichever order
 * their steps come. To be run by Lincheck, which decides that order.
 */
enum HeartRace implements Runnable {
    /** The loss is heard just when somebody asks to be told. */
    LOST_AND_ASKED {
        @Override
        public void run() {
            Node node = new Node();
            AtomicInteger first = new AtomicInteger();
            AtomicInteger second = new AtomicInteger();
            HeldPulse pulse = node.pulse();
            pulse.onLost(first::incrementAndGet);
            together(pulse::lost, () -> pulse.onLost(second::incrementAndGet));
            require(pulse.view() == Pulse.View.LOST, "lost, and not believed");
            require(first.get() == 1 && second.get() == 1, "told of the loss " + first + " and " + second + " times");
        }
    },

    /** The time is up: the timer says so just when somebody asks to be told. */
    UNSURE_AND_ASKED {
        @Override
        public void run() {
            Node node = new Node();
            AtomicInteger first = new AtomicInteger();
            AtomicInteger second = new AtomicInteger();
            Pulse pulse = node.pulse();
            pulse.onUnsure(first::incrementAndGet);
            node.pass(Node.LIMIT);
            together(node::beat, () -> pulse.onUnsure(second::incrementAndGet));
            require(first.get() == 1 && second.get() == 1, "told of UNSURE " + first + " and " + second + " times");
        }
    },

    /** What is granted must not be half seen: the new time with the old moment would be more than the store gave. */
    GRANTED_AND_LOOKED {
        @Override
        public void run() {
            Node node = new Node();
            HeldPulse pulse = node.pulse();
            node.pass(Node.LIMIT);
            Moment later = node.clocks.now();
            AtomicInteger unsure = new AtomicInteger();
            together(() -> pulse.granted(Duration.ofNanos(1000), later), () -> {
                require(pulse.sureFor().toNanos() <= 900, "sure for longer than was granted");
                pulse.onUnsure(unsure::incrementAndGet);
            });
            require(pulse.view() == Pulse.View.HELD, "granted, and not believed");
            int before = unsure.get();
            node.pass(900);
            node.beat();
            require(unsure.get() == before + 1, "the time is up, and nobody told");
        }
    },

    /** Who let go before the loss was heard hears nothing more, and the beats that follow leave the hold alone. */
    LET_GO_AND_LOST {
        @Override
        public void run() {
            Node node = new Node();
            node.answer = Node::lost;
            AtomicInteger told = new AtomicInteger();
            AtomicInteger before = new AtomicInteger();
            Pulse pulse = node.keep(1);
            pulse.onLost(told::incrementAndGet);
            together(node::beat, () -> {
                node.end(1);
                before.set(told.get());
            });
            require(node.endsAreTold(), "nobody is told what became of an end");
            require(told.get() == before.get() && told.get() <= 1, "told of a loss after the end");
            node.batches.clear();
            node.beats(3);
            require(node.asked(1) == 0, "renewed after the end");
        }
    },

    /** A hold that is kept just while the beat of another is under way, or begins: neither is forgotten. */
    KEPT_WHILE_BEATING {
        @Override
        public void run() {
            Node node = new Node();
            node.keep(1);
            together(
                    () -> {
                        node.keep(2);
                        node.beat();
                    },
                    node::beat);
            require(!node.askedAtOnce, "two beats at once");
            node.batches.clear();
            node.beats(2);
            require(node.asked(1) >= 1 && node.asked(2) >= 1, "a hold is renewed no more");
            int planned = node.timers.planned();
            require(planned == 3, planned + " planned for one beat and the time of two pulses");
        }
    },

    /** The store is away when the hold is ended, and the process stops. */
    ENDED_AND_STOPPED {
        @Override
        public void run() {
            Node node = new Node();
            node.keep(1);
            node.awayFor = 2;
            together(node.heart::stop, () -> {
                node.end(1);
                node.beat();
            });
            require(node.endsAreTold(), "nobody is told what became of an end");
            node.batches.clear();
            node.beats(2);
            require(node.batches.isEmpty(), "renewed after the stop");
        }
    },

    /** The store is away when two holds are ended, while beats deliver what they can. */
    ENDED_AND_DELIVERED {
        @Override
        public void run() {
            Node node = new Node();
            node.keep(1);
            node.keep(2);
            node.awayFor = 2;
            together(() -> node.end(1), () -> {
                node.beat();
                node.end(2);
            });
            node.beats(3);
            require(node.endsAreTold(), "an end was not delivered");
            node.batches.clear();
            node.beats(2);
            require(node.batches.isEmpty(), "renewed after the end");
        }
    },

    /** A close waits for a take that is under way, for its hold, and for its end; or the take is refused. */
    TAKEN_AND_CLOSED {
        @Override
        public void run() {
            Node node = new Node();
            together(
                    () -> {
                        node.heartbeats.close();
                        require(node.open.get() == 0, "closed while something is held");
                    },
                    () -> {
                        if (node.take()) {
                            node.heart.letGo(Node.key(1), node.open::decrementAndGet);
                        }
                    });
        }
    },

    /** A close waits for a take that gets nothing. */
    REFUSED_AND_CLOSED {
        @Override
        public void run() {
            Node node = new Node();
            together(
                    () -> {
                        node.heartbeats.close();
                        require(node.open.get() == 0, "closed during a take");
                    },
                    node::takeInVain);
        }
    },

    /** A close waits for a hold no longer when its loss is heard. */
    LOST_AND_CLOSED {
        @Override
        public void run() {
            Node node = new Node();
            node.answer = Node::lost;
            Pulse pulse = node.keep(1);
            together(node.heartbeats::close, node::beat);
            require(pulse.view() == Pulse.View.LOST, "lost, and not believed");
        }
    },

    /** A close waits until the end that nobody took has been delivered. */
    DELIVERED_AND_CLOSED {
        @Override
        public void run() {
            Node node = new Node();
            node.keep(1);
            node.awayFor = 1;
            together(
                    () -> {
                        node.heartbeats.close();
                        require(node.endsAreTold(), "closed before the end was delivered");
                    },
                    () -> {
                        node.end(1);
                        node.beat();
                    });
            require(node.endsAreTold(), "an end was not delivered");
        }
    },

    /** A take whose outcome stayed unknown has got a hold: it is given back, and a close waits for that. */
    WITHDRAWN_AND_CLOSED {
        @Override
        public void run() {
            Node node = new Node();
            together(
                    () -> {
                        node.heartbeats.close();
                        require(node.open.get() == 0, "closed before the take was withdrawn");
                    },
                    () -> {
                        node.takeInDoubt();
                        node.beat();
                    });
            require(node.open.get() == 0, "given back " + (1 - node.open.get()) + " times");
        }
    };

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    /** Both at the same time, until both have ended. */
    private static void together(Runnable one, Runnable other) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                one.run();
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        thread.start();
        other.run();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new CompletionException(e);
        }
        if (failure.get() != null) {
            throw new CompletionException(failure.get());
        }
    }

    /** A process without time, with one heart, a store that says what it is told to, and threads that the race lends it. */
    private static final class Node {
        static final long BEAT = TimeUnit.SECONDS.toNanos(30);
        static final long LIMIT = 4 * BEAT;

        record Key(AttemptId attempt, Fence fence) implements Hold {}

        private final AtomicLong now = new AtomicLong();
        volatile Function<Key, Renewal> answer = key -> new Renewal.Held(Duration.ofNanos(LIMIT));

        /** So many ends are not heard. */
        int awayFor;

        final List<Collection<Key>> batches = new ArrayList<>();
        private boolean asking;
        boolean askedAtOnce;
        private final List<CompletableFuture<String>> ends = new ArrayList<>();

        /** What takes have asked for, and neither their refusal, their end nor their withdrawal has settled. */
        final AtomicInteger open = new AtomicInteger();

        final Timers timers = new Timers();

        /** Nobody wakes up because of the time, so a notification that is forgotten is a thread that waits for ever. */
        final Clocks clocks = new Clocks(now::get, () -> Instant.ofEpochMilli(now.get() / 1_000_000), Node::waitOn);

        final Heartbeats heartbeats =
                new Heartbeats(Duration.ofNanos(BEAT), Duration.ofDays(365), clocks, timers, timers);
        final Heart<Key> heart = heartbeats.of(this::renew, SilenceLimit.of(Duration.ofNanos(LIMIT)));

        static Key key(int number) {
            return new Key(new AttemptId(new UUID(0, number)), new Fence(number));
        }

        static Renewal lost(Key key) {
            return new Renewal.Lost(Optional.empty());
        }

        /** Looped around by whoever calls it. */
        @SuppressWarnings("WaitNotInLoop")
        private static void waitOn(Object monitor, long nanos) throws InterruptedException {
            monitor.wait();
        }

        private Map<Key, Renewal> renew(Collection<Key> holds) {
            synchronized (batches) {
                // Not thrown: a heart takes all that a store throws for a store that is away.
                askedAtOnce |= asking;
                asking = true;
                batches.add(holds);
            }
            Map<Key, Renewal> said = new HashMap<>();
            for (Key hold : holds) {
                said.put(hold, answer.apply(hold));
            }
            synchronized (batches) {
                asking = false;
            }
            return said;
        }

        int asked(int number) {
            synchronized (batches) {
                return (int) batches.stream()
                        .filter(batch -> batch.contains(key(number)))
                        .count();
            }
        }

        /** Kept with so little time left that its beat is due at once. */
        Pulse keep(int number) {
            return heart.keep(key(number), Duration.ofNanos(BEAT), clocks.now());
        }

        HeldPulse pulse() {
            return new HeldPulse(clocks, timers, timers, Duration.ofNanos(BEAT), clocks.now());
        }

        void end(int number) {
            CompletableFuture<String> end =
                    heart.letGo(key(number), this::ended).toCompletableFuture();
            synchronized (ends) {
                ends.add(end);
            }
        }

        boolean endsAreTold() {
            synchronized (ends) {
                return !ends.isEmpty() && ends.stream().allMatch(CompletableFuture::isDone);
            }
        }

        private synchronized String ended() {
            if (awayFor > 0) {
                awayFor--;
                throw new StoreUnavailable(StoreUnavailable.Effect.UNKNOWN, "away", new TimeoutException());
            }
            return "said";
        }

        /** Returns whether it was kept; refused otherwise, because the heartbeats are closed. */
        boolean take() {
            return taking(() -> key(1), Optional::of, (key, sent) -> heart.keep(key, Duration.ofNanos(LIMIT), sent));
        }

        void takeInVain() {
            taking(() -> key(1), refused -> Optional.empty(), (refused, sent) -> open.decrementAndGet());
        }

        /** It has got what it asked for, and does not know: its thread is interrupted meanwhile, so it does not ask again. */
        void takeInDoubt() {
            try {
                taking(
                        () -> {
                            Thread.currentThread().interrupt();
                            throw new StoreUnavailable(StoreUnavailable.Effect.UNKNOWN, "away", new TimeoutException());
                        },
                        Optional::of,
                        (key, sent) -> key);
            } catch (StoreUnavailable e) {
                require(Thread.interrupted(), "the interrupt was swallowed");
            }
        }

        private boolean taking(
                Supplier<Key> answer, Function<Key, Optional<Key>> granted, BiFunction<Key, Moment, ?> answered) {
            Supplier<Key> ask = () -> {
                open.incrementAndGet();
                return answer.get();
            };
            try {
                heart.taking(
                        Budget.DEFAULT,
                        new Heart.Take<>(fence -> key(1), ask, granted, mine -> open.decrementAndGet()),
                        answered);
                return true;
            } catch (IllegalStateException e) {
                return false;
            }
        }

        /** A timer's thread runs all that is planned just now, whenever it was planned for. */
        void beat() {
            timers.run();
        }

        void beats(int times) {
            for (int i = 0; i < times; i++) {
                pass(BEAT);
                beat();
            }
        }

        void pass(long nanos) {
            now.addAndGet(nanos);
        }
    }

    /** Timers whose thread is lent by whoever calls {@link #run}; callbacks run where they are told. */
    private static final class Timers extends SimulatedTimers {
        private final List<Planned<?>> planned = new ArrayList<>();

        void run() {
            List<Planned<?>> due;
            synchronized (this) {
                due = List.copyOf(planned);
                planned.clear();
            }
            for (Planned<?> task : due) {
                task.run();
            }
        }

        synchronized int planned() {
            return planned.size();
        }

        @Override
        public synchronized <V> ScheduledFuture<V> schedule(Callable<V> work, long delay, TimeUnit unit) {
            refuseWhenShutDown();
            Planned<V> task = new Planned<>(work);
            planned.add(task);
            return task;
        }

        @Override
        public void execute(Runnable work) {
            refuseWhenShutDown();
            work.run();
        }

        private final class Planned<V> implements ScheduledFuture<V> {
            private final Callable<V> work;
            private volatile boolean cancelled;

            Planned(Callable<V> work) {
                this.work = work;
            }

            void run() {
                if (!cancelled) {
                    try {
                        work.call();
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                }
            }

            @Override
            public boolean cancel(boolean mayInterrupt) {
                synchronized (Timers.this) {
                    planned.remove(this);
                }
                cancelled = true;
                return true;
            }

            @Override
            public boolean isCancelled() {
                return cancelled;
            }

            @Override
            public boolean isDone() {
                return false;
            }

            @Override
            public @Nullable V get() {
                throw new UnsupportedOperationException();
            }

            @Override
            public @Nullable V get(long timeout, TimeUnit unit) {
                throw new UnsupportedOperationException();
            }

            @Override
            public long getDelay(TimeUnit unit) {
                return 0;
            }

            @Override
            public int compareTo(Delayed other) {
                throw new UnsupportedOperationException();
            }
        }
    }
}
