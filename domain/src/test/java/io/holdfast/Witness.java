package io.holdfast;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sees all that a heart asks of its store and tells its holders, and fails the run when a promise is broken. */
final class Witness {
    /** What a heart promises. */
    enum Promise {
        /** HELD never goes beyond what the store granted, counted from when it was asked (G3, K8). */
        HELD_IS_GRANTED,
        /** UNSURE comes when that time is over, once, and not before; with the next word it is HELD again (K8). */
        UNSURE_COMES_AND_GOES,
        /** A loss is told once to everybody, if and only if the store said so. */
        LOST_IS_TOLD_ONCE,
        /** What has ended, was lost, or was let go is renewed no more, nor is anything after the close (K9). */
        NO_RENEWAL_AFTER_THE_END,
        /** Each hold is asked for within its interval, or soon after a beat without a word, whatever became of it (K11). */
        NONE_IS_STARVED,
        /** It is not asked again at once, whatever it said (K11). */
        THE_STORE_IS_SPARED,
        /** An end is asked for until it is answered, soon after each time that it was not, and its caller told (K10). */
        ENDS_ARE_DELIVERED,
        /** A take that nobody knows of is withdrawn as surely as ends are delivered, and no work is begun under it (0007). */
        UNKNOWN_TAKES_ARE_WITHDRAWN,
        /** A close waits for takes, holds and ends, and for nothing else, and no longer than it was told to (K9). */
        CLOSE_WAITS
    }

    /** A promise that was broken. */
    static final class Broken extends AssertionError {
        private static final long serialVersionUID = 1L;

        final Promise promise;

        private Broken(Promise promise, String how) {
            super(promise + " is broken: " + how);
            this.promise = promise;
        }
    }

    private final SimulatedMachine machine;
    private final long interval;
    private final long pause;
    private final long retry;
    private final long drain;
    private final Map<SimulatedStore.Key, Watched> all = new LinkedHashMap<>();
    private final List<End> ends = new ArrayList<>();
    private final Map<AttemptId, Withdrawal> withdrawals = new LinkedHashMap<>();

    /** Stops while the store is asked to renew. */
    private final SimulatedMachine.Stopwatch betweenBeats;
    /** Stops while it is asked for anything but a take, and while callbacks wait for a thread. */
    private final SimulatedMachine.Stopwatch betweenEnds;

    private final SimulatedMachine.Stopwatch running;

    private int asked;
    private int failures;
    private long lastBeat;
    private long beatBeforeLast;
    private int takes;
    private long closeBegan = -1;
    private long idleSince = -1;
    private boolean closed;
    private boolean settled;
    boolean wallClockWasSet;

    Witness(SimulatedMachine machine, Duration interval, Duration drain) {
        this.machine = machine;
        this.interval = machine.timer(interval.toNanos());
        this.pause = Math.min(interval.toNanos(), 2_000_000_000);
        this.retry = machine.timer(pause);
        this.drain = drain.toNanos();
        this.betweenBeats = machine.stopwatch();
        this.betweenEnds = machine.stopwatchOfCallbacks();
        this.running = machine.stopwatch();
    }

    void require(boolean kept, Promise promise, SimulatedStore.@Nullable Key about, String how) {
        if (!kept) {
            machine.tell(() -> promise + " " + about + ": " + how);
            machine.fail(new Broken(promise, how + (about == null ? "" : ", " + about)));
        }
    }

    /** A hold that a heart keeps. */
    final class Watched {
        final SimulatedStore.Key key;
        final Pulse pulse;
        private final List<int[]> toldLost = new ArrayList<>();
        private int toldUnsure;
        private int grants;
        private boolean ending;
        private boolean over;
        private boolean lost;

        private long heldUntil;
        private long sureUntil;
        private long askedAt;
        private long askedThen;
        private long askAgainIn;
        private long unsureAt = Long.MAX_VALUE;
        private int toldUnsureBefore;

        private Watched(SimulatedStore.Key key, Pulse pulse) {
            this.key = key;
            this.pulse = pulse;
        }

        private boolean beats() {
            return !over && !lost && !closed;
        }

        private void granted(Duration remaining, long entered) {
            grants++;
            long nanos = remaining.toNanos();
            long sure = nanos / 10 * 9;
            heldUntil = Math.max(heldUntil, entered + nanos);
            // Whether it stood still between its look at the clock and the call, only the heart knows.
            boolean exact = machine.stoodUntil() < entered && !wallClockWasSet;
            sureUntil = exact ? entered + sure - 2_000_000 : 0;
            long since = machine.now() - entered;
            unsureAt = exact && since < nanos / 10 * 8
                    ? running.nanos() + machine.timer(sure) - since + machine.temper.slowness()
                    : Long.MAX_VALUE;
            toldUnsureBefore = toldUnsure;
            askAgain(interval);
        }

        private void askAgain(long in) {
            askedAt = betweenBeats.nanos();
            askedThen = machine.now();
            askAgainIn = in;
        }

        void watchLoss() {
            if (!closed) {
                int[] told = {0};
                toldLost.add(told);
                pulse.onLost(() -> {
                    require(++told[0] == 1, Promise.LOST_IS_TOLD_ONCE, key, "told again");
                    require(lost, Promise.LOST_IS_TOLD_ONCE, key, "told though it was not lost");
                });
            }
        }

        private void watchUnsure() {
            pulse.onUnsure(() -> require(
                    ++toldUnsure <= grants, Promise.UNSURE_COMES_AND_GOES, key, "told more often than granted"));
        }

        /** Asks the pulse. */
        Pulse.View look(SimulatedStore store) {
            long before = machine.now();
            boolean anothers = store.isAnothers(key);
            Pulse.View view = pulse.view();
            // Who ends a hold may hear of it late, and another has it by then.
            require(
                    view != Pulse.View.HELD || (before < heldUntil && (!anothers || ending)),
                    Promise.HELD_IS_GRANTED,
                    key,
                    "HELD, granted until " + heldUntil + ", somebody else has it: " + anothers);
            require(
                    view != Pulse.View.UNSURE || machine.now() >= sureUntil || wallClockWasSet,
                    Promise.UNSURE_COMES_AND_GOES,
                    key,
                    "UNSURE, though sure until " + sureUntil);
            require((view == Pulse.View.LOST) == lost, Promise.LOST_IS_TOLD_ONCE, key, view + ", lost is " + lost);
            long from = machine.now();
            long sure = pulse.sureFor().toNanos();
            require(
                    sure == 0 || from + sure / machine.pace * 1000 <= heldUntil,
                    Promise.HELD_IS_GRANTED,
                    key,
                    "sure for " + sure + ", granted until " + heldUntil);
            return view;
        }

        private void check() {
            if (!beats()) {
                return;
            }
            require(
                    betweenBeats.isHeld() || betweenBeats.nanos() - askedAt <= askAgainIn + late(askedThen),
                    Promise.NONE_IS_STARVED,
                    key,
                    "not asked for in " + askAgainIn);
            if (running.nanos() > unsureAt) {
                unsureAt = Long.MAX_VALUE;
                require(
                        toldUnsure > toldUnsureBefore || machine.refused() > 0 || machine.stoodAtLookSince(askedThen),
                        Promise.UNSURE_COMES_AND_GOES,
                        key,
                        "not told");
            }
        }
    }

    /** What the store has to be told, however often that takes. */
    private abstract class Errand {
        final SimulatedStore.Key about;
        private final Promise promise;
        boolean done;
        boolean failedOnce;
        private boolean underWay;
        private long calledAt;
        private long calledThen;
        private int refused;

        Errand(SimulatedStore.Key about, Promise promise) {
            this.about = about;
            this.promise = promise;
        }

        /** One call to the store. What is thrown besides {@link StoreUnavailable} is an answer, too. */
        final <A> A calling(Supplier<A> call) {
            require(!done && !underWay, promise, about, "asked for again");
            underWay = true;
            try {
                return betweenEnds.holding(call);
            } catch (StoreUnavailable e) {
                failed();
                throw e;
            } catch (Throwable e) {
                done(e);
                throw e;
            } finally {
                underWay = false;
            }
        }

        void failed() {
            failedOnce = true;
            failures++;
            calledAt = betweenEnds.nanos();
            refused = machine.refused();
            // The timer that is set by now was set after the beat before the last; however many beats there are
            // until it is heard, it may be late.
            calledThen = Math.min(machine.now(), beatBeforeLast);
        }

        void done(Object answer) {
            done = true;
        }

        boolean isNoConcernOfAClose() {
            return done;
        }

        private void check() {
            require(
                    done
                            || !failedOnce
                            || underWay
                            || closed
                            || betweenEnds.isHeld()
                            || betweenEnds.nanos() - calledAt
                                    <= retry * (1 + machine.refused() - refused) + late(calledThen),
                    promise,
                    about,
                    "not asked for in " + retry);
        }
    }

    /** A take whose outcome is unknown. */
    final class Withdrawal extends Errand {
        private final AttemptId attempt;

        /** A bug of the store's was in the way. */
        private boolean inVain;

        private Withdrawal(SimulatedStore.Key about) {
            super(about, Promise.UNKNOWN_TAKES_ARE_WITHDRAWN);
            this.attempt = about.attempt();
            failed();
        }

        private Map<SimulatedStore.Key, Renewal> probe(Supplier<Map<SimulatedStore.Key, Renewal>> renew) {
            Map<SimulatedStore.Key, Renewal> said = calling(renew);
            Renewal word = said.get(about);
            if (word == null) {
                failed();
            } else if (word.<Boolean>fold(
                    held -> false,
                    lost -> lost.to()
                            .filter(by -> !by.attempt().equals(attempt))
                            .isPresent())) {
                done(word);
            }
            return said;
        }

        Optional<SimulatedStore.Taken> ask(Supplier<Optional<SimulatedStore.Taken>> take) {
            require(!closed, Promise.UNKNOWN_TAKES_ARE_WITHDRAWN, about, "taken after the close");
            Optional<SimulatedStore.Taken> said = calling(take);
            if (said.isEmpty()) {
                done(said);
            }
            return said;
        }

        @Override
        void done(Object answer) {
            super.done(answer);
            inVain = answer instanceof Throwable;
        }

        void giveBack(Supplier<Boolean> end) {
            done(calling(end));
        }
    }

    /** An end that somebody asked for. */
    final class End extends Errand {
        private final Watched hold;
        private final SimulatedStore store;
        private @Nullable Object answer;
        private @Nullable CompletableFuture<?> told;

        private End(Watched hold, SimulatedStore store) {
            super(hold.key, Promise.ENDS_ARE_DELIVERED);
            this.hold = hold;
            this.store = store;
        }

        private Object call() {
            Object said = calling(() -> store.end(hold.key));
            done(said);
            return said;
        }

        /** Whoever is about to end what was lost already can change nothing by it. */
        @Override
        boolean isNoConcernOfAClose() {
            return done || (hold.lost && !failedOnce);
        }

        @Override
        void done(Object said) {
            done = true;
            answer = said;
            hold.over = true;
        }

        private void checkTold() {
            CompletableFuture<?> future = Objects.requireNonNull(told);
            require(future.isDone(), Promise.ENDS_ARE_DELIVERED, hold.key, "never told, the answer was " + answer);
            if (future.isDone()) {
                Object heard = future.handle((said, failure) -> failure == null ? said : failure)
                        .join();
                require(
                        done ? heard == answer : heard instanceof StoreUnavailable && closed,
                        Promise.ENDS_ARE_DELIVERED,
                        hold.key,
                        "told " + heard + ", the answer was " + answer);
            }
        }
    }

    /** How late a beat may be for the machine's sake. */
    private long late(long then) {
        return machine.stoodAtLookSince(Math.min(then, beatBeforeLast)) ? interval : 0;
    }

    // What the actors report.

    <T> T taking(SimulatedStore.Key unfenced, Supplier<T> take) {
        takes++;
        try {
            return take.get();
        } catch (StoreUnavailable e) {
            if (e.effect() == StoreUnavailable.Effect.UNKNOWN) {
                withdrawals.put(unfenced.attempt(), new Withdrawal(unfenced));
            }
            throw e;
        } finally {
            takes--;
        }
    }

    /** That of a take, if it is being withdrawn. */
    @Nullable
    Withdrawal withdrawal(AttemptId attempt) {
        return withdrawals.get(attempt);
    }

    Watched kept(SimulatedStore.Taken taken, Pulse pulse) {
        require(!closed, Promise.CLOSE_WAITS, taken.key(), "kept after the close");
        require(
                !withdrawals.containsKey(taken.key().attempt()),
                Promise.UNKNOWN_TAKES_ARE_WITHDRAWN,
                taken.key(),
                "work is begun under it");
        Watched hold = new Watched(taken.key(), pulse);
        all.put(hold.key, hold);
        hold.granted(taken.remaining(), taken.entered());
        hold.watchLoss();
        hold.watchUnsure();
        return hold;
    }

    Map<SimulatedStore.Key, Renewal> renewing(
            Collection<SimulatedStore.Key> holds, Supplier<Map<SimulatedStore.Key, Renewal>> renew) {
        SimulatedStore.Key any = holds.iterator().next();
        Withdrawal withdrawal = withdrawals.get(any.attempt());
        if (withdrawal != null) {
            return withdrawal.probe(renew);
        }
        require(!betweenBeats.isHeld(), Promise.NO_RENEWAL_AFTER_THE_END, any, "two beats at a time");
        require(new HashSet<>(holds).size() == holds.size(), Promise.NO_RENEWAL_AFTER_THE_END, any, "asked for twice");
        for (SimulatedStore.Key key : holds) {
            Watched hold = all.get(key);
            require(hold != null && hold.beats(), Promise.NO_RENEWAL_AFTER_THE_END, key, "renewed, though it is over");
        }
        asked++;
        require(
                asked <= all.size() * (10 + machine.now() / pause) + failures,
                Promise.THE_STORE_IS_SPARED,
                any,
                "asked " + asked + " times");
        long entered = machine.now();
        Map<SimulatedStore.Key, Renewal> said = Map.of();
        try {
            said = betweenBeats.holding(() -> betweenEnds.holding(renew));
            return said;
        } finally {
            beatBeforeLast = lastBeat;
            lastBeat = machine.now();
            for (SimulatedStore.Key key : holds) {
                Watched hold = Objects.requireNonNull(all.get(key));
                if (hold.beats()) {
                    heard(hold, said.get(key), entered);
                }
            }
        }
    }

    private void heard(Watched hold, @Nullable Renewal word, long entered) {
        if (word instanceof Renewal.Held held) {
            hold.granted(held.remaining(), entered);
        } else {
            hold.askAgain(retry);
            hold.lost = word != null && !hold.ending;
        }
    }

    void stopped(Watched hold) {
        hold.over = true;
    }

    End ending(Watched hold, SimulatedStore store) {
        End end = new End(hold, store);
        hold.ending = true;
        ends.add(end);
        return end;
    }

    Supplier<Object> call(End end) {
        return end::call;
    }

    void told(End end, CompletableFuture<?> told) {
        end.told = told;
    }

    void closing(Runnable close) {
        machine.tell(() -> "close");
        closeBegan = running.nanos();
        long began = machine.now();
        close.run();
        machine.tell(() -> "closed");
        require(
                isIdle() || machine.now() - began >= drain - SimulatedMachine.SLACK,
                Promise.CLOSE_WAITS,
                null,
                "closed, and something was left");
        closed = true;
    }

    boolean isClosing() {
        return closeBegan >= 0;
    }

    /** Whether there is nothing that a close would have to wait for. */
    boolean isIdle() {
        return takes == 0
                && all.values().stream().noneMatch(Watched::beats)
                && ends.stream().allMatch(Errand::isNoConcernOfAClose)
                && withdrawals.values().stream().allMatch(Errand::isNoConcernOfAClose);
    }

    /** After each step. */
    void check() {
        all.values().forEach(Watched::check);
        ends.forEach(Errand::check);
        withdrawals.values().forEach(Errand::check);
        if (closeBegan >= 0 && !closed) {
            require(running.nanos() - closeBegan <= machine.timer(drain), Promise.CLOSE_WAITS, null, "too long");
            idleSince = !isIdle() ? -1 : idleSince < 0 ? betweenEnds.nanos() : idleSince;
            require(
                    idleSince < 0 || betweenEnds.nanos() - idleSince <= SimulatedMachine.SLACK,
                    Promise.CLOSE_WAITS,
                    null,
                    "for nothing");
        }
    }

    /** When all has been well for some time. */
    void checkSettled(SimulatedStore store) {
        settled = true;
        checkWithdrawn(store);
        for (Watched hold : all.values()) {
            if (hold.beats() && !store.isLocked(hold.key.name())) {
                require(store.isHeldBy(hold.key), Promise.LOST_IS_TOLD_ONCE, hold.key, "never told");
                require(
                        hold.look(store) == Pulse.View.HELD,
                        Promise.UNSURE_COMES_AND_GOES,
                        hold.key,
                        "UNSURE for ever");
            }
        }
    }

    private void checkWithdrawn(SimulatedStore store) {
        for (Withdrawal each : withdrawals.values()) {
            String name = each.about.name();
            require(
                    each.inVain || store.isLocked(name) || (each.done && !store.isLeftTo(name, each.attempt)),
                    Promise.UNKNOWN_TAKES_ARE_WITHDRAWN,
                    each.about,
                    "never withdrawn");
        }
    }

    /** When nothing is left to happen. */
    void checkEnd() {
        for (Watched hold : all.values()) {
            for (int[] told : hold.toldLost) {
                require(
                        told[0] == (hold.lost ? 1 : 0) || (machine.refused() > 0 && !settled),
                        Promise.LOST_IS_TOLD_ONCE,
                        hold.key,
                        "told " + told[0] + " times, lost is " + hold.lost);
            }
        }
        ends.forEach(End::checkTold);
    }
}
