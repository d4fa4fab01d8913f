package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ServerAddress;
import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.Succession;
import io.holdfast.contract.Evidence.Method;
import io.holdfast.contract.Tries;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Slug;
import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RotateOutcome.Rotated;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;

/** The primary has made the change, and steps down before it says so: the adapter sends it again, and meets its own. */
final class MongoStepDownTest {
    private static final SilenceLimit LIMIT = SilenceLimit.of(Duration.ofMinutes(5));
    private static final Duration LONG = Duration.ofHours(1);

    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    private static MongoSubject subject;

    private StepDown stepDown;
    private MongoStores there;

    @BeforeAll
    static void open() {
        subject = new MongoSubject(SERVER.database());
    }

    @BeforeEach
    void stand() {
        subject.wipe();
        stepDown = new StepDown(SERVER);
        there = MongoStores.of(SERVER.database(client -> client.applyToClusterSettings(
                cluster -> cluster.hosts(List.of(new ServerAddress("localhost", stepDown.port()))))));
    }

    @AfterEach
    void close() {
        stepDown.close();
    }

    @Test
    void whoEvictedALeaseIsNotToldThatItHadMoved() {
        tell("G5 G9 G15 L3", "a lease is evicted", () -> {
            LeaseName name = LeaseName.of("lease-" + AttemptId.random());
            Fence seen = ((Acquired) subject.leases().acquire(name, AttemptId.random(), new Holder("a"), LIMIT))
                    .lease()
                    .fence();
            assertUnknown(() -> there.leases().evict(name, seen, Succession.AT_ONCE));
            assertThat(subject.leases().find(name)).isEmpty();
        });
    }

    @Test
    void whoEvictedAPublishIsNotToldThatItHadMoved() {
        tell("G5 G9 G15 C8", "a publish is evicted", () -> {
            Claim claim = claimed();
            assertUnknown(() -> there.claims().evict(claim.app(), claim.fence(), Succession.AT_ONCE));
            assertThat(subject.deployments().find(claim.attempt()))
                    .hasValueSatisfying(evicted ->
                            assertThat(evicted.state()).isEqualTo(new Deployment.Abandoned(Optional.empty())));
        });
    }

    @Test
    void aCleanUpThatMayHaveEndedSomethingDoesNotSayThatItEndedNothing() {
        tell("G5 G9 C9", "a clean-up ends one", () -> {
            claimed();
            subject.letPass(LONG);
            assertUnknown(() -> there.claims().endSilent(10, LONG));
            assertThat(subject.claims().endSilent(10, LONG)).isEmpty();
        });
    }

    @Test
    void whatWasCleanedUpBeforeIsTold() {
        tell("G5 G9 C9", "a clean-up ends the second of two", () -> {
            List<Claim> claims = List.of(claimed(), claimed());
            subject.letPass(LONG);
            stepDown.after(2);
            assertThat(there.claims().endSilent(10, LONG)).hasSize(1).isSubsetOf(claims);
            assertThat(stepDown.isDone()).isTrue();
            assertThat(subject.claims().endSilent(10, LONG)).isEmpty();
        });
    }

    /** By the time that it is sent again the grace is over, so that it looks like a token that was stolen. */
    @Test
    void aRotationIsNotRevokedByItsOwnRepetition() {
        tell("G5 R1 R3", "a token is rotated", () -> {
            FamilyId family = FamilyId.random();
            subject.refreshTokens().open(family, new FamilyTerms(LONG, LONG, Duration.ofMillis(1)));
            stepDown.after(1);
            Generation first = Generation.first(family);
            assertThat(there.refreshTokens().rotate(first)).isEqualTo(new Rotated<>(first.next()));
            assertThat(stepDown.isDone()).isTrue();
            assertThat(subject.refreshTokens().rotate(first.next()))
                    .isEqualTo(new Rotated<>(first.next().next()));
        });
    }

    private static void tell(String rules, String what, Executable attack) {
        Tries.once(
                Method.FAULTS,
                SERVER.engine(),
                rules,
                what + ", and the primary steps down before it has said so",
                attack);
    }

    private void assertUnknown(ThrowingCallable call) {
        stepDown.after(1);
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreUnavailable.class, e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN));
        assertThat(stepDown.isDone()).isTrue();
    }

    private static Claim claimed() {
        return ((Claimed) subject.claims()
                        .claim(new ClaimRequest(
                                AttemptId.random(),
                                AppId.of("app-" + AttemptId.random()),
                                Slug.of("s-" + AttemptId.random()),
                                new Holder("a"),
                                LIMIT,
                                Optional.empty())))
                .claim();
    }
}
