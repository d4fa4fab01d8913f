package io.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.contract.Contenders;
import io.holdfast.publish.AppId;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Publishing;
import io.holdfast.publish.Refusal.InProgress;
import io.holdfast.publish.Slug;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The incident, hammered: many publishes of an app that nobody has ever seen, under one slug, in one moment. */
final class PostgresHammerTest {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static final int THREADS = 64;
    private static final int ROUNDS = 200;

    @Test
    void c1_ofManyFirstPublishesOneIsStartedAndNoneIsAnError() {
        HikariDataSource pool = SERVER.pool();
        // Fewer than threads: who waits for a connection comes late, and must be told the truth all the same.
        pool.setMaximumPoolSize(THREADS / 2);
        ClaimStore claims = PostgresStores.of(pool).claims();
        for (int round = 0; round < Contenders.rounds(ROUNDS); round++) {
            AppId app = AppId.of("app-" + round);
            Slug slug = Slug.of("slug-" + round);
            assertOneStarted(Contenders.race(
                    THREADS,
                    n -> claims.claim(new ClaimRequest(
                            AttemptId.random(),
                            app,
                            slug,
                            new Holder("thread-" + n),
                            Publishing.DEFAULT_LIMIT,
                            Optional.empty()))));
        }
        pool.close();
        assertThat(SERVER.rolledBack()).as("transactions that failed").isZero();
    }

    private static void assertOneStarted(List<ClaimOutcome> outcomes) {
        List<Claimed> won = outcomes.stream()
                .filter(Claimed.class::isInstance)
                .map(Claimed.class::cast)
                .toList();
        assertThat(won).as("winners among %s", outcomes).hasSize(1);
        AttemptId running = won.get(0).claim().attempt();
        assertThat(outcomes.stream().filter(InProgress.class::isInstance).map(InProgress.class::cast))
                .hasSize(THREADS - 1)
                .allSatisfy(loser -> assertThat(loser.running().attempt()).isEqualTo(running));
    }
}
