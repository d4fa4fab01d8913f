package io.holdfast.app.race;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The default store: nothing has to be there. */
class RaceOnEmbeddedTest {
    @Test
    void theIncidentAsItWas() {
        RaceRun run = RaceRun.of(
                "--rounds",
                "40",
                "--strategy",
                "fail-then-start,check-then-act",
                "--scenario",
                "first-publish",
                "--scenario",
                "republish",
                "--spread",
                "0",
                "--json",
                "-");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.race("fail-then-start", "first-publish", 0)
                        .at("/losers/own-name-taken")
                        .asInt())
                .isPositive();
        assertThat(run.most("fail-then-start", "republish", 0)).isGreaterThanOrEqualTo(2);
        assertThat(run.most("check-then-act", "republish", 0)).isGreaterThanOrEqualTo(2);
    }

    @Test
    void everyRaceIsInTheJsonAndTheTable() {
        RaceRun run = RaceRun.of("--rounds", "1", "--contenders", "2", "--spread", "0,10", "--json", "-");

        assertThat(run.code()).as(run.err()).isZero();
        JsonNode json = run.json();
        assertThat(json.get("store").asText()).startsWith("PostgreSQL 18");
        assertThat(json.get("contenders").asInt()).isEqualTo(2);
        assertThat(json.get("rounds").asInt()).isEqualTo(1);
        assertThat(json.get("claimKeptItsPromise").asBoolean()).isTrue();
        Set<String> names = new HashSet<>();
        for (JsonNode race : json.get("races")) {
            String strategy = race.get("strategy").asText();
            String scenario = race.get("scenario").asText();
            names.add(strategy + " " + scenario + " " + race.get("spreadMillis").asInt());
            assertThat(run.err()).containsPattern(strategy + " +" + scenario + " +" + race.get("spreadMillis"));
            int starts = race.at("/effects/most").asInt();
            int told =
                    race.at("/losers/true").asInt() + race.at("/losers/untrue").asInt();
            // Whoever came has started one or was told something; and in the slow ones one was there before.
            int came = scenario.startsWith("slow-") ? 3 : 2;
            if (scenario.equals("refresh")) {
                // And is told something once more, with what it got.
                assertThat(starts + told).isBetween(came, 2 * came);
            } else {
                assertThat(starts + told).isEqualTo(came);
            }
        }
        assertThat(names).hasSize((4 * 4 + 4 * 5) * 2);
    }
}
