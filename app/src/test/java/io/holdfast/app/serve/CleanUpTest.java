package io.holdfast.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.app.Backend;
import io.holdfast.contract.FaultProxy;
import io.holdfast.publish.AppId;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Slug;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clean-up on a real database, its own clock in the hand of the test. */
class CleanUpTest {
    private static final Duration LOOK = Duration.ofSeconds(10);

    @TempDir
    private static Path folder;

    private static Backend backend;

    private final AtomicLong nanos = new AtomicLong(-5);

    @BeforeAll
    static void openDatabase() {
        backend = Nodes.open(folder);
    }

    @AfterAll
    static void closeDatabase() {
        backend.close();
    }

    private CleanUp cleanUp(Backend on) {
        return new CleanUp(new CleanUp.Plan(Duration.ofMillis(1), Duration.ofDays(7)), LOOK, Ports.of(on), nanos::get);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static AttemptId building(Duration limit) {
        AttemptId id = AttemptId.random();
        backend.claims()
                .claim(new ClaimRequest(
                        id,
                        AppId.of("app-" + id),
                        Slug.of("s" + id),
                        new Holder("test"),
                        SilenceLimit.of(limit),
                        Optional.empty()));
        return id;
    }

    /** Twice its limit is over by the database's clock when the database has answered twice more. */
    private static AttemptId dead() throws Exception {
        AttemptId id = building(Duration.ofMillis(1));
        Eventually.seen(
                "its silence",
                () -> backend.deployments().find(id).orElseThrow(),
                seen -> ((Deployment.Building) seen.state()).by().silentFor().toMillis() > 2);
        return id;
    }

    private static boolean isBuilding(AttemptId id) {
        return backend.deployments().find(id).orElseThrow().state() instanceof Deployment.Building;
    }

    @Test
    void c9_theDeadAreEndedAndTheLivingAreNot() throws Exception {
        AttemptId dead = dead();
        AttemptId living = building(Duration.ofMinutes(1));
        try (CleanUp cleanUp = cleanUp(backend)) {
            pass(LOOK);
            cleanUp.tick();
            assertThat(isBuilding(dead)).as("the contact is too young").isTrue();
            pass(LOOK);
            cleanUp.tick();
            assertThat(isBuilding(dead)).isFalse();
            assertThat(isBuilding(living)).isTrue();
        }
    }

    @Test
    void c9_whoHasNotLookedForAWhileWasNotInContact() throws Exception {
        AttemptId dead = dead();
        try (CleanUp cleanUp = cleanUp(backend)) {
            for (int i = 0; i < 3; i++) {
                pass(LOOK.multipliedBy(2).plusNanos(1));
                cleanUp.tick();
                assertThat(isBuilding(dead)).isTrue();
            }
            pass(LOOK.multipliedBy(2));
            cleanUp.tick();
            assertThat(isBuilding(dead)).isFalse();
        }
    }

    @Test
    void c9_afterAnOutageTheContactBeginsAnew() throws Exception {
        AttemptId dead = dead();
        URI real = URI.create(backend.url().substring("jdbc:".length()));
        try (FaultProxy proxy = new FaultProxy(real.getHost(), real.getPort());
                Backend far = Nodes.through(proxy, backend, folder);
                CleanUp cleanUp = cleanUp(far)) {
            cleanUp.tick();
            proxy.set(FaultProxy.Mode.REFUSE);
            pass(LOOK);
            cleanUp.tick();
            proxy.set(FaultProxy.Mode.PASS);
            pass(LOOK);
            cleanUp.tick();
            assertThat(isBuilding(dead))
                    .as("this is the first answer after the failure")
                    .isTrue();
            pass(LOOK);
            cleanUp.tick();
            assertThat(isBuilding(dead)).isFalse();
        }
    }

    @Test
    void theServiceCleansUpByItself() throws Exception {
        AttemptId dead = dead();
        Service.Settings never = Nodes.settings(Duration.ofSeconds(1), 100, Optional.empty());
        try (Service service = Service.start(
                Ports.of(backend),
                Nodes.simulated(),
                Nodes.cleaning(never, new CleanUp.Plan(Duration.ofMillis(50), Duration.ofDays(7))))) {
            assertThat(service.port()).isPositive();
            Eventually.seen("its end", () -> isBuilding(dead), building -> !building);
        }
    }
}
