package io.holdfast.app.race;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.holdfast.app.Backend;
import io.holdfast.app.CannotStart;
import io.holdfast.app.race.Way.Pressed;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/**
 * One process of a race. Reads a {@link Setup} and then {@link Order}s, each a line of JSON, and writes a {@link Report}
 * for each; ends when its input does, also because the parent was killed.
 */
public final class Contender {
    /** For how long the owner of {@link Scenario#DEAD_OWNER} has been silent. */
    static final Duration SILENCE = Duration.ofMinutes(10);

    /** The last line of a parent that cleans up by itself. */
    static final String BYE = "bye";

    private static final int PREPARING_ATTEMPTS = 5;

    private final Ways ways;
    private final PrintStream out;
    // Orders wait for their time on a thread of their own; preparations are many at once and do not matter.
    private final ExecutorService presses = Executors.newCachedThreadPool(Threads.daemons("press"));
    private final ExecutorService preparations = Executors.newFixedThreadPool(4, Threads.daemons("prepare"));

    private Contender(Ways ways, PrintStream out) {
        this.ways = ways;
        this.out = out;
    }

    public static void main(String[] args) throws IOException {
        run(UnaryOperator.identity());
    }

    /**
     * Runs until the standard input ends, and ends the process.
     *
     * @param stores what becomes of the stores; for the tests, which spoil them
     */
    static void run(UnaryOperator<Stores> stores) throws IOException {
        PrintStream out = System.out;
        // Whatever a library prints must not get between the reports.
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Setup setup = Json.read(in.readLine(), Setup.class);
        Contender contender = new Contender(Ways.open(setup, stores), out);
        contender.report(Report.answered(setup.name(), Answer.prepared(null)));
        String line = in.readLine();
        for (; line != null && !line.equals(BYE); line = in.readLine()) {
            contender.take(Json.read(line, Order.class));
        }
        if (line == null) {
            removeEmbedded(setup);
        }
        // Nothing is waited for: whatever runs belongs to a parent that has gone, or wants us to go.
        Runtime.getRuntime().halt(0);
    }

    /** The parent was killed and cannot stop its server. */
    private static void removeEmbedded(Setup setup) {
        if (setup.data().isEmpty()) {
            return;
        }
        for (int i = 0; i < 20; i++) {
            try {
                Backend.removeEmbedded(Path.of(setup.data()));
                return;
            } catch (CannotStart inUse) {
                // Our input may have ended a moment before the parent let go of its folder.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void take(Order order) {
        switch (order.kind()) {
            case PREPARE ->
                preparations.execute(() -> answer(
                        order, () -> repeated(() -> begun(order, way(order).prepare(order.scenario(), order.key())))));
            case PRESS ->
                presses.execute(() -> {
                    waitUntil(order.atMicros());
                    answer(order, () -> begun(order, way(order).press(order.key(), order.given())));
                });
            case AGAIN -> presses.execute(() -> answer(order, () -> way(order).again(order.key(), order.given())));
        }
    }

    private interface Task {
        Answer run();
    }

    private void answer(Order order, Task task) {
        Answer answer;
        try {
            answer = task.run();
        } catch (RuntimeException | Error e) {
            answer = Answer.error(e);
        }
        report(Report.answered(order.ticket(), answer));
    }

    /** Racing inserts may deadlock in the engine; before a race has begun that is no news. */
    private static Answer repeated(Task task) {
        for (int i = 1; ; i++) {
            try {
                return task.run();
            } catch (RuntimeException e) {
                if (i == PREPARING_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private Way way(Order order) {
        return ways.of(order);
    }

    private Answer begun(Order order, Pressed pressed) {
        if (pressed.end() != null) {
            pressed.end()
                    .whenComplete((end, failure) ->
                            report(Report.ended(order.ticket(), failure == null ? end : failure.toString())));
        }
        return pressed.answer();
    }

    private static void waitUntil(long micros) {
        for (long left = micros - now(); left > 0; left = micros - now()) {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(left));
        }
    }

    /** This machine's clock, which all processes of a race share, in microseconds since 1970. */
    static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    private void report(Report report) {
        String line;
        try {
            line = Json.line(report);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
        synchronized (out) {
            out.print(line + "\n");
            out.flush();
        }
    }
}
