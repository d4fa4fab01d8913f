package io.holdfast.app.serve;

import io.holdfast.app.Holdfast;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The real program in a process of its own, to be killed. */
final class Program implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening on http://127.0.0.1:(\\d+)");

    private final Process process;
    private final Path out;
    private final Path err;

    private Program(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts {@code holdfast serve} on a free port, and waits until it listens. */
    static Program serve(Path folder, String... options) throws Exception {
        return serve(folder, List.of(), options);
    }

    static Program serve(Path folder, List<String> javaOptions, String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(javaOptions);
        command.addAll(List.of(
                // The log as it is, and not as the tests like it.
                "-Dlogback.configurationFile=logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                Holdfast.class.getName(),
                "serve",
                "--port",
                "0",
                "--data",
                folder.resolve("data").toString()));
        command.addAll(List.of(options));
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        Program program = new Program(process, out, err);
        Eventually.seen(
                "that it listens",
                program::output,
                seen -> !process.isAlive() || LISTENING.matcher(seen).find());
        return program;
    }

    Client client() throws IOException {
        Matcher listening = LISTENING.matcher(Files.readString(out));
        if (!listening.find()) {
            throw new IllegalStateException("it does not listen:\n" + output());
        }
        return new Client(Integer.parseInt(listening.group(1)));
    }

    /** All that it has said. */
    String output() throws IOException {
        return Files.readString(out) + Files.readString(err);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** As {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** As {@code kill} does: it may take its time. */
    void terminate() {
        process.destroy();
    }

    /** Returns the exit code. */
    int ended() throws InterruptedException {
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("it still runs after a minute");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        terminate();
        try {
            if (!process.waitFor(1, TimeUnit.MINUTES)) {
                kill();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
