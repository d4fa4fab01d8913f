package io.holdfast.app.race;

import io.holdfast.app.race.ContenderProcess.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One key, wanted by all contenders at about the same moment. For one thread. */
final class Round {
    /** What each of them is given to be there in time. */
    private static final long LEAD_MICROS = 3_000;

    /** Nothing takes that long unless something is broken. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Arena arena;
    private final Cell cell;
    private final String key;
    private final Order preparing;
    private final Turn prepared;

    /** What the preparation gave: a token, or the id of what was in progress when the contenders came. */
    private @Nullable String before;

    /** Has all brought into the state that the round begins with. */
    Round(Arena arena, Cell cell, String key) {
        this.arena = arena;
        this.cell = cell;
        this.key = key;
        this.preparing = order("prepare", Order.Kind.PREPARE, "", 0);
        this.prepared = arena.owner().give(preparing);
    }

    private Order order(String verb, Order.Kind kind, String given, long atMicros) {
        return new Order(verb + " " + key, kind, cell.strategy(), cell.scenario(), key, given, atMicros);
    }

    /**
     * Waits until all is in that state.
     *
     * @throws StoreFailed if the store has failed
     */
    void awaitPrepared() throws InterruptedException {
        Answer answer = get(prepared.answer());
        Answer.Kind wanted = cell.scenario().isSlow() ? Answer.Kind.STARTED : Answer.Kind.PREPARED;
        if (answer.kind() != wanted) {
            throw new StoreFailed(new IllegalStateException("preparing " + key + ": " + answer));
        }
        before = answer.effect();
    }

    String key() {
        return key;
    }

    private String given() {
        return Objects.requireNonNullElse(before, "");
    }

    /** Runs it, and tells the tally what everybody was told; not how many effects there were, some may be on their way. */
    void run(Tally tally) throws InterruptedException {
        List<Order> orders = new ArrayList<>();
        List<Turn> turns = new ArrayList<>();
        long barrier = Contender.now() + LEAD_MICROS;
        for (ContenderProcess contender : arena.contenders()) {
            long at = barrier + TimeUnit.MILLISECONDS.toMicros((long) cell.spreadMillis() * turns.size());
            Order order = order("press", Order.Kind.PRESS, given(), at);
            orders.add(order);
            turns.add(contender.give(order));
        }
        List<Answer> answers = new ArrayList<>();
        for (Turn turn : turns) {
            answers.add(get(turn.answer()));
        }
        awaitArrived(answers);
        Referee referee = new Referee(cell, key, tally, arena.backend(), before, answers);
        referee.whileInProgress(arena.orchestrator().arrived(key));
        arena.orchestrator().end(key);
        List<String> ends = new ArrayList<>();
        for (int i = 0; i < turns.size(); i++) {
            if (answers.get(i).started()) {
                ends.add(get(turns.get(i).end()));
            }
            arena.contenders().get(i).forget(orders.get(i));
        }
        if (cell.scenario().isSlow()) {
            ends.add(get(prepared.end()));
        }
        arena.owner().forget(preparing);
        referee.afterwards(ends);
        referee.again(again(answers));
    }

    /** Whoever says "started" has sent its call, which may be on its way. */
    private void awaitArrived(List<Answer> answers) throws InterruptedException {
        List<String> started = Stream.concat(
                        cell.scenario().isSlow() ? Stream.of(given()) : Stream.empty(),
                        answers.stream().filter(Answer::started).map(answer -> String.valueOf(answer.effect())))
                .toList();
        if (!arena.orchestrator().await(key, started, PATIENCE)) {
            // Of the race itself, and not of a strategy: whatever it would count now is worth nothing.
            throw new IllegalStateException(key + ": " + started + " were said to be started, but only "
                    + arena.orchestrator().arrived(key) + " arrived");
        }
    }

    /** All at once, and each at another process than before, as behind a load balancer. */
    private List<Answer> again(List<Answer> answers) throws InterruptedException {
        List<ContenderProcess> contenders = arena.contenders();
        List<ContenderProcess> asked = new ArrayList<>();
        List<Order> orders = new ArrayList<>();
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            String given = switch (cell.scenario().port.again) {
                case NOBODY -> null;
                case WITH_THE_SAME -> given();
                case WITH_THE_ANSWER -> answers.get(i).effect();
            };
            if (given != null) {
                asked.add(contenders.get((i + 1) % contenders.size()));
                orders.add(order("again", Order.Kind.AGAIN, given, 0));
            }
        }
        for (int i = 0; i < orders.size(); i++) {
            turns.add(asked.get(i).give(orders.get(i)));
        }
        List<Answer> said = new ArrayList<>();
        for (int i = 0; i < orders.size(); i++) {
            said.add(get(turns.get(i).answer()));
            asked.get(i).forget(orders.get(i));
        }
        awaitArrived(said);
        return said;
    }

    private static <T> T get(CompletableFuture<T> word) throws InterruptedException {
        return ContenderProcess.await(word, PATIENCE);
    }
}
