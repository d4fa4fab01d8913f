package io.holdfast.app.race;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Conducts the rounds of all cells. Several cells run at once, each in a lane of its own: most of a round's time is spent
 * waiting for contenders that come later.
 */
final class Race {
    /** So many keys are prepared together; what is slow is as slow for fifty as for one. */
    private static final int BATCH = 50;

    private static final int LANES = 4;

    private static final int WARM_UP_ROUNDS = 5;

    /** So that the progress is seen to move. */
    private static final int AGEING_STEPS = 20;

    /** What a round takes besides its spread, roughly; only for the estimate. */
    private static final Duration ROUND = Duration.ofMillis(40);

    private static final Duration START = Duration.ofSeconds(3);

    private final Arena arena;
    private final List<Cell> cells;
    private final int rounds;
    private final Progress progress;

    Race(Arena arena, List<Cell> cells, int rounds, Progress progress) {
        this.arena = arena;
        this.cells = cells;
        this.rounds = rounds;
        this.progress = progress;
    }

    /** Roughly, for a person who wonders whether to wait. */
    static Duration estimate(List<Cell> cells, int rounds, int contenders) {
        int lanes = Math.min(lanes(contenders), cells.size());
        return START.plus(work(cells, rounds, contenders).dividedBy(lanes));
    }

    /** What all rounds are expected to take, one after the other. */
    static Duration work(List<Cell> cells, int rounds, int contenders) {
        return cells.stream().map(cell -> work(cell, rounds, contenders)).reduce(Duration.ZERO, Duration::plus);
    }

    private static Duration work(Cell cell, int rounds, int contenders) {
        int batches = (rounds + BATCH - 1) / BATCH;
        return round(cell, contenders).multipliedBy(rounds).plus(ageing(cell).multipliedBy(batches));
    }

    private static Duration round(Cell cell, int contenders) {
        return ROUND.plus(Duration.ofMillis((long) cell.spreadMillis() * (contenders - 1)));
    }

    /** Until what is running is older than the silence limit. */
    private static Duration ageing(Cell cell) {
        return cell.scenario().isSlow() ? Ways.SHORT_LIMIT.multipliedBy(5).dividedBy(4) : Duration.ZERO;
    }

    /** Each lane asks every contender for a connection: fewer lanes when there are many. */
    private static int lanes(int contenders) {
        return Math.max(1, Math.min(LANES, 24 / contenders));
    }

    /**
     * Runs everything.
     *
     * @return in the order of the cells
     * @throws InterruptedException if the thread was interrupted; nothing runs any more then
     */
    List<Tally> run() throws InterruptedException {
        warmUp();
        ExecutorService lanes =
                Executors.newFixedThreadPool(lanes(arena.contenders().size()), Threads.daemons("lane"));
        try {
            CompletionService<Tally> done = new ExecutorCompletionService<>(lanes);
            // The longest first, so that no lane is left alone with one in the end.
            cells.stream()
                    .sorted(Comparator.comparing((Cell cell) ->
                                    work(cell, rounds, arena.contenders().size()))
                            .reversed())
                    .forEach(cell -> done.submit(() -> run(cell, "", rounds)));
            Map<Cell, Tally> tallies = new HashMap<>();
            while (tallies.size() < cells.size()) {
                Tally tally = get(done.take());
                tallies.put(tally.cell(), tally);
            }
            return cells.stream()
                    .map(cell -> Objects.requireNonNull(tallies.get(cell)))
                    .toList();
        } finally {
            lanes.shutdownNow();
            boolean interrupted = Thread.interrupted();
            try {
                lanes.awaitTermination(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Classes are loaded, connections made and code compiled before anything counts. */
    private void warmUp() throws InterruptedException {
        Set<Cell> ways = new LinkedHashSet<>();
        cells.forEach(cell -> ways.add(new Cell(cell.strategy(), first(cell.scenario().port), 0)));
        for (Cell cell : ways) {
            run(cell, "warm-up-", WARM_UP_ROUNDS);
        }
        progress.begin();
    }

    private static Scenario first(Port port) {
        return Arrays.stream(Scenario.values())
                .filter(scenario -> scenario.port == port)
                .findFirst()
                .orElseThrow();
    }

    private Tally run(Cell cell, String prefix, int count) throws InterruptedException {
        Tally tally = new Tally(cell);
        List<String> keys = new ArrayList<>();
        for (int first = 0; first < count; first += BATCH) {
            List<Round> batch = new ArrayList<>();
            for (int i = first; i < Math.min(count, first + BATCH); i++) {
                batch.add(new Round(arena, cell, prefix + cell.key(i)));
            }
            for (Round round : batch) {
                round.awaitPrepared();
                keys.add(round.key());
            }
            age(cell);
            for (Round round : batch) {
                round.run(tally);
                progress.done(round(cell, arena.contenders().size()));
            }
        }
        count(keys, tally);
        return tally;
    }

    private void age(Cell cell) throws InterruptedException {
        Duration step = ageing(cell).dividedBy(AGEING_STEPS);
        for (int i = 0; i < AGEING_STEPS; i++) {
            Thread.sleep(step.toMillis());
            progress.done(step);
        }
    }

    /** Last of all, so that calls are counted too that nobody had announced. */
    private void count(List<String> keys, Tally tally) {
        for (String key : keys) {
            int arrived = arena.orchestrator().arrived(key).size();
            tally.effects(arrived);
            if (tally.cell().strategy() == Strategy.CLAIM && arrived != 1) {
                tally.violation("%s: %d %ss arrived at the orchestrator"
                        .formatted(key, arrived, tally.cell().scenario().port.effect));
            }
            arena.orchestrator().forget(key);
        }
    }

    private static Tally get(Future<Tally> done) throws InterruptedException {
        try {
            return done.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
