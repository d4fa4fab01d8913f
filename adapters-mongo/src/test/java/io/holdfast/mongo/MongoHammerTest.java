package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.contract.Contenders;
import io.holdfast.publish.AppId;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Refusal.InProgress;
import io.holdfast.publish.Slug;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The first publish of an app, pressed by very many at once (K19), and the first start of very many servers. */
final class MongoHammerTest {
    private static final int THREADS = 16;
    private static final int ROUNDS = 60;

    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    private static ClaimStore claims;

    @BeforeAll
    static void open() {
        claims = MongoStores.of(SERVER.database()).claims();
    }

    @Test
    void oneOfManyPublishesAnAppThatIsNewAndAllOthersAreToldWhich() {
        for (int round = 0; round < Contenders.rounds(ROUNDS); round++) {
            AppId app = AppId.of("hammer-" + round);
            Slug slug = Slug.of("hammer-" + round);
            List<ClaimOutcome> outcomes = Contenders.race(THREADS, n -> claims.claim(wish(app, slug, n)));

            List<Claimed> winners = only(Claimed.class, outcomes);
            assertThat(winners).as("winners of round %s", round).hasSize(1);
            assertThat(only(InProgress.class, outcomes))
                    .as("losers of round %s", round)
                    .hasSize(THREADS - 1)
                    .allMatch(loser -> loser.running()
                            .attempt()
                            .equals(winners.get(0).claim().attempt()));
        }
    }

    @Test
    void manyServersMayMigrateAtOnce() {
        for (int round = 0; round < Contenders.rounds(3); round++) {
            MongoStores stores = MongoStores.of(SERVER.database()).tables("start_" + round + "_");
            Contenders.race(THREADS, n -> {
                stores.migrate();
                return n;
            });
            stores.check();
        }
    }

    private static ClaimRequest wish(AppId app, Slug slug, int contender) {
        return new ClaimRequest(
                AttemptId.random(),
                app,
                slug,
                new Holder("contender-" + contender),
                SilenceLimit.of(Duration.ofMinutes(5)),
                Optional.empty());
    }

    private static <T> List<T> only(Class<T> type, List<?> all) {
        return all.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
