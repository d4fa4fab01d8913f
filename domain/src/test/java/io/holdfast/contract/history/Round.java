package io.holdfast.contract.history;

import io.holdfast.contract.Contenders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Several keys, each with clients of its own, all at once: so many histories of one store. Time passes for all of them together,
 * and is an operation of each history.
 */
public final class Round {
    /** Of each key. */
    public static final int CLIENTS = 4;

    private static final int MOVES = 7;

    private final Consumer<Duration> letPass;
    private final List<Passed> passed = new ArrayList<>();

    private record Passed(String by, long called, long returned, Duration time) {
        <S extends Model<S>> Event<S> event() {
            return Event.answered(
                    by, called, returned, "let " + time + " pass", "", (key, said) -> Optional.of(key.after(time)));
        }
    }

    private Round(Consumer<Duration> letPass) {
        this.letPass = letPass;
    }

    /**
     * Plays and checks it.
     *
     * @param seed where everything comes from that the clients choose
     * @param wires {@link #CLIENTS} for each key
     * @param letPass what the store's subject does
     */
    public static List<Verdict> play(long seed, List<Play<?>> plays, List<Wire> wires, Consumer<Duration> letPass) {
        Round round = new Round(letPass);
        Random seeds = new Random(seed);
        List<Game<?>> games = new ArrayList<>();
        for (int i = 0; i < plays.size(); i++) {
            games.add(round.game(plays.get(i), seeds, wires.subList(i * CLIENTS, (i + 1) * CLIENTS)));
        }
        Contenders.race(games.stream().flatMap(Game::clients).toList());
        return games.stream().map(Game::verdict).toList();
    }

    private <S extends Model<S>> Game<S> game(Play<S> play, Random seeds, List<Wire> wires) {
        return new Game<>(play, seeds, wires);
    }

    /** One after the other: nobody gains by passing time twice at once, and servers would call it a deadlock. */
    private void pass(String by, Duration time) {
        synchronized (passed) {
            long called = System.nanoTime();
            letPass.accept(time);
            passed.add(new Passed(by, called, System.nanoTime(), time));
        }
    }

    /** One key and its clients. */
    private final class Game<S extends Model<S>> {
        private final Play<S> play;
        private final List<List<Event<S>>> histories = new ArrayList<>();
        private final List<Callable<Void>> clients = new ArrayList<>();

        Game(Play<S> play, Random seeds, List<Wire> wires) {
            this.play = play;
            for (Wire wire : wires) {
                String name = "client-" + histories.size();
                List<Event<S>> history = new ArrayList<>();
                histories.add(history);
                Random random = new Random(seeds.nextLong());
                clients.add(() -> move(name, new Client<>(name, random, wire, history)));
            }
        }

        Stream<Callable<Void>> clients() {
            return clients.stream();
        }

        private Void move(String name, Client<S> client) {
            for (int i = 0; i < MOVES; i++) {
                if (client.percent(50)) {
                    LockSupport.parkNanos(client.random().nextLong(TimeUnit.MILLISECONDS.toNanos(2)));
                }
                if (client.percent(5)) {
                    pass(name, Duration.ofHours(1 + client.random().nextInt(2)));
                }
                play.move(client);
            }
            return null;
        }

        Verdict verdict() {
            List<Event<S>> events = new ArrayList<>();
            histories.forEach(events::addAll);
            int unknown = (int) events.stream().filter(Event::isUnknown).count();
            int operations = (int) events.stream()
                    .filter(event -> event.isUnknown() || !event.isOptional())
                    .count();
            passed.forEach(time -> events.add(time.event()));
            Optional<List<S>> states = Linearizability.explain(play.start(), events);
            return new Verdict(
                    play,
                    operations,
                    unknown,
                    states.map(Round::endedAnothers).orElse(0),
                    states.isPresent() ? Optional.empty() : Optional.of(Report.of(play.start(), events)));
        }
    }

    private static <S extends Model<S>> int endedAnothers(List<S> states) {
        int count = 0;
        for (int i = 1; i < states.size(); i++) {
            count += states.get(i).endedAnothers(states.get(i - 1)) ? 1 : 0;
        }
        return count;
    }
}
