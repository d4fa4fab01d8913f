package io.holdfast.app.race;

import io.holdfast.app.race.ContenderProcess.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One app, published by all contenders at about the same moment. For one thread. */
final class Round {
    /** What each of them is given to be there in time. */
    private static final long LEAD_MICROS = 3_000;

    /** Nothing takes that long unless something is broken. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Arena arena;
    private final Cell cell;
    private final String app;
    private final Order preparing;
    private final Turn prepared;

    /** What was known of the app when the contenders came. */
    private @Nullable String before;

    /** Has the app brought into the state that the round begins with. */
    Round(Arena arena, Cell cell, String app) {
        this.arena = arena;
        this.cell = cell;
        this.app = app;
        this.preparing = order("prepare " + app, Order.Kind.PREPARE, 0);
        this.prepared = arena.owner().give(preparing);
    }

    private Order order(String ticket, Order.Kind kind, long atMicros) {
        return new Order(ticket, kind, cell.strategy(), cell.scenario(), app, atMicros);
    }

    /**
     * Waits until the app is in that state.
     *
     * @throws StoreFailed if the store has failed
     */
    void awaitPrepared() throws InterruptedException {
        Answer answer = get(prepared.answer());
        Answer.Kind wanted = cell.scenario() == Scenario.SLOW_BUILD ? Answer.Kind.STARTED : Answer.Kind.PREPARED;
        if (answer.kind() != wanted) {
            throw new StoreFailed(new IllegalStateException("preparing " + app + ": " + answer));
        }
        before = answer.deployment();
    }

    String app() {
        return app;
    }

    /** Runs it, and tells the tally what everybody was told; not how many deployments there were, some may be on their way. */
    void run(Tally tally) throws InterruptedException {
        List<Order> orders = new ArrayList<>();
        List<Turn> turns = new ArrayList<>();
        long barrier = Contender.now() + LEAD_MICROS;
        for (ContenderProcess contender : arena.contenders()) {
            long at = barrier + TimeUnit.MILLISECONDS.toMicros((long) cell.spreadMillis() * turns.size());
            Order order = order("publish " + app, Order.Kind.PUBLISH, at);
            orders.add(order);
            turns.add(contender.give(order));
        }
        List<Answer> answers = new ArrayList<>();
        for (Turn turn : turns) {
            answers.add(get(turn.answer()));
        }
        List<String> started = new ArrayList<>();
        if (cell.scenario() == Scenario.SLOW_BUILD && before != null) {
            started.add(before);
        }
        answers.stream().filter(Answer::started).map(Answer::deployment).forEach(started::add);
        boolean arrived = arena.orchestrator().await(app, started, PATIENCE);
        Referee referee = new Referee(cell, app, tally, arena.deployments(), before, answers);
        if (!arrived) {
            // Of the race itself, and not of a strategy: whatever it would count now is worth nothing.
            throw new IllegalStateException(app + ": " + started + " were said to be started, but only "
                    + arena.orchestrator().arrived(app) + " arrived; their ends: "
                    + turns.stream().map(turn -> turn.end().getNow("none")).toList());
        }
        referee.whileBuilding(arena.orchestrator().arrived(app));
        arena.orchestrator().end(app);
        List<String> ends = new ArrayList<>();
        for (int i = 0; i < turns.size(); i++) {
            if (answers.get(i).started()) {
                ends.add(get(turns.get(i).end()));
            }
            arena.contenders().get(i).forget(orders.get(i));
        }
        if (cell.scenario() == Scenario.SLOW_BUILD) {
            ends.add(get(prepared.end()));
        }
        arena.owner().forget(preparing);
        referee.afterwards(ends);
    }

    private static <T> T get(CompletableFuture<T> word) throws InterruptedException {
        return ContenderProcess.await(word, PATIENCE);
    }
}
