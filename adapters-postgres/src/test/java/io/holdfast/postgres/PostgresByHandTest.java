package io.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore.FinishOutcome;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Publishing;
import io.holdfast.publish.Refusal;
import io.holdfast.publish.RequestKey;
import io.holdfast.publish.Slug;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Somebody lays hands on the app's row while it builds, and not on its history: they are one no more. */
final class PostgresByHandTest {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static PostgresSubject store;

    private final AppId app = AppId.of("app-" + UUID.randomUUID());
    private final ClaimRequest first = wish("first", "key");
    private Claim lost;

    @BeforeAll
    static void open() {
        store = new PostgresSubject(SERVER.pool());
    }

    @BeforeEach
    void build() {
        lost = ((Claimed) claim(first)).claim();
    }

    private void deleteRow() {
        SERVER.run("DELETE FROM holdfast_app WHERE app = '%s'".formatted(app.value()));
    }

    @Test
    void g5_theAttemptHasRun() {
        deleteRow();
        assertThat(((Refusal.AlreadyRun) claim(first)).deployment().id()).isEqualTo(lost.attempt());
    }

    @Test
    void c11_theRequestKeyHasItsDeployment() {
        deleteRow();
        Refusal.AlreadyRun known = (Refusal.AlreadyRun) claim(wish("second", "key"));
        assertThat(known.deployment().id()).isEqualTo(lost.attempt());
    }

    @Test
    void c10_theDeploymentIsFoundAsItWasRecorded() {
        deleteRow();
        Deployment found = store.deployments().find(lost.attempt()).orElseThrow();
        assertThat(store.deployments().current(app)).map(Deployment::id).contains(lost.attempt());
        assertThat(found.state()).isInstanceOfSatisfying(Deployment.Building.class, building -> {
            assertThat(building.by().attempt()).isEqualTo(lost.attempt());
            assertThat(building.by().holder()).isEqualTo(first.holder());
            assertThat(building.by().fence()).isEqualTo(lost.fence());
            assertThat(building.by().since()).isEqualTo(found.startedAt());
            assertThat(building.by().takeableIn()).isZero();
        });
    }

    @Test
    void g13_itsHolderHasLostToNobody() {
        deleteRow();
        assertThat(renewed()).isEqualTo(new Renewal.Lost(Optional.empty()));
        assertThat(failed()).isEqualTo(new FinishOutcome.Lost(Optional.empty()));
    }

    @Test
    void g13_anotherWishGetsTheApp() {
        deleteRow();
        isNextAfterTheLost(((Claimed) claim(wish("second", "next"))).claim());
    }

    @Test
    void g13_anotherWishGetsTheAppThatWasLetGoByHand() {
        SERVER.run("UPDATE holdfast_app SET building = false, free_at = 0 WHERE app = '%s'".formatted(app.value()));
        isNextAfterTheLost(((Claimed) claim(wish("second", "next"))).claim());
    }

    private void isNextAfterTheLost(Claim next) {
        assertThat(next.fence()).isGreaterThan(lost.fence());
        assertThat(store.deployments().find(lost.attempt()))
                .map(Deployment::state)
                .contains(new Deployment.Abandoned(Optional.of(next.attempt())));
        assertThat(renewed()).isInstanceOfSatisfying(Renewal.Lost.class, to -> isHeldBy(next, to.to()));
        assertThat(failed()).isInstanceOfSatisfying(FinishOutcome.Lost.class, to -> isHeldBy(next, to.to()));
        assertThat(store.claims().finish(next, new Ending.Failed("no")))
                .isEqualTo(new FinishOutcome.Ended(new Ending.Failed("no")));
    }

    private static void isHeldBy(Claim next, Optional<Incumbent> to) {
        assertThat(to).hasValueSatisfying(by -> assertThat(by.attempt()).isEqualTo(next.attempt()));
    }

    private Renewal renewed() {
        return store.claims().renew(List.of(lost)).get(lost);
    }

    private FinishOutcome failed() {
        return store.claims().finish(lost, new Ending.Failed("too late"));
    }

    private static ClaimOutcome claim(ClaimRequest wish) {
        return store.claims().claim(wish);
    }

    private ClaimRequest wish(String holder, String key) {
        return new ClaimRequest(
                AttemptId.random(),
                app,
                Slug.of("s-" + app.value().substring("app-".length())),
                new Holder(holder),
                Publishing.DEFAULT_LIMIT,
                Optional.of(RequestKey.of(key)));
    }
}
