package io.holdfast;

import io.holdfast.Witness.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One schedule: a process takes, works, and lets go, or not, while everything goes wrong that can; then all is well again,
 * but for one row; and in the end, or before that, it closes.
 */
final class HeartSchedule {
    private static final long SECOND = 1_000_000_000;

    /** As a withdrawal asks, before it knows. */
    private static final Fence UNFENCED = new Fence(1);

    /** Two calls, whatever the time: what comes between them is simulated. */
    private static final Budget TWICE = Budget.of(Duration.ofNanos(1));

    private final SimulatedMachine machine;
    private final Random random;
    private final Duration interval;
    private final Duration limit;
    private final Witness witness;
    private final SimulatedStore store;
    private final Heartbeats heartbeats;
    private final Heart<SimulatedStore.Key> heart;
    private final @Nullable String neverWell;
    private boolean recovered;

    /** Something that is wrong on purpose, so that a promise can be seen to break. */
    enum Mistake {
        CLOCKS_RUN_AT_HALF_SPEED(Promise.HELD_IS_GRANTED),
        STORE_GRANTS_MORE_THAN_IT_KEEPS(Promise.HELD_IS_GRANTED),
        CALLBACKS_RUN_TWICE(Promise.LOST_IS_TOLD_ONCE),
        CALLBACKS_ARE_FORGOTTEN(Promise.ENDS_ARE_DELIVERED),
        TIMERS_GO_OFF_TOO_EARLY(Promise.THE_STORE_IS_SPARED),
        TIMERS_ARE_FORGOTTEN(Promise.NONE_IS_STARVED),
        NOBODY_TELLS_WHO_IS_UNSURE(Promise.UNSURE_COMES_AND_GOES),
        NOBODY_STOPS(Promise.NO_RENEWAL_AFTER_THE_END),
        THE_CLOSE_HAS_NO_PATIENCE(Promise.CLOSE_WAITS);

        final Promise breaks;

        Mistake(Promise breaks) {
            this.breaks = breaks;
        }
    }

    private final @Nullable Mistake mistake;

    HeartSchedule(Strands strands, long seed, @Nullable Mistake mistake) {
        this.mistake = mistake;
        machine = new SimulatedMachine(strands, seed);
        random = machine.random;
        interval = Duration.ofSeconds(List.of(1, 2, 5, 30).get(random.nextInt(4)));
        limit = interval.multipliedBy(4 + random.nextInt(4));
        Duration drain = Duration.ofNanos(
                upTo(List.of(SECOND, 2 * limit.toNanos(), 20 * limit.toNanos()).get(random.nextInt(3))));
        machine.pace = has(Mistake.CLOCKS_RUN_AT_HALF_SPEED) ? 500 : 910 + random.nextInt(91);
        if (has(Mistake.CALLBACKS_RUN_TWICE)) {
            machine.callbackRuns = () -> 2;
        } else if (has(Mistake.CALLBACKS_ARE_FORGOTTEN)) {
            machine.callbackRuns = () -> oneIn(2) ? 1 : 0;
        } else if (has(Mistake.NOBODY_TELLS_WHO_IS_UNSURE)) {
            machine.callbackRuns = () -> 0;
        } else if (has(Mistake.TIMERS_ARE_FORGOTTEN)) {
            machine.timers = nanos -> oneIn(8) ? -1 : nanos;
        } else if (has(Mistake.TIMERS_GO_OFF_TOO_EARLY)) {
            machine.timers = nanos -> nanos / 8;
        }
        witness = new Witness(machine, interval, drain);
        machine.reasonToWake = witness::isIdle;
        store = new SimulatedStore(machine, witness, limit, SECOND / 2 + upTo(5 * SECOND));
        Duration patience = has(Mistake.THE_CLOSE_HAS_NO_PATIENCE) ? Duration.ZERO : drain;
        heartbeats = new Heartbeats(interval, patience, machine.clocks(), machine.beats(), machine.callbacks());
        heart = heartbeats.of(store, SilenceLimit.of(limit));
        store.exaggerates = has(Mistake.STORE_GRANTS_MORE_THAN_IT_KEEPS);
        neverWell = random.nextInt(4) == 0 ? store.anyName() : null;
    }

    /** Has it tell what happens. */
    HeartSchedule told() {
        machine.tellsStory = true;
        return this;
    }

    /** What happened, if it was told. */
    String story() {
        return String.join("\n", machine.story);
    }

    private boolean has(Mistake one) {
        return mistake == one;
    }

    private long upTo(long most) {
        return machine.upTo(most);
    }

    private boolean oneIn(int n) {
        return machine.oneIn(n);
    }

    /** Runs it, and returns what went wrong. */
    Optional<Throwable> run() {
        long limitNanos = limit.toNanos();
        long well = 3 * limitNanos;
        boolean freezes = random.nextBoolean();
        machine.temper = new SimulatedMachine.Temper(
                oneIn(2) ? 100 + random.nextInt(1000) : 0,
                upTo(limitNanos * 3 / 2),
                freezes,
                oneIn(3) ? upTo(2 * SECOND) : 0,
                oneIn(4) ? 2 + random.nextInt(10) : 0);
        store.temper = new SimulatedStore.Temper(
                oneIn(5) ? 0 : 3 + random.nextInt(20), upTo(SECOND / (1 + random.nextInt(10))));
        for (int i = random.nextInt(6); i >= 0; i--) {
            machine.within(upTo(well * 2 / 3), this::job);
        }
        for (int i = random.nextInt(8); i > 0; i--) {
            machine.elsewhere(upTo(well), this::mischief);
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            machine.within(upTo(well), () -> misfortune(!freezes));
        }
        boolean early = oneIn(3);
        machine.within(well, () -> recover(!early));
        if (early) {
            machine.within(upTo(well), this::close);
        }
        machine.run(witness::check);
        if (machine.failure().isEmpty()) {
            witness.checkEnd();
        }
        return machine.failure();
    }

    private void close() {
        witness.closing(heartbeats::close);
    }

    /** Somebody who comes to the process with work. */
    private void job() {
        String name = store.anyName();
        AttemptId attempt = store.attempt();
        Witness.Watched hold;
        try {
            hold = witness.taking(
                    new SimulatedStore.Key(name, attempt, UNFENCED),
                    () -> heart.taking(
                            TWICE,
                            take(name, attempt),
                            (answer, sent) ->
                                    answer.map(taken -> kept(taken, sent)).orElse(null)));
        } catch (StoreUnavailable | IllegalStateException | StackOverflowError e) {
            return; // away, closed, or a bug of the store's: none of the work was begun
        }
        if (hold == null) {
            return;
        }
        for (int steps = random.nextInt(6); steps > 0; steps--) {
            machine.pass(upTo(limit.toNanos() / 2));
            if (oneIn(2)) {
                hold.look(store);
            }
            if (oneIn(4)) {
                hold.watchLoss();
            }
        }
        switch (random.nextInt(6)) {
            case 0 -> handOver(hold);
            case 1 -> goOnUntilTheClose(hold);
            default -> letGo(hold);
        }
        machine.pass(upTo(limit.toNanos()));
        hold.look(store);
    }

    private Heart.Take<Optional<SimulatedStore.Taken>, SimulatedStore.Key> take(String name, AttemptId attempt) {
        return new Heart.Take<>(
                fence -> new SimulatedStore.Key(name, attempt, fence),
                () -> {
                    Witness.Withdrawal withdrawal = witness.withdrawal(attempt);
                    return withdrawal == null
                            ? store.take(name, attempt)
                            : withdrawal.ask(() -> store.take(name, attempt));
                },
                answer -> answer.map(SimulatedStore.Taken::key),
                hold -> Objects.requireNonNull(witness.withdrawal(attempt)).giveBack(() -> store.end(hold)));
    }

    private Witness.Watched kept(SimulatedStore.Taken taken, Moment sent) {
        return witness.kept(taken, heart.keep(taken.key(), taken.remaining(), sent));
    }

    private void handOver(Witness.Watched hold) {
        if (!has(Mistake.NOBODY_STOPS)) {
            heart.stop(hold.key);
        }
        witness.stopped(hold);
    }

    private void goOnUntilTheClose(Witness.Watched hold) {
        while (!witness.isClosing()) {
            machine.pass(limit.toNanos());
        }
        if (oneIn(2)) {
            letGo(hold);
        }
    }

    private void letGo(Witness.Watched hold) {
        Witness.End end = witness.ending(hold, store);
        CompletableFuture<?> told = heart.letGo(hold.key, witness.call(end)).toCompletableFuture();
        witness.told(end, told);
    }

    /** What others do to the store. */
    private void mischief() {
        switch (random.nextInt(5)) {
            case 0 -> store.evicted(store.anyName());
            case 1 -> store.locked(store.anyName(), upTo(limit.toNanos()));
            case 2 -> store.away(upTo(2 * limit.toNanos()));
            default -> store.takenByAnother(store.anyName());
        }
    }

    /** What happens to the process. */
    private void misfortune(boolean alsoBack) {
        if (recovered) {
            return; // it was about to happen before
        }
        if (random.nextBoolean()) {
            machine.stand(upTo(limit.toNanos() * 3 / 2));
        } else {
            witness.wallClockWasSet = true;
            machine.setWallClock(upTo(limit.toNanos()) - (alsoBack ? limit.toNanos() / 2 : 0));
        }
    }

    private void recover(boolean thenClose) {
        recovered = true;
        machine.temper = SimulatedMachine.Temper.CALM;
        store.calm(neverWell);
        if (thenClose) {
            machine.within(6 * store.timeout + 2 * limit.toNanos(), () -> {
                witness.checkSettled(store);
                close();
            });
        }
    }
}
