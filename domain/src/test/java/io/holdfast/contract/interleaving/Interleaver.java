package io.holdfast.contract.interleaving;

import io.holdfast.contract.interleaving.World.Act;
import io.holdfast.contract.interleaving.World.Scene;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Runs several acts of a world at once, in one order after the other, and judges what came of each. */
final class Interleaver implements AutoCloseable {
    static final String FAILED = "failed: ";

    /** More steps in a row than any call has that does not begin anew. */
    private static final int PATIENCE = 12;

    private final SteppedServer server;
    private final List<Session> sessions;
    private final ExecutorService threads;

    /**
     * @param most how many sessions there may be at once
     * @param spoilt as {@link Session} has it
     */
    Interleaver(SteppedServer server, int most, UnaryOperator<String> spoilt) {
        this.server = server;
        sessions = IntStream.range(0, most)
                .mapToObj(each -> new Session(server, spoilt))
                .toList();
        threads = Executors.newFixedThreadPool(most, task -> {
            Thread thread = new Thread(task, "session");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * What came of them.
     *
     * @param orders how many were run
     * @param findings those that are like no order in which one comes after the other
     * @param errors what the server refused, in all of them
     */
    record Result(long orders, List<String> findings, List<String> errors) {}

    /**
     * @param acts which of the world's
     * @param orders with all among them in which one comes after the other
     */
    Result run(World world, List<Integer> acts, Orders orders) {
        List<Run> runs = new ArrayList<>();
        do {
            try {
                runs.add(run(world, acts, orders::next));
            } catch (SQLException | InterruptedException | ExecutionException | TimeoutException e) {
                throw new IllegalStateException(world + ": " + acts, e);
            }
        } while (orders.hasAnother());
        List<Run> oneByOne = runs.stream().filter(Run::isOneByOne).toList();
        return new Result(
                runs.size(),
                runs.stream()
                        .filter(run -> run.hasFailed() || !isExplained(run, oneByOne))
                        .map(run -> finding(world, run, oneByOne))
                        .toList(),
                runs.stream().flatMap(run -> run.errors().stream()).toList());
    }

    private boolean isExplained(Run run, List<Run> oneByOne) {
        if (oneByOne.stream().anyMatch(other -> run.isLike(other, call -> true))) {
            return true;
        }
        // What counted has its part in what was left; what was looked at afterwards has none.
        return server.looksAfterBeating()
                && oneByOne.stream().anyMatch(other -> run.isLike(other, call -> !run.isLostBeat(call)))
                && oneByOne.stream().anyMatch(other -> run.tellsAs(other, run::isLostBeat));
    }

    private static String finding(World world, Run run, List<Run> oneByOne) {
        return oneByOne.stream()
                .map(Run::told)
                .collect(Collectors.joining(
                        "\n    ",
                        "%s, in the order %s\n    %s\n  and one by one:\n    "
                                .formatted(world, run.order(), run.told()),
                        ""));
    }

    /** What may be done in this world. */
    List<String> acts(World world) {
        Scene scene = world.made().apply(server.subject());
        scene.end();
        return scene.acts().stream().map(Act::name).toList();
    }

    @FunctionalInterface
    private interface Turn {
        int next(List<Integer> ready);
    }

    private Run run(World world, List<Integer> acts, Turn turn)
            throws SQLException, InterruptedException, ExecutionException, TimeoutException {
        Scene scene = world.made().apply(server.subject());
        Stage stage = new Stage(ids(acts.size()));
        List<Act> played = acts.stream().map(scene.acts()::get).toList();
        List<Future<String>> calls = new ArrayList<>();
        for (int each = 0; each < played.size(); each++) {
            calls.add(begin(stage, each, played.get(each)));
        }
        List<Run.Step> steps = new ArrayList<>();
        try {
            List<Integer> ready = stage.settled(server::waits);
            while (!ready.isEmpty()) {
                int next = turn.next(patient(steps, ready));
                String step = stage.letGo(next);
                ready = stage.settled(server::waits);
                steps.add(new Run.Step(next, step, stage.over()));
            }
        } catch (AssertionError e) {
            throw new AssertionError(world + ", " + played + " after " + steps + ": " + e.getMessage(), e);
        } finally {
            stage.clear();
        }
        List<String> answers = new ArrayList<>();
        for (Future<String> call : calls) {
            answers.add(call.get(60, TimeUnit.SECONDS));
        }
        List<String> errors = sessions.stream()
                .limit(acts.size())
                .flatMap(session -> session.errors().stream())
                .toList();
        return new Run(played, steps, answers, scene.end(), errors);
    }

    /** Who has gone on and on, and is about to ask once more for what another one has locked, lets that one go first. */
    private static List<Integer> patient(List<Run.Step> steps, List<Integer> ready) {
        List<Run.Step> last = steps.subList(Math.max(0, steps.size() - PATIENCE), steps.size());
        if (ready.size() == 1 || last.size() < PATIENCE) {
            return ready;
        }
        int first = last.get(0).session();
        return last.stream().allMatch(step -> step.session() == first)
                ? ready.stream().filter(session -> session != first).toList()
                : ready;
    }

    private long[] ids(int many) throws SQLException {
        long[] ids = new long[many];
        for (int each = 0; each < many; each++) {
            ids[each] = sessions.get(each).id();
        }
        return ids;
    }

    private Future<String> begin(Stage stage, int number, Act act) {
        Session session = sessions.get(number);
        session.stopsAt(step -> stage.stop(number, step));
        return threads.submit(() -> {
            try {
                return act.call().apply(session.ports());
            } catch (RuntimeException | AssertionError e) {
                return FAILED + e;
            } finally {
                stage.leave(number);
            }
        });
    }

    @Override
    public void close() throws SQLException {
        threads.shutdownNow();
        for (Session session : sessions) {
            session.close();
        }
    }
}
