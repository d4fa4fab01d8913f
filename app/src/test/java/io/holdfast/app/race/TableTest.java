package io.holdfast.app.race;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

class TableTest {
    private static Tally tally(Strategy strategy, Scenario scenario, int spread, int... effects) {
        Tally tally = new Tally(new Cell(strategy, scenario, spread));
        for (int number : effects) {
            tally.effects(number);
        }
        return tally;
    }

    private static String text(Ansi ansi, Tally... tallies) {
        return new Table(new Result("PostgreSQL 18.6", 3, 2, Duration.ofSeconds(1), List.of(tallies)), ansi).text();
    }

    @Test
    void tellsWhatHappenedAndWhatItMeans() {
        Tally old = tally(Strategy.FAIL_THEN_START, Scenario.FIRST_PUBLISH, 0, 3, 1);
        old.untruth(Untruth.OWN_NAME_TAKEN);
        old.untruth(Untruth.OWN_NAME_TAKEN);
        Tally ours = tally(Strategy.CLAIM, Scenario.REPUBLISH, 84, 1, 1);
        for (int i = 0; i < 4; i++) {
            ours.truth();
        }

        assertThat(text(Ansi.OFF, old, ours)).isEqualTo("""

                                                             effects a round    losers told
                strategy         scenario        spread  rounds   least    most    true  untrue

                fail-then-start  first-publish     0 ms       2       1       3       0       2

                claim            republish        84 ms       2       1       1       4       0

                fail-then-start: an app was deployed more than once at the same time in 1 of 2
                rounds, up to 3 times; 2 losers were told that its own name is taken.
                claim: exactly one deployment in each of the 2 rounds, and all 4 losers were
                told which one it is.""");
    }

    @Test
    void eachPortHasItsWords() {
        Tally write = tally(Strategy.ACT_THEN_MARK, Scenario.SAVE, 0, 3, 3);
        Tally lock = tally(Strategy.GUESSED_EXPIRY, Scenario.FIRST_RELEASE, 0, 1, 1);
        Tally token = tally(Strategy.CLAIM, Scenario.REFRESH, 0, 1, 1);
        Tally ours = tally(Strategy.CLAIM, Scenario.SANCTION, 0, 1, 1);

        assertThat(text(Ansi.OFF, write, lock, token, ours)).endsWith("""

                act-then-mark: the content of one token was written more than once in 2 of 2
                rounds, up to 3 times.
                guessed-expiry: one release in each of 2 rounds, this time.
                claim: exactly one successor or sanction in each of the 4 rounds, and all 0
                losers were told which one it is; nobody had to log in again.""");
    }

    @Test
    void aBrokenPromiseIsShown() {
        Tally ours = tally(Strategy.CLAIM, Scenario.REPUBLISH, 84, 2);
        for (int i = 0; i < 12; i++) {
            ours.violation("app-" + i + ": 2 deployments arrived");
        }

        assertThat(text(Ansi.OFF, ours))
                .contains("claim: broke its promise, 12 times:\n  app-0: 2 deployments arrived\n")
                .contains("app-9:")
                .doesNotContain("app-10:")
                .endsWith("  and 2 more; --json has them all");
    }

    @Test
    void colourIsOnlyColour() {
        Tally old = tally(Strategy.IN_MEMORY, Scenario.SLOW_BUILD, 28, 4);

        String coloured = text(Ansi.ON, old);

        assertThat(coloured).contains("\u001b[31m");
        assertThat(coloured.replaceAll("\u001b\\[[0-9;]*m", "")).isEqualTo(text(Ansi.OFF, old));
    }
}
