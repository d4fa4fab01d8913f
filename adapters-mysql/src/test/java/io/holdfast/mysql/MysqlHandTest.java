package io.holdfast.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.ClaimStore.FinishOutcome.Ended;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Slug;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a call says after somebody has deleted the history, but not the app, by hand (G13). */
final class MysqlHandTest {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private final ClaimStore claims = MysqlStores.of(SERVER.pool()).claims();
    private final ClaimRequest wish = new ClaimRequest(
            AttemptId.random(),
            AppId.of("app-" + UUID.randomUUID()),
            Slug.of("s-" + UUID.randomUUID()),
            new Holder("holder"),
            SilenceLimit.of(Duration.ofMinutes(5)),
            Optional.empty());

    @Test
    void g13_aHolderWithoutHistoryFinishesAndLetsTheAppGo() {
        Claim claim = takenWithoutHistory();
        Ending ending = new Ending.Failed("it does not compile");
        assertThat(claims.finish(claim, ending)).isEqualTo(new Ended(ending));
        ClaimRequest next = new ClaimRequest(
                AttemptId.random(), wish.app(), wish.slug(), wish.holder(), wish.limit(), wish.requestKey());
        assertThat(claims.claim(next)).isInstanceOf(Claimed.class);
    }

    @Test
    void g13_aHolderWithoutHistoryWhoAsksAgainStillHolds() {
        Claim claim = takenWithoutHistory();
        assertThat(((Claimed) claims.claim(wish)).claim()).isEqualTo(claim);
    }

    private Claim takenWithoutHistory() {
        Claim claim = ((Claimed) claims.claim(wish)).claim();
        SERVER.run("DELETE FROM holdfast_deployment WHERE app = '%s'"
                .formatted(wish.app().value()));
        return claim;
    }
}
