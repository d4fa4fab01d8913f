package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.holdfast.Budget;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.contract.Evidence.Method;
import io.holdfast.contract.Operation.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The server is killed in the middle of everything, and started again. */
interface KillContract {
    Engine engine();

    Breakable server();

    /** How many work when the server is killed. */
    int WORKERS = 12;

    /** How often it is killed in one race. */
    int KILLS = 2;

    /** How long anything may take once the server is there again: more than a call's budget. */
    Duration SOON = Duration.ofSeconds(20);

    /**
     * Of every operation of every port some are under way. What was answered is there afterwards; of what was not, the same
     * call again says what became of it, and no call that said NOT_APPLIED was applied.
     */
    @Test
    @Tag("soak")
    default void e3_whatAKilledServerHasAnsweredStandsAndWhatItHasNotIsToldWhenAskedAgain() {
        Tries tries = new Tries();
        AtomicInteger unknown = new AtomicInteger();
        Seeds seeds = Seeds.each("operations on a server that is killed", 2, seed -> {
            List<Made> made = workUntilKilled(seed, tries);
            server().start();
            recover(tries);
            for (Made each : made) {
                tries.attempt(each.toString(), () -> each.judge(engine().within(Budget.DEFAULT)));
                unknown.addAndGet(each.effect == Effect.UNKNOWN ? 1 : 0);
            }
        });
        tries.tell(
                Method.FAULTS,
                engine().name(),
                "E3 G5 G9 G12",
                "database killed and started again in the middle of operations, then the same calls again",
                "%d kills, %d calls of unknown outcome; %s".formatted(seeds.rounds(), unknown.get(), seeds));
    }

    private List<Made> workUntilKilled(long seed, Tries tries) {
        Queue<Made> made = new ConcurrentLinkedQueue<>();
        AtomicBoolean dying = new AtomicBoolean();
        int enough = 100 + new Random(seed).nextInt(200);
        List<Callable<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            Random random = new Random(seed + i);
            all.add(() -> {
                tries.attempt("work", () -> work(random, made, dying));
                return true;
            });
        }
        all.add(() -> {
            awaitUntil(() -> made.size() >= enough);
            dying.set(true);
            server().kill();
            return true;
        });
        Contenders.race(all);
        return List.copyOf(made);
    }

    /** Until a call fails; or what prepares one, which then fails in any way. */
    private void work(Random random, Queue<Made> made, AtomicBoolean dying) {
        List<Operation> operations = Operation.all().toList();
        Ports there = engine().within(Budget.DEFAULT);
        while (true) {
            Operation operation = operations.get(random.nextInt(operations.size()));
            Call call;
            try {
                call = operation.begin().apply(engine().subject());
            } catch (RuntimeException | AssertionError e) {
                if (dying.get()) {
                    return;
                }
                throw e;
            }
            try {
                call.make(there);
                made.add(new Made(operation, call, null));
            } catch (StoreUnavailable e) {
                made.add(new Made(operation, call, e.effect()));
                return;
            }
        }
    }

    /** @param effect what it said when it failed; null if it was answered */
    record Made(Operation operation, Call call, @Nullable Effect effect) {
        void judge(Ports there) {
            if (effect != Effect.UNKNOWN) {
                assertThat(call.isApplied())
                        .as("applied")
                        .isEqualTo(effect == null && operation.kind().changes());
            }
            call.make(there);
            assertThat(call.isApplied())
                    .as("applied in the end")
                    .isEqualTo(operation.kind().changes());
        }

        @Override
        public String toString() {
            return operation + (effect == null ? ", answered" : ", " + effect);
        }
    }

    /** Of as many calls at once as there are connections to be replaced, all succeed soon. */
    private void recover(Tries tries) {
        tries.attempt(
                "the pool recovers",
                () -> assertTimeoutPreemptively(
                        SOON,
                        () -> Contenders.race(
                                WORKERS,
                                n -> Stubborn.ask(
                                        () -> LeaseTrial.on(engine().subject()).hadBy("after")))));
    }

    /**
     * Owners take one app, one lease and one save token over and over. All that they were granted is theirs after the
     * restarts, no two have one at once, no fence goes back, and nothing has its effect twice.
     */
    @Test
    @Tag("soak")
    default void g2_noHoldIsLostOrDoubledWhileTheServerIsKilledAgainAndAgain() {
        Tries tries = new Tries();
        AtomicInteger takes = new AtomicInteger();
        Seeds seeds = Seeds.each(
                "races on a server that is killed",
                1,
                seed -> takes.addAndGet(
                        Siege.lay(engine().subject(), new Random(seed), KILLS, this::killAndStart, tries)));
        tries.tell(
                Method.FAULTS,
                engine().name(),
                "G1 G2 G4 G5 G7 E3",
                "database killed and started again in the middle of races for an app, a lease and a save token",
                "%d kills, %d takes; %s".formatted(KILLS * seeds.rounds(), takes.get(), seeds));
    }

    private void killAndStart() {
        server().kill();
        server().start();
    }

    private static void awaitUntil(BooleanSupplier condition) {
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            while (!condition.getAsBoolean()) {
                LockSupport.parkNanos(1_000_000);
            }
        });
    }
}
