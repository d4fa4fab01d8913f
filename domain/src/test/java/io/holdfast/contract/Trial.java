package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AttemptId;
import io.holdfast.Eviction.Evicted;
import io.holdfast.Fence;
import io.holdfast.Hold;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.Succession;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimStore.FinishOutcome;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Deployment.Abandoned;
import io.holdfast.publish.Deployment.Building;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal.AlreadyRun;
import io.holdfast.publish.Refusal.InProgress;
import io.holdfast.publish.Slug;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One app under test, new to the store, and what its owners do. The words of the contract's tests: what is called {@code
 * told...} asserts what the answer must be.
 */
record Trial(PublishSubject store, AppId app, Slug slug) implements Rally.Prize<Claim> {
    /** Of every wish, unless it says otherwise. */
    static final Duration LIMIT = Duration.ofMinutes(5);

    /** Far more than a call takes, and far less than any time that a test lets pass. */
    static final Duration A_MINUTE = Duration.ofMinutes(1);

    static final Ending FAILED = new Ending.Failed("it does not compile");
    static final Ending NOT_STARTED = new Ending.NotStarted("the orchestrator refused the connection");

    static Trial on(PublishSubject store) {
        return new Trial(store, newApp(), newSlug());
    }

    static AppId newApp() {
        return AppId.of("app-" + UUID.randomUUID());
    }

    static Slug newSlug() {
        return Slug.of("s-" + UUID.randomUUID());
    }

    static Ending live(String host) {
        return new Ending.Live(URI.create("https://" + host + ".example"));
    }

    /** The same app under another slug. */
    Trial under(Slug other) {
        return new Trial(store, app, other);
    }

    // What an owner asks.

    Wish wish(String holder) {
        return new Wish(AttemptId.random(), app, slug, holder, LIMIT, Optional.empty());
    }

    ClaimOutcome ask(Wish wish) {
        return store.claims().claim(wish.request());
    }

    ClaimOutcome ask(String holder) {
        return ask(wish(holder));
    }

    @Nullable
    Renewal renew(Claim claim) {
        return store.claims().renew(List.of(claim)).get(claim);
    }

    FinishOutcome finish(Claim claim, Ending ending) {
        return store.claims().finish(claim, ending);
    }

    // What it must be told.

    Claimed toldClaimed(Wish wish) {
        return claimed(ask(wish));
    }

    Claim takenBy(Wish wish) {
        return toldClaimed(wish).claim();
    }

    Claim takenBy(String holder) {
        return takenBy(wish(holder));
    }

    Incumbent toldInProgress(Wish wish) {
        return inProgress(ask(wish));
    }

    Incumbent toldInProgress(String holder) {
        return toldInProgress(wish(holder));
    }

    Deployment toldAlreadyRun(Wish wish) {
        Deployment told = only(AlreadyRun.class, ask(wish)).deployment();
        assertWhole(told);
        return told;
    }

    Duration toldHeld(Claim claim) {
        return only(Renewal.Held.class, renew(claim)).remaining();
    }

    /** Asserts that the claim can neither be renewed nor be finished, because {@code by} holds. */
    void toldLostTo(Claim by, Claim claim) {
        Renewal renewal = renew(claim);
        assertThat(only(Renewal.Lost.class, renewal).to())
                .as("to whom a renewal lost")
                .hasValueSatisfying(incumbent -> assertIs(by, incumbent));
        FinishOutcome finish = finish(claim, live("late"));
        assertThat(only(FinishOutcome.Lost.class, finish).to())
                .as("to whom a finish lost")
                .hasValueSatisfying(incumbent -> assertIs(by, incumbent));
    }

    /** Asserts that the claim can be renewed no more, and that nobody holds. */
    void toldOver(Claim claim) {
        assertThat(only(Renewal.Lost.class, renew(claim)).to()).isEmpty();
    }

    /** Asserts that the claim can neither be renewed nor be finished, and that nobody holds. */
    void toldLostToNobody(Claim claim) {
        toldOver(claim);
        assertThat(finish(claim, live("late"))).isEqualTo(new FinishOutcome.Lost(Optional.empty()));
    }

    Evicted toldEvicted(Claim claim, Succession succession) {
        return only(Evicted.class, store.claims().evict(app, claim.fence(), succession));
    }

    /** Asserts that this very ending stands. */
    void end(Claim claim, Ending ending) {
        toldEnded(ending, finish(claim, ending));
    }

    /** Has a whole deployment. */
    Claim ended(String holder, Ending ending) {
        Claim claim = takenBy(holder);
        end(claim, ending);
        return claim;
    }

    // A rally.

    @Override
    public <R> R take(
            String owner, Function<? super Claim, ? extends R> won, Function<? super Incumbent, ? extends R> told) {
        return ask(owner).fold(claimed -> won.apply(claimed.claim()), refused -> told.apply(inProgress(refused)));
    }

    @Override
    public void giveBack(Claim claim) {
        end(claim, FAILED);
    }

    // What can be read.

    Deployment find(AttemptId id) {
        Optional<Deployment> found = store.deployments().find(id);
        assertThat(found).as("deployment %s", id).isPresent();
        return found.get();
    }

    /** Asserts that a deployment that builds no more is the one that is found by its id, in every part. */
    void assertWhole(Deployment told) {
        if (!(told.state() instanceof Building)) {
            assertThat(told).isEqualTo(find(told.id()));
        }
    }

    Deployment.State state(Claim claim) {
        return find(claim.attempt()).state();
    }

    String dump() {
        return store.dump(app);
    }

    /** The id of the live deployment. */
    Optional<AttemptId> liveId() {
        return store.deployments().live(app).map(Deployment::id);
    }

    /**
     * Waits until the database's clock is past {@code fence}. A new key's first fence is that clock, so it is read by taking
     * new keys.
     */
    void passClock(Fence fence) {
        for (int i = 0; i < 1_000; i++) {
            if (on(store).takenBy("clock").fence().compareTo(fence) > 0) {
                return;
            }
        }
        throw new AssertionError("the database's clock does not pass fence " + fence);
    }

    // Answers.

    static Claimed claimed(ClaimOutcome outcome) {
        return only(Claimed.class, outcome);
    }

    static Incumbent inProgress(ClaimOutcome outcome) {
        return only(InProgress.class, outcome).running();
    }

    static void toldEnded(Ending standing, FinishOutcome outcome) {
        assertThat(outcome).isEqualTo(new FinishOutcome.Ended(standing));
    }

    static void assertIs(Hold hold, Incumbent incumbent) {
        assertThat(incumbent.attempt()).isEqualTo(hold.attempt());
        assertThat(incumbent.fence()).isEqualTo(hold.fence());
    }

    static void assertBuilding(Claim claim, Deployment.State state) {
        assertIs(claim, only(Building.class, state).by());
    }

    static void assertAbandoned(Claim by, Deployment.State state) {
        assertThat(state).isEqualTo(new Abandoned(Optional.of(by.attempt())));
    }

    static void assertAbandonedByNobody(Deployment.State state) {
        assertThat(state).isEqualTo(new Abandoned(Optional.empty()));
    }

    static <T> T only(Class<T> type, @Nullable Object answer) {
        assertThat(answer).isInstanceOf(type);
        return type.cast(answer);
    }

    /** Those of this kind among {@code all}. */
    static <T> List<T> of(Class<T> type, List<?> all) {
        return all.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
