package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Budget;
import io.holdfast.StoreUnavailable;
import io.holdfast.contract.Evidence.Method;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimStore.FinishOutcome;
import io.holdfast.publish.Refusal.InProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Strangers lock what a publish locks, in another order, and so does everybody at once: the server ends some transaction to
 * let the others go on. Of the ports only this one locks two rows that a stranger can get at: an app's, and that of its
 * deployment.
 */
public interface StormContract {
    Engine engine();

    /**
     * A stranger's transaction locks the row of an app and that of the deployment that is building there, and changes neither.
     *
     * @param appFirst in which order
     * @return whether it got both; false if the server has ended it to resolve a deadlock
     */
    boolean lockBoth(AppId app, boolean appFirst);

    /** How many transactions the server has ended because of a deadlock since it was started; those of strangers included. */
    long deadlocks();

    int STRANGERS = 16;
    int APPS = 4;

    /** Of each app. */
    int RIVALS = 4;

    /** Far more than the budget of a call, and far less than for ever. */
    Duration BOUND = Duration.ofSeconds(20);

    /** A deadlock is no reason to give up; a lock that is waited for is, after half of the budget. */
    Duration LEAST = Budget.DEFAULT.value().dividedBy(3);

    /** Rounds go on until so many calls of ours were the victims, or until there were too many rounds. */
    int VICTIMS = 3;

    int MOST_ROUNDS = 20;

    @Test
    default void g1_inAStormOfDeadlocksOneTakesEachAppAndTheOthersAreToldWho() {
        Tries tries = new Tries();
        AtomicInteger away = new AtomicInteger();
        AtomicLong strangers = new AtomicLong();
        long before = deadlocks();
        AtomicLong ours = new AtomicLong();
        AtomicInteger rounds = new AtomicInteger();
        Seeds seeds = Seeds.each("deadlocks", 1, seed -> {
            for (int i = 0; i < MOST_ROUNDS && ours.get() < VICTIMS; i++) {
                takeOverAndEnd(new Random(seed + i), tries, strangers, away);
                ours.set(deadlocks() - before - strangers.get());
                rounds.incrementAndGet();
            }
        });
        tries.attempt(
                "victims",
                () -> assertThat(ours.get()).as("calls of ours that were one").isGreaterThanOrEqualTo(VICTIMS));
        tries.tell(
                Method.FAULTS,
                engine().name(),
                "G1 G5 G8 G9 C6 C8 E3",
                "a storm of deadlocks: " + STRANGERS
                        + " strangers lock app and deployment in either order, while rivals"
                        + " take over and winners finish",
                "%s rounds; victims: %s calls of ours, %s transactions of strangers; %s calls gave up and asked again; %s"
                        .formatted(rounds, ours, strangers, away, seeds));
    }

    private void takeOverAndEnd(Random random, Tries tries, AtomicLong victims, AtomicInteger away) {
        List<Trial> apps =
                Stream.generate(() -> Trial.on(engine().subject())).limit(APPS).toList();
        apps.forEach(app -> app.takenBy("silent"));
        engine().subject().letPass(Trial.LIMIT);

        Map<AppId, Queue<Claim>> winners = new ConcurrentHashMap<>();
        Map<AppId, Queue<InProgress>> losers = new ConcurrentHashMap<>();
        storm(apps, RIVALS, random, tries, victims, app -> {
            Wish wish = app.wish("rival");
            ClaimOutcome outcome = bounded(() -> app.ask(wish), away);
            if (outcome instanceof Claimed claimed) {
                winners.computeIfAbsent(app.app(), any -> new ConcurrentLinkedQueue<>())
                        .add(claimed.claim());
            } else {
                losers.computeIfAbsent(app.app(), any -> new ConcurrentLinkedQueue<>())
                        .add(Trial.only(InProgress.class, outcome));
            }
            return true;
        });
        for (Trial app : apps) {
            tries.attempt("told", () -> {
                assertThat(winners.get(app.app())).as("winners").hasSize(1);
                assertThat(losers.get(app.app()))
                        .as("losers")
                        .hasSize(RIVALS - 1)
                        .allSatisfy(
                                told -> Trial.assertIs(winners.get(app.app()).element(), told.running()));
            });
        }
        storm(apps, 1, random, tries, victims, app -> {
            Claim winner = winners.get(app.app()).element();
            assertThat(bounded(() -> app.finish(winner, Trial.FAILED), away))
                    .isEqualTo(new FinishOutcome.Ended(Trial.FAILED));
            return true;
        });
        apps.forEach(app -> tries.attempt("ended", () -> app.takenBy("next")));
    }

    /** Strangers go on until all calls are answered. */
    private void storm(
            List<Trial> apps,
            int callers,
            Random random,
            Tries tries,
            AtomicLong victims,
            Function<Trial, Boolean> call) {
        List<Callable<Boolean>> all = new ArrayList<>();
        AtomicInteger left = new AtomicInteger(apps.size() * callers);
        for (int i = 0; i < apps.size() * callers; i++) {
            Trial app = apps.get(i % apps.size());
            all.add(() -> {
                tries.attempt("call", () -> call.apply(app));
                left.decrementAndGet();
                return true;
            });
        }
        for (int i = 0; i < STRANGERS; i++) {
            Random own = new Random(random.nextLong());
            all.add(() -> {
                while (left.get() > 0) {
                    if (!lockBoth(apps.get(own.nextInt(apps.size())).app(), own.nextBoolean())) {
                        victims.incrementAndGet();
                    }
                }
                return true;
            });
        }
        Contenders.race(all);
    }

    /** What it is told in the end, by calls none of which gives up early, or takes longer than it may. */
    private static <T> T bounded(Callable<T> call, AtomicInteger away) {
        return Stubborn.ask(
                () -> {
                    long begun = System.nanoTime();
                    try {
                        return call.call();
                    } catch (StoreUnavailable e) {
                        away.incrementAndGet();
                        assertThat(since(begun)).as("time until it gave up").isGreaterThan(LEAST);
                        throw e;
                    } finally {
                        assertThat(since(begun)).isLessThan(BOUND);
                    }
                },
                () -> {
                    throw new AssertionError("what the server has undone was told as UNKNOWN");
                });
    }

    private static Duration since(long nanoTime) {
        return Duration.ofNanos(System.nanoTime() - nanoTime);
    }
}
