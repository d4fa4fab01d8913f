package io.holdfast.app.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.postgres.PostgresServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A race that could not find anything would prove nothing: so stores that are wrong must be found out. */
class RaceVerdictTest {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static RaceRun race(Class<?> contender, String scenarios) {
        RaceRun run = RaceRun.of(
                contender,
                "--store",
                SERVER.url(),
                "--rounds",
                "2",
                "--strategy",
                "claim",
                "--scenario",
                scenarios,
                "--spread",
                "0",
                "--json",
                "-");
        assertThat(run.code()).as(run.err()).isEqualTo(1);
        assertThat(run.err()).contains("claim: broke its promise, ");
        return run;
    }

    private static void assertSaid(RaceRun run, String scenario, String words) {
        assertThat(run.race("claim", scenario, 0).get("violations"))
                .as(scenario)
                .anyMatch(violation -> violation.asText().contains(words));
    }

    @Test
    void moreThanOneEffectIsFoundOut() {
        RaceRun run = race(Spoilt.Greedy.class, "first-publish,save,refresh,first-release,sanction");

        assertSaid(run, "first-publish", "claim-first-publish-0-0: 3 deployments arrived at the orchestrator");
        assertSaid(run, "save", "claim-save-0-0: 3 writes arrived");
        assertSaid(run, "refresh", "claim-refresh-0-0: 3 successors arrived");
        assertSaid(run, "first-release", "claim-first-release-0-0: 3 releases arrived");
        assertSaid(run, "sanction", "claim-sanction-0-0: 3 sanctions arrived");
    }

    @Test
    void aTakeOverOfALivingOwnerIsFoundOut() {
        RaceRun run = race(Spoilt.Greedy.class, "slow-build,slow-release");

        assertSaid(run, "slow-build", "claim-slow-build-0-0: 4 deployments arrived at the orchestrator");
        assertSaid(run, "slow-release", "claim-slow-release-0-0: 4 releases arrived");
    }

    @Test
    void anUntrueAnswerIsFoundOut() {
        RaceRun run = race(Spoilt.Liar.class, "republish,save,refresh,first-release,sanction");

        for (String scenario : new String[] {"republish", "save", "refresh", "first-release", "sanction"}) {
            assertSaid(run, scenario, "a loser was told to follow one that never arrived");
        }
    }

    @Test
    void aDeadOwnerWhoIsNotNamedIsFoundOut() {
        RaceRun run = race(Spoilt.Silent.class, "dead-owner");

        assertSaid(run, "dead-owner", "the winner was told that it took over null, not ");
    }

    @Test
    void whoeverComesAgainForNothingIsFoundOut() {
        RaceRun run = race(Spoilt.Strict.class, "save,refresh");

        assertSaid(run, "save", "a loser was told to follow one that never arrived: ?");
        assertSaid(run, "refresh", "a loser was told to log in again");
    }
}
