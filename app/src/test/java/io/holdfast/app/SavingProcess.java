package io.holdfast.app;

import io.holdfast.Budget;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.save.ContentWriter;
import io.holdfast.save.Fingerprint;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveToken;
import io.holdfast.save.Saving;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A process that saves once, to be stopped and killed. It asks for leave before each step, by a line, and goes on when it is
 * answered: {@code reserved}, then {@code write KEY FENCE}, then {@code outcome ...}. What it writes to is the test.
 */
final class SavingProcess implements AutoCloseable {
    static final Duration BEAT = Duration.ofMillis(250);
    static final SilenceLimit LIMIT = SilenceLimit.of(Duration.ofSeconds(3));
    static final Fingerprint PAYLOAD = Fingerprint.of("content".getBytes(StandardCharsets.UTF_8));

    private final Process process;
    private final BufferedReader says;
    private final BufferedWriter hears;

    private SavingProcess(Process process) {
        this.process = process;
        this.says = process.inputReader(StandardCharsets.UTF_8);
        this.hears = process.outputWriter(StandardCharsets.UTF_8);
    }

    static SavingProcess start(String url, String holder, SaveToken token) throws IOException {
        SavingProcess started = new SavingProcess(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SavingProcess.class.getName(),
                        url,
                        holder)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        started.tell(token.reveal());
        return started;
    }

    /** What it says next. */
    String hear() throws IOException {
        String line = says.readLine();
        if (line == null) {
            throw new IOException("it has ended");
        }
        return line;
    }

    void tell(String line) throws IOException {
        hears.write(line + "\n");
        hears.flush();
    }

    /** As {@code kill -NAME}. */
    void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name + " has ended with " + code);
        }
    }

    boolean isGone() throws InterruptedException {
        return process.waitFor(1, TimeUnit.MINUTES);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    public static void main(String[] args) throws Exception {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        SaveToken token = SaveToken.parse(orders.readLine());
        try (Backend backend = Backend.open(StoreAddress.parse(args[0]), Path.of(""), "holdfast_", Budget.DEFAULT);
                Heartbeats heartbeats = Heartbeats.every(BEAT, Duration.ZERO)) {
            Saving saving = new Saving(backend.saveTokens(), heartbeats, new Holder(args[1]), LIMIT, Budget.DEFAULT);
            ContentWriter<UncheckedIOException> writer = (reservation, takenOverFrom, pulse) -> {
                ask(orders, "reserved");
                // A careless one: it is told whether its write was refused, and ends as if it was not.
                ask(orders, "write " + reservation.idempotencyKey() + " " + reservation.fence());
                return SaveResult.of(args[1].getBytes(StandardCharsets.UTF_8));
            };
            ask(orders, "outcome " + saving.save(token, PAYLOAD, writer));
        }
    }

    private static void ask(BufferedReader orders, String line) {
        System.out.println(line);
        try {
            orders.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
