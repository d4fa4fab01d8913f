package io.holdfast.app.race;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.Budget;
import io.holdfast.app.Backend;
import io.holdfast.app.StoreAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a race shows on a server that others use too. */
interface RaceOnOneEngine {
    /** The store, as {@code --store} says it. */
    String url();

    @Test
    default void theOthersStartSeveralAndClaimStartsOne() {
        RaceRun run = RaceRun.of("--store", url(), "--rounds", "5", "--spread", "0,84", "--json", "-");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.least("fail-then-start", "republish", 84)).isGreaterThanOrEqualTo(2);
        // Each of them only if the one before had its name registered in time.
        assertThat(run.most("fail-then-start", "first-publish", 84)).isGreaterThanOrEqualTo(2);
        assertThat(run.most("in-memory", "republish", 84)).isEqualTo(3);
        // Nobody beats, so whoever comes late takes a slow build for dead.
        assertThat(run.least("check-then-act", "slow-build", 84)).isGreaterThanOrEqualTo(2);
        // Nobody knows of the token before it is written.
        assertThat(run.least("check-then-act", "save", 84)).isEqualTo(3);
        assertThat(run.least("act-then-mark", "save", 84)).isEqualTo(3);
        // All three: whoever was second, and whoever comes again with what was revoked meanwhile.
        assertThat(run.race("revoke-on-reuse", "refresh", 0)
                        .at("/losers/logged-out")
                        .asInt())
                .isEqualTo(15);
        assertThat(run.least("in-memory", "first-release", 84)).isEqualTo(3);
        assertThat(run.most("guessed-expiry", "first-release", 0)).isEqualTo(1);
        assertThat(run.least("guessed-expiry", "slow-release", 84)).isGreaterThanOrEqualTo(2);
        assertThat(run.least("fail-then-start", "sanction", 84)).isEqualTo(3);
        for (JsonNode race : run.races("claim", "all", -1)) {
            int losers = race.get("scenario").asText().startsWith("slow-") ? 3 : 2;
            assertThat(race.at("/effects/rounds").toString()).isEqualTo("{\"1\":5}");
            assertThat(race.at("/losers/true").asInt()).isEqualTo(5 * losers);
            assertThat(race.at("/losers/untrue").asInt()).isZero();
            assertThat(race.at("/violations")).isEmpty();
        }
        assertThat(tables()).isEmpty();
    }

    @Test
    default void dropsWhatARunThatWasKilledLeftBehindButNotWhatMayBeInUse() {
        String killed = prefix(Duration.ofDays(2));
        String running = prefix(Duration.ofMinutes(20));
        create(killed);
        create(running);
        assertThat(tables()).anyMatch(name -> name.startsWith(killed)).anyMatch(name -> name.startsWith(running));

        RaceRun run = RaceRun.of(
                "--store", url(), "--rounds", "1", "--strategy", "claim", "--scenario", "republish", "--spread", "0");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err())
                .contains(killed + "* of a run that was killed 2 d ago")
                .contains(running + "*. If it was");
        assertThat(tables()).isNotEmpty().allMatch(name -> name.startsWith(running));
        try (Backend backend = backend()) {
            new RunTables(backend).drop(running);
        }
        assertThat(tables()).isEmpty();
    }

    private Backend backend() {
        return Backend.open(StoreAddress.parse(url()), Path.of(""), "holdfast_", Budget.DEFAULT);
    }

    private void create(String prefix) {
        try (Backend backend = backend()) {
            OrdinaryTables.on(backend, prefix).create();
        }
    }

    private List<String> tables() {
        try (Backend backend = backend()) {
            return new RunTables(backend).names("holdfast_race_");
        }
    }

    private static String prefix(Duration age) {
        return "holdfast_race_" + Long.toString(Instant.now().minus(age).getEpochSecond(), 36) + "_1abc_";
    }
}
