package io.holdfast.app.race;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The parent's end of a {@link Contender}. Thread-safe. */
final class ContenderProcess implements AutoCloseable {
    private static final int LAST_WORDS = 20;
    private static final long GRACE_SECONDS = 5;

    private final String name;
    private final Process process;
    private final BufferedWriter orders;
    private final Map<String, Turn> turns = new ConcurrentHashMap<>();
    private final Deque<String> lastWords = new ArrayDeque<>();
    private volatile boolean gone;

    /**
     * What becomes of an order.
     *
     * @param end how it ended what was started; never completes if nothing was
     */
    record Turn(CompletableFuture<Answer> answer, CompletableFuture<String> end) {
        Turn() {
            this(new CompletableFuture<>(), new CompletableFuture<>());
        }

        private void fail(RuntimeException why) {
            answer.completeExceptionally(why);
            end.completeExceptionally(why);
        }
    }

    private ContenderProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.orders = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Starts one.
     *
     * @param main the class to run
     * @param ready completes when it has opened the store
     */
    static ContenderProcess start(Class<?> main, Setup setup, CompletableFuture<Answer> ready) throws IOException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        // Short lives beside many others: what starts fast and small.
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName()))
                .start();
        ContenderProcess contender = new ContenderProcess(setup.name(), process);
        contender.turns.put(setup.name(), new Turn(ready, new CompletableFuture<>()));
        listen(setup.name() + " reports", process.getInputStream(), contender::report, contender::over);
        listen(setup.name() + " stderr", process.getErrorStream(), contender::keep, () -> {});
        contender.write(Json.line(setup));
        return contender;
    }

    private interface Line {
        void read(String line) throws IOException;
    }

    private static void listen(String name, InputStream stream, Line line, Runnable end) {
        Threads.daemons(name)
                .newThread(() -> {
                    try (BufferedReader lines =
                            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                        for (String next = lines.readLine(); next != null; next = lines.readLine()) {
                            line.read(next);
                        }
                    } catch (IOException e) {
                        // The process has gone, which is what the end is for.
                    } finally {
                        end.run();
                    }
                })
                .start();
    }

    Turn give(Order order) {
        Turn turn = new Turn();
        turns.put(order.ticket(), turn);
        try {
            write(Json.line(order));
        } catch (IOException e) {
            turn.fail(dead());
        }
        // The last report may have come between the put and now.
        if (gone) {
            turn.fail(dead());
        }
        return turn;
    }

    /** Forgets an order that will not be reported on any more. */
    void forget(Order order) {
        turns.remove(order.ticket());
    }

    /**
     * Waits for a contender's word.
     *
     * @throws IllegalStateException if the contender has died, or says nothing for too long
     */
    static <T> T await(CompletableFuture<T> word, Duration atMost) throws InterruptedException {
        try {
            return word.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new IllegalStateException(cause == null ? "a contender has died" : cause.getMessage(), cause);
        } catch (TimeoutException e) {
            throw new IllegalStateException("a contender has said nothing for " + atMost.toSeconds() + " s", e);
        }
    }

    private void write(String line) throws IOException {
        synchronized (orders) {
            orders.write(line + "\n");
            orders.flush();
        }
    }

    private void report(String line) throws IOException {
        Report report = Json.read(line, Report.class);
        Turn turn = turns.get(report.ticket());
        if (turn == null) {
            return;
        }
        if (report.answer() != null) {
            turn.answer().complete(report.answer());
        }
        if (report.end() != null) {
            turn.end().complete(report.end());
        }
    }

    private void keep(String line) {
        synchronized (lastWords) {
            lastWords.addLast(line);
            if (lastWords.size() > LAST_WORDS) {
                lastWords.removeFirst();
            }
        }
    }

    private void over() {
        gone = true;
        turns.values().forEach(turn -> turn.fail(dead()));
    }

    private IllegalStateException dead() {
        synchronized (lastWords) {
            return new IllegalStateException(
                    name + " has died" + (lastWords.isEmpty() ? "" : ":\n  " + String.join("\n  ", lastWords)));
        }
    }

    /** Ends it, and waits until it has gone. */
    @Override
    public void close() {
        try {
            write(Contender.BYE);
            orders.close();
        } catch (IOException e) {
            // It has gone already.
        }
        boolean interrupted = Thread.interrupted();
        try {
            if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            interrupted = true;
            process.destroyForcibly();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
