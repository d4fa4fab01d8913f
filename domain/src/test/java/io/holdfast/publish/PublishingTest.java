package io.holdfast.publish;

import static io.holdfast.StoreUnavailable.Effect.NOT_APPLIED;
import static io.holdfast.StoreUnavailable.Effect.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.NotDone;
import io.holdfast.Pulse;
import io.holdfast.Renewal;
import io.holdfast.SilenceLimit;
import io.holdfast.StoreUnavailable;
import io.holdfast.Succession;
import io.holdfast.contract.Contenders;
import io.holdfast.contract.PublishSubject;
import io.holdfast.memory.MemoryPublishes;
import io.holdfast.publish.ClaimStore.FinishOutcome;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The use case on the in-memory store, which is held to the same contract as the real ones. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PublishingTest {
    private static final AppId APP = AppId.of("shop");
    private static final Slug SLUG = Slug.of("shop");
    private static final Ending LIVE = new Ending.Live(URI.create("https://shop.example"));
    private static final SilenceLimit LIMIT = Publishing.DEFAULT_LIMIT;

    private final PublishSubject store = new MemoryPublishes();
    private final Heartbeats heartbeats = Heartbeats.every(Duration.ofMillis(5), Duration.ZERO);
    private final Builds builds = new Builds();

    /** An orchestrator whose builds end when the test says so. */
    private static final class Builds implements Orchestrator {
        final List<Build> started = new CopyOnWriteArrayList<>();

        record Build(
                Claim claim, Slug slug, Optional<AttemptId> takenOverFrom, Pulse pulse, CompletableFuture<Work> work) {}

        @Override
        public CompletableFuture<Work> deploy(Claim claim, Slug slug, Optional<AttemptId> takenOverFrom, Pulse pulse) {
            Build build = new Build(claim, slug, takenOverFrom, pulse, new CompletableFuture<>());
            started.add(build);
            return build.work;
        }

        Build last() {
            return started.get(started.size() - 1);
        }
    }

    /** A store that does what {@code claim} and {@code finish} are told to do before, or instead of, asking the real one. */
    private final class Faulty implements ClaimStore {
        final List<Supplier<ClaimOutcome>> claims = new ArrayList<>();
        final List<AttemptId> attempts = new ArrayList<>();
        volatile boolean away;

        @Override
        public ClaimOutcome claim(ClaimRequest request) {
            attempts.add(request.attempt());
            ClaimOutcome answer = store.claims().claim(request);
            return claims.isEmpty() ? answer : claims.remove(0).get();
        }

        @Override
        public FinishOutcome finish(Claim claim, Ending ending) {
            if (away) {
                throw new StoreUnavailable(UNKNOWN, "away", new Exception());
            }
            return store.claims().finish(claim, ending);
        }

        @Override
        public Map<Claim, Renewal> renew(Collection<Claim> holds) {
            return store.claims().renew(holds);
        }

        @Override
        public Eviction evict(AppId app, Fence seen, Succession succession) {
            return store.claims().evict(app, seen, succession);
        }

        @Override
        public List<Claim> endSilent(int atMost, Duration inContact) {
            return store.claims().endSilent(atMost, inContact);
        }
    }

    private static Supplier<ClaimOutcome> fails(StoreUnavailable.Effect effect) {
        return () -> {
            throw new StoreUnavailable(effect, "no reply", new Exception());
        };
    }

    @AfterEach
    void close() {
        heartbeats.close();
    }

    private Publishing publishing(String holder) {
        return publishing(holder, store.claims());
    }

    private Publishing publishing(String holder, ClaimStore claims) {
        return publishing(holder, claims, Duration.ofMinutes(1));
    }

    private Publishing publishing(String holder, ClaimStore claims, Duration budget) {
        return new Publishing(claims, builds, heartbeats, new Holder(holder), LIMIT, Budget.of(budget));
    }

    private static PublishOutcome.Started started(PublishOutcome outcome) {
        assertThat(outcome).isInstanceOf(PublishOutcome.Started.class);
        return (PublishOutcome.Started) outcome;
    }

    private static Conclusion conclusionOf(PublishOutcome.Started started) throws Exception {
        return started.conclusion().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private Deployment.State stateOf(PublishOutcome.Started started) {
        return store.deployments().find(started.claim().attempt()).orElseThrow().state();
    }

    @Test
    void onlyTheWinnerReachesTheOrchestratorAndTheOthersAreToldItsId() {
        Publishing one = publishing("one");
        Publishing two = publishing("two");
        List<PublishOutcome> outcomes =
                Contenders.race(8, i -> (i % 2 == 0 ? one : two).publish(APP, SLUG, Optional.empty()));
        assertThat(builds.started).hasSize(1);
        AttemptId running = builds.last().claim().attempt();
        assertThat(outcomes)
                .filteredOn(PublishOutcome.Started.class::isInstance)
                .singleElement()
                .satisfies(o -> assertThat(started(o).claim().attempt()).isEqualTo(running));
        assertThat(outcomes)
                .filteredOn(Refusal.InProgress.class::isInstance)
                .hasSize(7)
                .allSatisfy(o ->
                        assertThat(((Refusal.InProgress) o).running().attempt()).isEqualTo(running));
    }

    @Test
    void theEndIsInTheDatabaseWhenTheConclusionIsTold() throws Exception {
        PublishOutcome.Started started = started(publishing("one").publish(APP, SLUG));
        builds.last().work().complete(new Orchestrator.Work.Ended(LIVE));
        assertThat(conclusionOf(started)).isEqualTo(new Conclusion.Ended(LIVE));
        assertThat(stateOf(started)).isEqualTo(LIVE);
        assertThat(publishing("two").publish(APP, SLUG)).isInstanceOf(PublishOutcome.Started.class);
    }

    @Test
    void workThatSurelyDidNotStartGivesTheAppAndTheRequestKeyBack() throws Exception {
        Optional<RequestKey> key = Optional.of(RequestKey.of("key"));
        for (Throwable notDone : List.of(
                new NotDone("connection refused"), new CompletionException(new NotDone("connection refused")))) {
            PublishOutcome.Started started = started(publishing("one").publish(APP, SLUG, key));
            builds.last().work().completeExceptionally(notDone);
            Ending ending = new Ending.NotStarted("connection refused");
            assertThat(conclusionOf(started)).isEqualTo(new Conclusion.Ended(ending));
            assertThat(stateOf(started)).isEqualTo(ending);
        }
    }

    @Test
    void doubtLeavesTheClaimToFallSilentAndItsSuccessorIsToldWhomItTookOver() throws Exception {
        PublishOutcome.Started started = started(publishing("one").publish(APP, SLUG));
        IllegalStateException timeOut = new IllegalStateException("no answer");
        builds.last().work().completeExceptionally(timeOut);
        assertThat(conclusionOf(started)).isEqualTo(new Conclusion.InDoubt(timeOut));
        assertThat(stateOf(started)).isInstanceOf(Deployment.Building.class);
        assertThat(publishing("two").publish(APP, SLUG)).isInstanceOf(Refusal.InProgress.class);

        store.letPass(LIMIT.value());
        PublishOutcome.Started next = started(publishing("two").publish(APP, SLUG));
        assertThat(next.takenOverFrom()).contains(started.claim().attempt());
        assertThat(builds.last().takenOverFrom()).contains(started.claim().attempt());
        assertThat(stateOf(started))
                .isEqualTo(new Deployment.Abandoned(Optional.of(next.claim().attempt())));
    }

    @Test
    void anOrchestratorThatThrowsOrReturnsNothingIsDoubtTooAndTheCallerHasItsDeployment() throws Exception {
        Orchestrator throwing = (claim, slug, from, pulse) -> {
            throw new IllegalStateException("bug");
        };
        @SuppressWarnings("NullAway") // it is the host's mistake that is played here
        Orchestrator nothing = (claim, slug, from, pulse) -> null;
        @SuppressWarnings("NullAway")
        Orchestrator noWork = (claim, slug, from, pulse) -> CompletableFuture.completedFuture(null);
        int i = 0;
        for (Orchestrator mistaken : List.of(throwing, nothing, noWork)) {
            Publishing publishing = new Publishing(store.claims(), mistaken, heartbeats, new Holder("one"));
            PublishOutcome.Started started = started(publishing.publish(AppId.of("app" + i), Slug.of("slug" + i++)));
            assertThat(conclusionOf(started)).isInstanceOf(Conclusion.InDoubt.class);
            assertThat(stateOf(started)).isInstanceOf(Deployment.Building.class);
        }
    }

    @Test
    void workElsewhereLivesByItsOwnSignsOfLifeToldToAnyNode() throws Exception {
        PublishOutcome.Started started = started(publishing("one").publish(APP, SLUG));
        builds.last().work().complete(new Orchestrator.Work.Elsewhere());
        assertThat(conclusionOf(started)).isEqualTo(new Conclusion.HandedOver());

        Publishing other = publishing("two");
        Claim claim = started.claim();
        for (int i = 0; i < 3; i++) {
            store.letPass(LIMIT.value().minusSeconds(10));
            assertThat(other.alive(claim)).containsInstanceOf(Renewal.Held.class);
            assertThat(other.publish(APP, SLUG)).isInstanceOf(Refusal.InProgress.class);
        }
        assertThat(other.ended(claim, LIVE)).isEqualTo(new FinishOutcome.Ended(LIVE));
        assertThat(other.ended(claim, new Ending.Failed("late"))).isEqualTo(new FinishOutcome.Ended(LIVE));
        assertThat(other.alive(claim)).contains(new Renewal.Lost(Optional.empty()));
    }

    @Test
    void workElsewhereThatGoesQuietIsTakenOver() throws Exception {
        PublishOutcome.Started started = started(publishing("one").publish(APP, SLUG));
        builds.last().work().complete(new Orchestrator.Work.Elsewhere());
        assertThat(conclusionOf(started)).isEqualTo(new Conclusion.HandedOver());
        store.letPass(LIMIT.value());
        assertThat(started(publishing("two").publish(APP, SLUG)).takenOverFrom())
                .contains(started.claim().attempt());
    }

    @Test
    void k15_aClaimWhoseReplyWasLostIsRepeatedWithTheSameAttemptAndStartsOnce() {
        Faulty faulty = new Faulty();
        faulty.claims.add(fails(UNKNOWN));
        faulty.claims.add(fails(UNKNOWN));
        PublishOutcome.Started started = started(publishing("one", faulty).publish(APP, SLUG));
        assertThat(faulty.attempts).hasSize(3).containsOnly(started.claim().attempt());
        assertThat(builds.started).hasSize(1);
        assertThat(store.deployments().recent(APP, 10)).hasSize(1);
    }

    @Test
    void aRepetitionThatWasNotAppliedSaysNothingAboutTheCallBeforeIt() {
        Faulty faulty = new Faulty();
        faulty.claims.add(fails(UNKNOWN));
        for (int i = 0; i < 1_000; i++) {
            faulty.claims.add(fails(NOT_APPLIED));
        }
        StoreUnavailable thrown = catchThrowableOfType(
                StoreUnavailable.class,
                () -> publishing("one", faulty, Duration.ofMillis(50)).publish(APP, SLUG));
        assertThat(thrown.effect()).isEqualTo(UNKNOWN);
        assertThat(faulty.attempts).hasSizeGreaterThan(1);
        assertThat(builds.started).isEmpty();
    }

    @Test
    void aClaimThatWasNotAppliedIsToldAtOnceForTheStoreHasSpentItsBudget() {
        Faulty faulty = new Faulty();
        faulty.claims.add(fails(NOT_APPLIED));
        StoreUnavailable thrown = catchThrowableOfType(
                StoreUnavailable.class, () -> publishing("one", faulty).publish(APP, SLUG));
        assertThat(thrown.effect()).isEqualTo(NOT_APPLIED);
        assertThat(faulty.attempts).hasSize(1);
        assertThat(builds.started).isEmpty();
    }

    @Test
    void anUnknownClaimIsRepeatedOnceEvenIfTheBudgetIsSpent() {
        Faulty faulty = new Faulty();
        faulty.claims.add(fails(UNKNOWN));
        Publishing impatient = publishing("one", faulty, Duration.ofNanos(1));
        assertThat(impatient.publish(APP, SLUG)).isInstanceOf(PublishOutcome.Started.class);
        assertThat(faulty.attempts).hasSize(2);
    }

    @Test
    void e5_anInterruptEndsTheRepetitionAsUnknownAndKeepsItsFlag() {
        Faulty faulty = new Faulty();
        faulty.claims.add(fails(UNKNOWN));
        Publishing publishing = publishing("one", faulty);
        Thread.currentThread().interrupt();
        StoreUnavailable thrown = catchThrowableOfType(StoreUnavailable.class, () -> publishing.publish(APP, SLUG));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(thrown.effect()).isEqualTo(UNKNOWN);
    }

    @Test
    void anEndThatTheStoreCouldNotTakeIsToldToItWhenItIsBack() throws Exception {
        Faulty faulty = new Faulty();
        PublishOutcome.Started started = started(publishing("one", faulty).publish(APP, SLUG));
        faulty.away = true;
        builds.last().work().complete(new Orchestrator.Work.Ended(LIVE));
        assertThat(started.conclusion().toCompletableFuture()).isNotDone();
        assertThat(stateOf(started)).isInstanceOf(Deployment.Building.class);
        faulty.away = false;
        assertThat(conclusionOf(started)).isEqualTo(new Conclusion.Ended(LIVE));
        assertThat(stateOf(started)).isEqualTo(LIVE);
    }

    @Test
    void k8_aHolderThatWasTakenOverIsToldAndItsEndChangesNothing() throws Exception {
        // Beats so seldom that it is surely silent.
        Heartbeats silent = Heartbeats.every(Duration.ofMinutes(1), Duration.ZERO);
        Publishing frozen = new Publishing(store.claims(), builds, silent, new Holder("frozen"));
        PublishOutcome.Started started = started(frozen.publish(APP, SLUG));
        Builds.Build frozenBuild = builds.last();
        store.letPass(LIMIT.value());
        PublishOutcome.Started successor = started(publishing("two").publish(APP, SLUG));

        frozenBuild.work().complete(new Orchestrator.Work.Ended(LIVE));
        Conclusion conclusion = conclusionOf(started);
        assertThat(conclusion).isInstanceOf(Conclusion.Lost.class);
        assertThat(((Conclusion.Lost) conclusion).to())
                .hasValueSatisfying(to ->
                        assertThat(to.attempt()).isEqualTo(successor.claim().attempt()));
        assertThat(stateOf(successor)).isInstanceOf(Deployment.Building.class);
        assertThat(frozen.publish(AppId.of("other"), Slug.of("other"))).isInstanceOf(PublishOutcome.Started.class);
        silent.close();
    }

    @Test
    void theHeartTellsTheWorkThatItWasTakenOver() throws Exception {
        started(publishing("one").publish(APP, SLUG));
        CountDownLatch lost = new CountDownLatch(1);
        builds.last().pulse().onLost(lost::countDown);
        store.wipe();
        lost.await();
        assertThat(builds.last().pulse().view()).isEqualTo(Pulse.View.LOST);
    }

    @Test
    void aClosedProcessRefusesBeforeTheStoreIsAsked() {
        AtomicInteger asked = new AtomicInteger();
        ClaimStore counting = new ClaimStore() {
            @Override
            public ClaimOutcome claim(ClaimRequest request) {
                asked.incrementAndGet();
                return store.claims().claim(request);
            }

            @Override
            public FinishOutcome finish(Claim claim, Ending ending) {
                return store.claims().finish(claim, ending);
            }

            @Override
            public Map<Claim, Renewal> renew(Collection<Claim> holds) {
                return store.claims().renew(holds);
            }

            @Override
            public Eviction evict(AppId app, Fence seen, Succession succession) {
                return store.claims().evict(app, seen, succession);
            }

            @Override
            public List<Claim> endSilent(int atMost, Duration inContact) {
                return store.claims().endSilent(atMost, inContact);
            }
        };
        Publishing publishing = publishing("one", counting);
        heartbeats.close();
        assertThatThrownBy(() -> publishing.publish(APP, SLUG))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shutting down");
        assertThat(asked).hasValue(0);
    }

    @Test
    void aClaimThatIsWonAfterTheDrainLimitIsGivenBackAndNothingIsStarted() {
        Faulty faulty = new Faulty();
        faulty.claims.add(() -> {
            heartbeats.close(); // its drain limit is zero
            return store.claims()
                    .claim(new ClaimRequest(
                            faulty.attempts.get(0), APP, SLUG, new Holder("one"), LIMIT, Optional.empty()));
        });
        Publishing publishing = publishing("one", faulty);
        assertThatThrownBy(() -> publishing.publish(APP, SLUG))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shutting down");
        assertThat(builds.started).isEmpty();
        assertThat(store.deployments().current(APP).orElseThrow().state()).isInstanceOf(Ending.NotStarted.class);
    }

    @Test
    void aLimitUnderFourBeatsIsRefusedInTheConstructor() {
        Heartbeats slow = Heartbeats.every(Duration.ofSeconds(76), Duration.ZERO);
        assertThatThrownBy(() -> new Publishing(store.claims(), builds, slow, new Holder("one")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("beat more often, or allow a longer silence");
    }
}
