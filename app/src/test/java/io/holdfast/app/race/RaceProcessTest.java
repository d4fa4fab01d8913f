package io.holdfast.app.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Budget;
import io.holdfast.app.Backend;
import io.holdfast.app.Holdfast;
import io.holdfast.app.StoreAddress;
import io.holdfast.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A run that is stopped from outside leaves nothing behind. */
class RaceProcessTest {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    @TempDir
    private Path temporary;

    private Process start(String store) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holdfast.class.getName(),
                        "race",
                        "--rounds",
                        "1000",
                        "--store",
                        store)
                .redirectErrorStream(true)
                .redirectOutput(temporary.resolve("said.txt").toFile())
                .start();
    }

    @Test
    void stoppedItDropsItsTablesAndEndsItsProcesses() throws Exception {
        Process race = start(SERVER.url());
        try {
            await(race, () -> said().contains("racing: "));
            List<ProcessHandle> children = race.descendants().toList();
            assertThat(children).hasSize(4);
            assertThat(tables()).isNotEmpty();

            race.destroy();

            assertThat(race.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(said()).contains("stopped; nothing is left behind");
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            assertThat(tables()).isEmpty();
        } finally {
            race.destroyForcibly();
        }
    }

    @Test
    void killedItsProcessesEndAndStopTheServerThatItStarted() throws Exception {
        Process race = start("embedded");
        try {
            await(race, () -> said().contains("racing: "));
            List<ProcessHandle> descendants = race.descendants().toList();
            assertThat(descendants).hasSizeGreaterThanOrEqualTo(4);
            Path data;
            try (var folders = Files.list(temporary)) {
                data = folders.filter(Files::isDirectory)
                        .filter(folder -> folder.getFileName().toString().startsWith("holdfast-race-"))
                        .findFirst()
                        .orElseThrow();
            }
            long server = Long.parseLong(
                    Files.readAllLines(data.resolve("data/postmaster.pid")).get(0));

            race.destroyForcibly();

            await(null, () -> descendants.stream().noneMatch(ProcessHandle::isAlive));
            await(null, () -> ProcessHandle.of(server).isEmpty());
            await(null, () -> !Files.exists(data));
        } finally {
            race.destroyForcibly();
        }
    }

    private String said() {
        try {
            return Files.readString(temporary.resolve("said.txt"));
        } catch (IOException e) {
            return "";
        }
    }

    private void await(Process alive, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(said()).isLessThan(end);
            assertThat(alive == null || alive.isAlive()).as(said()).isTrue();
            Thread.sleep(50);
        }
    }

    private static List<String> tables() {
        try (Backend backend =
                Backend.open(StoreAddress.parse(SERVER.url()), Path.of(""), "holdfast_", Budget.DEFAULT)) {
            return new RunTables(backend).names("holdfast_race_");
        }
    }
}
