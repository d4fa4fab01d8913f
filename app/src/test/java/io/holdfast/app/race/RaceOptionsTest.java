package io.holdfast.app.race;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RaceOptionsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    --rounds 0 | --rounds must be from 1 to 10,000: 0
                    --rounds 10001 | --rounds must be from 1 to 10,000: 10,001
                    --rounds many | 'many' is not an int
                    --contenders 1 | --contenders must be from 2 to 16: 1
                    --spread 0,-1 | --spread must be from 0 to 5,000: -1
                    --spread a | 'a' is not an int
                    --strategy luck | --strategy has no luck: choose from in-memory, check-then-act, fail-then-start, act-then-mark, revoke-on-reuse, guessed-expiry, claim, all
                    --scenario luck | --scenario has no luck: choose from first-publish, publish, republish, dead-owner, slow-build, save, refresh, first-release, release, slow-release, sanction, all
                    --scenario save --strategy fail-then-start | nobody decides so
                    --store oracle:here | no such store: oracle:here
                    --json /nowhere/here.json | --json cannot write to /nowhere/here.json
                    --rounds 10000 --spread 5000 | this would take about
                    --laps 3 | Unknown options: '--laps', '3'""")
    void badOnesAreRefusedWithWordsThatHelp(String options, String said) {
        RaceRun run = RaceRun.of(options.split(" "));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(said);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void aStoreThatIsAwayIsAnUnusableOne() {
        RaceRun run = RaceRun.of("--store", "jdbc:postgresql://127.0.0.1:1/test?user=test&password=hidden");

        assertThat(run.code()).as(run.err()).isEqualTo(2);
        assertThat(run.err())
                .contains("127.0.0.1:1")
                .contains("--store embedded")
                .doesNotContain("hidden");
    }

    @Test
    void theWordsAreForAPersonWhoHasToWait(@TempDir Path folder) {
        // Refused after the estimate, since there is no such server.
        RaceRun run = RaceRun.of(
                "--store",
                "jdbc:postgresql://127.0.0.1:1/test",
                "--json",
                folder.resolve("out.json").toString());

        assertThat(run.err())
                .contains("108 races of 50 rounds between 3 processes on jdbc:postgresql://127.0.0.1:1/test");
    }
}
