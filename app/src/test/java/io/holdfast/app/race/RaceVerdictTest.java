package io.holdfast.app.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.postgres.PostgresServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A race that could not find anything would prove nothing: so claims that are wrong must be found out. */
class RaceVerdictTest {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static RaceRun race(Class<?> contender, String scenario) {
        return RaceRun.of(
                contender,
                "--store",
                SERVER.url(),
                "--rounds",
                "2",
                "--strategy",
                "claim",
                "--scenario",
                scenario,
                "--spread",
                "0");
    }

    @Test
    void moreThanOneStartIsFoundOut() {
        RaceRun run = race(Spoilt.Greedy.class, "first-publish");

        assertThat(run.code()).as(run.err()).isEqualTo(1);
        assertThat(run.out())
                .contains("claim: broke its promise, 2 times:")
                .contains("claim-first-publish-0-0: 3 deployments arrived at the orchestrator");
    }

    @Test
    void aTakeOverOfALivingOwnerIsFoundOut() {
        RaceRun run = race(Spoilt.Greedy.class, "slow-build");

        assertThat(run.code()).as(run.err()).isEqualTo(1);
        assertThat(run.out()).contains("claim-slow-build-0-0: 4 deployments arrived at the orchestrator");
    }

    @Test
    void anUntrueAnswerIsFoundOut() {
        RaceRun run = race(Spoilt.Liar.class, "republish");

        assertThat(run.code()).as(run.err()).isEqualTo(1);
        assertThat(run.out())
                .contains("claim: broke its promise, 4 times:")
                .contains("a loser was told to follow a deployment that does not run");
    }

    @Test
    void aDeadOwnerWhoIsNotNamedIsFoundOut() {
        RaceRun run = race(Spoilt.Silent.class, "dead-owner");

        assertThat(run.code()).as(run.err()).isEqualTo(1);
        assertThat(run.out()).contains("the winner was told that it took over null, not ");
    }
}
