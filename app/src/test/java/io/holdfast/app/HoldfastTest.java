package io.holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command line: what it refuses, and in which words. */
class HoldfastTest {
    @TempDir
    private Path folder;

    private record Said(int code, String out, String err) {}

    private Said run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine program =
                Holdfast.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return new Said(program.execute(args), out.toString(), err.toString());
    }

    /** Every one would have started something in this folder if it had not been refused before. */
    private Said serve(String option, String value) {
        Path data = folder.resolve("data");
        Said said = run("serve", "--data", data.toString(), option, value);
        assertThat(data).doesNotExist();
        assertThat(said.out()).isEmpty();
        return said;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--store                | oracle           | no such store: oracle",
                "--store                | foo://u:geheim@h | no such store: foo://u:***@h",
                "--beat                 | 5x               | '5x' is not a duration: write 250ms, 30s, 5m or 1h30m",
                "--beat                 | 0s               | heartbeat interval must be from 1 ms",
                "--beat                 | 76s              | silence limit PT5M is shorter than 4 heartbeats of PT1M16S",
                "--silence-limit        | 119s             | silence limit PT1M59S is shorter than 4 heartbeats of PT30S",
                "--silence-limit        | 366d             | at most 365 days",
                "--silence-limit        | 99999999999999d  | at most 365 days",
                "--silence-limit        | 9999999999999999999d | is not a duration",
                "--build-time           | 366d             | --build-time must be at most 365 days",
                "--drain                | 366d             | drain limit must be from 0 to 365 days",
                "--budget               | 0s               | budget must be more than 0",
                "--host                 | 0.0.0.0          | give --token-file too",
                "--host                 | no.such.invalid  | is not an address of this machine",
                "--port                 | 65536            | --port must be from 0 to 65535",
                "--port                 | -1               | --port must be from 0 to 65535",
                "--max-builds           | 0                | --max-builds must be 1 or more",
                "--orchestrator         | ftp://there/     | --orchestrator must be simulated, or an http or https URL",
                "--orchestrator         | http://u:geheim@h/ | without a password in it",
                "--orchestrator-timeout | 0s               | --orchestrator-timeout must be more than 0",
                "--releaser             | nowhere          | --releaser must be simulated, or an http or https URL",
                "--writer               | http://u:geheim@h/ | --writer must be simulated, or an http or https URL",
                "--writer-timeout       | 366d             | --writer-timeout must be more than 0, and at most 365 days",
                "--clean-up             | 366d             | --clean-up must be from 0 to 365 days",
                "--keep                 | 366d             | --keep must be from 0 to 365 days",
                "--table-prefix         | 1x               | must be 1 to 30 of a-z, 0-9 and _",
                "--unknown              | 1                | Unknown option",
            })
    void badOptionsAreRefusedBeforeAnythingStarts(String option, String value, String message) {
        Said said = serve(option, value);
        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains(message).doesNotContain("geheim", "\tat ");
    }

    @Test
    void aBadStoreIsToldWhatIsAccepted() {
        assertThat(serve("--store", "oracle").err())
                .contains("embedded", "jdbc:postgresql://", "jdbc:mysql://", "mongodb://", "see holdfast serve --help");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# only a remark\n", "short\n"})
    void aTokenFileMustHoldTokens(String content) throws Exception {
        Path file = Files.writeString(folder.resolve("tokens"), content);
        Said said = serve("--token-file", file.toString());
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.err()).contains("the token file " + file + " has");
    }

    @Test
    void filesThatAreNotThereAreNamed() {
        assertThat(serve("--token-file", "/no/tokens").err()).contains("the token file /no/tokens cannot be read");
        Said said = run("serve", "--orchestrator", "http://h/", "--webhook-secret-file", "/no/secret");
        assertThat(said.err()).contains("the secret file /no/secret cannot be read");
        assertThat(serve("--refresh-key-files", "/no/key").err()).contains("the key file /no/key cannot be read");
    }

    @Test
    void aShortKeyIsRefused() throws Exception {
        Path key = Files.writeString(folder.resolve("key"), "geheim");
        Said said = serve("--refresh-key-files", key.toString());
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.err()).contains(key.toString(), "at least 32 bytes").doesNotContain("geheim");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://127.0.0.1:1/db?user=u&password=geheim",
                "jdbc:mysql://127.0.0.1:1/db?user=u&password=geheim",
                "mongodb://u:geheim@127.0.0.1:1/db",
                "jdbc:mysql://127.0.0.1:x/db?password=geheim",
                "mongodb://u:geheim@127.0.0.1:x/db?foo",
            })
    void aDatabaseThatIsNotThereIsSaidWithoutItsPassword(String store) {
        Said said = run("serve", "--store", store, "--budget", "1s");
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.err()).startsWith("holdfast: ").contains("127.0.0.1").doesNotContain("geheim", "\tat ");
    }

    @Test
    void aFolderThatCannotBeMadeIsNamed() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        Said said = run("serve", "--data", file.resolve("data").toString());
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.err()).contains("the folder " + file.resolve("data") + " cannot be made");
    }

    @Test
    void helpIsAskedForAndGiven() {
        assertThat(run("--help")).extracting(Said::code).isEqualTo(0);
        assertThat(run("serve", "--help").out())
                .contains("--silence-limit", "(default: 5m)", "HOLDFAST_SILENCE_LIMIT", "curl");
        assertThat(run("--version").out()).contains("holdfast", "Java");
        assertThat(run().code()).isEqualTo(2);
        assertThat(run("serv").err()).contains("Did you mean: holdfast serve?");
    }
}
