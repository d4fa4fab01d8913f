package io.holdfast.contract;

import static io.holdfast.contract.Contenders.CLAIMS_EACH;
import static io.holdfast.contract.Contenders.OWNERS;
import static io.holdfast.contract.Contenders.ROUNDS;
import static io.holdfast.contract.Contenders.race;
import static io.holdfast.contract.Contenders.rounds;
import static io.holdfast.contract.Trial.FAILED;
import static io.holdfast.contract.Trial.LIMIT;
import static io.holdfast.contract.Trial.NOT_STARTED;
import static io.holdfast.contract.Trial.live;
import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Deployment.Building;
import io.holdfast.publish.Deployments;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal.AlreadyRun;
import io.holdfast.publish.Refusal.InProgress;
import io.holdfast.publish.Refusal.OtherRequest;
import io.holdfast.publish.Refusal.SlugFixed;
import io.holdfast.publish.Slug;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is kept of the deployments, and what comes before what: rules C10 to C12. */
interface HistoryContract {
    /** The store under test; the same one for the whole of a test. */
    PublishSubject subject();

    // C10: history.

    @Test
    default void c10_aDeploymentStaysFindableAfterNewerOnes() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy(app.wish("a").keyed("key"));
        app.end(a, FAILED);
        Deployment before = app.find(a.attempt());
        assertThat(before.app()).isEqualTo(app.app());
        assertThat(before.slug()).isEqualTo(app.slug());
        assertThat(before.fence()).isEqualTo(a.fence());
        assertThat(before.holder().label()).isEqualTo("a");
        app.ended("b", live("b"));
        app.under(app.slug()).takenBy("c");
        assertThat(app.find(a.attempt())).isEqualTo(before);
        assertThat(subject().deployments().find(AttemptId.random())).isEmpty();
    }

    @Test
    default void c10_recentIsInTheOrderOfFences() {
        Trial app = Trial.on(subject());
        Trial.on(subject()).takenBy("another app's owner");
        List<AttemptId> newestFirst = new ArrayList<>();
        assertRecent(newestFirst, app, 10);
        for (Ending ending : List.of(live("a"), FAILED, NOT_STARTED, live("b"))) {
            newestFirst.add(0, app.ended("a", ending).attempt());
        }
        newestFirst.add(0, app.takenBy("b").attempt());
        subject().letPass(LIMIT);
        newestFirst.add(0, app.takenBy("c").attempt());
        for (int atMost : List.of(1, 3, newestFirst.size(), 100)) {
            assertRecent(newestFirst, app, atMost);
        }
        assertThatThrownBy(() -> subject().deployments().recent(app.app(), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static void assertRecent(List<AttemptId> newestFirst, Trial app, int atMost) {
        List<Deployment> recent = app.store().deployments().recent(app.app(), atMost);
        assertThat(recent)
                .extracting(Deployment::id)
                .isEqualTo(newestFirst.subList(0, Math.min(atMost, newestFirst.size())));
        assertThat(recent).extracting(Deployment::fence).isSortedAccordingTo((a, b) -> b.compareTo(a));
        recent.forEach(app::assertWhole);
    }

    @Test
    default void c10_theCurrentOneIsTheRunningElseTheLast() {
        Deployments deployments = subject().deployments();
        Trial app = Trial.on(subject());
        assertThat(deployments.current(app.app())).isEmpty();
        for (Ending ending : List.of(live("a"), FAILED, NOT_STARTED)) {
            Claim a = app.takenBy("a");
            Trial.assertBuilding(a, deployments.current(app.app()).orElseThrow().state());
            app.end(a, ending);
            assertThat(deployments.current(app.app())).contains(app.find(a.attempt()));
            assertThat(app.state(a)).isEqualTo(ending);
        }
    }

    @Test
    default void c10_theLastFiftyAreKeptBesidesTheLiveAndTheRunningOne() {
        Trial app = Trial.on(subject());
        Claim live = app.ended("a", live("a"));
        List<AttemptId> failed = new ArrayList<>();
        for (int i = 0; i < Deployments.HISTORY + 3; i++) {
            failed.add(app.ended(i % 2 == 0 ? "a" : "b", FAILED).attempt());
        }
        Claim running = app.takenBy("c");

        List<AttemptId> kept = new ArrayList<>();
        kept.add(running.attempt());
        for (int i = failed.size() - 1; i >= 3; i--) {
            kept.add(failed.get(i));
        }
        kept.add(live.attempt());
        assertThat(subject().deployments().recent(app.app(), 1_000))
                .extracting(Deployment::id)
                .isEqualTo(kept);
        assertThat(subject().deployments().find(failed.get(2))).isEmpty();
        assertThat(app.liveId()).contains(live.attempt());
        Trial.toldEnded(live("a"), app.finish(live, FAILED));
    }

    @Test
    default void c10_eachAppHasFiftyOfItsOwnWithOrWithoutALiveOne() {
        Trial app = Trial.on(subject());
        Trial other = Trial.on(subject());
        int half = Deployments.HISTORY / 2 + 2;
        for (int i = 0; i < half; i++) {
            app.ended("a", FAILED);
            other.ended("b", FAILED);
        }
        assertThat(subject().deployments().recent(app.app(), 1_000)).hasSize(half);
        for (int i = 0; i < half; i++) {
            app.ended("a", FAILED);
        }
        assertThat(subject().deployments().recent(app.app(), 1_000)).hasSize(Deployments.HISTORY + 1);
        assertThat(subject().deployments().recent(other.app(), 1_000)).hasSize(half);
    }

    /** The other one's row comes first, in whatever order the rows are read. */
    @Test
    default void c10_aDeploymentIsFoundWithItsOwnApp() {
        Trial first = Trial.on(subject());
        Trial app = Trial.on(subject());
        Claim a = first.takenBy("a");
        Claim b = app.takenBy("b");
        Trial.assertBuilding(a, first.state(a));
        Trial.assertBuilding(b, app.state(b));
        first.end(a, FAILED);
        app.end(b, FAILED);
        assertThat(first.state(a)).isEqualTo(FAILED);
        assertThat(app.state(b)).isEqualTo(FAILED);
    }

    /** Another's, or none, would make it takeable at once. */
    @Test
    default void g8_whoFindsADeploymentIsToldHowLongItsOwnHolderHas() {
        Trial first = Trial.on(subject());
        Trial app = Trial.on(subject());
        Claim a = first.takenBy("a");
        Claim b = app.takenBy("b");
        assertThat(only(Building.class, first.state(a)).by().takeableIn()).isPositive();
        assertThat(only(Building.class, app.state(b)).by().takeableIn()).isPositive();
    }

    @Test
    default void c5_eachAppHasALiveOneOfItsOwn() {
        Trial first = Trial.on(subject());
        Trial app = Trial.on(subject());
        Claim a = first.ended("a", live("a"));
        Claim b = app.ended("b", live("b"));
        assertThat(first.liveId()).contains(a.attempt());
        assertThat(app.liveId()).contains(b.attempt());
    }

    @Test
    default void c10_theLiveOneIsNoneOfTheFifty() {
        Trial app = Trial.on(subject());
        List<AttemptId> newest = new ArrayList<>();
        for (int i = 0; i <= Deployments.HISTORY + 1; i++) {
            newest.add(0, app.ended("a", i == 10 ? live("a") : FAILED).attempt());
        }
        newest.add(0, app.takenBy("c").attempt());
        newest.remove(newest.size() - 1);
        assertThat(subject().deployments().recent(app.app(), 1_000))
                .extracting(Deployment::id)
                .isEqualTo(newest);
    }

    /** Claim and deployment are one: whoever is told of a deployment can follow it at once. */
    @Test
    default void c10_noClaimIsSeenWithoutItsDeployment() {
        for (int i = 0; i < rounds(ROUNDS) / CLAIMS_EACH; i++) {
            Trial app = Trial.on(subject());
            List<Boolean> done = race(OWNERS, owner -> {
                for (int n = 0; n < CLAIMS_EACH; n++) {
                    assertCanBeFollowed(app, app.ask("owner-" + owner));
                }
                return true;
            });
            assertThat(done).hasSize(OWNERS);
        }
    }

    private static void assertCanBeFollowed(Trial app, ClaimOutcome outcome) {
        Fence fence = outcome.fold(
                won -> app.find(won.claim().attempt()).fence(),
                refused -> app.find(Trial.inProgress(outcome).attempt()).fence());
        List<Deployment> recent = app.store().deployments().recent(app.app(), 1_000);
        assertThat(recent).extracting(Deployment::fence).contains(fence);
        assertThat(recent.subList(1, recent.size()))
                .as("ended, since a newer one has begun")
                .noneMatch(older -> older.state() instanceof Deployment.Building);
        if (outcome instanceof Claimed won) {
            app.end(won.claim(), live("a"));
        }
    }

    // C11: request keys.

    @Test
    default void c11_theSameKeyGetsTheDeploymentThatItHadInWhateverState() {
        for (Ending ending : List.of(FAILED, live("a"))) {
            Trial app = Trial.on(subject());
            Claim a = app.takenBy(app.wish("a").keyed("key"));
            Trial.assertBuilding(a, assertReplayed(app, a).state());
            subject().letPass(LIMIT);
            Trial.assertBuilding(a, assertReplayed(app, a).state());
            app.end(a, ending);
            assertThat(assertReplayed(app, a).state()).isEqualTo(ending);
            Claim b = app.takenBy(app.wish("b").keyed("another key"));
            assertThat(assertReplayed(app, a).state()).isEqualTo(ending);
            app.end(b, live("b"));
            assertThat(assertReplayed(app, a).state()).isEqualTo(ending);
            app.ended("c", FAILED);
            assertThat(assertReplayed(app, a).state()).isEqualTo(ending);
        }
    }

    @Test
    default void c11_alsoWhenThatWasTakenOver() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy(app.wish("a").keyed("key"));
        subject().letPass(LIMIT);
        Claim b = app.takenBy("b");
        Trial.assertAbandoned(b, assertReplayed(app, a).state());
        app.end(b, FAILED);
        Trial.assertAbandoned(b, assertReplayed(app, a).state());
    }

    private static Deployment assertReplayed(Trial app, Claim claim) {
        String before = app.dump();
        Deployment told = app.toldAlreadyRun(app.wish("again").keyed("key"));
        assertThat(told.id()).isEqualTo(claim.attempt());
        assertThat(told.fence()).isEqualTo(claim.fence());
        assertThat(app.dump()).isEqualTo(before);
        return told;
    }

    @Test
    default void c11_ofManyWithOneKeyOneIsStartedAndAllGetIt() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Trial app = Trial.on(subject());
            if (i % 2 == 0) {
                app.ended("first", FAILED);
            }
            List<ClaimOutcome> outcomes =
                    race(OWNERS, owner -> app.ask(app.wish("owner-" + owner).keyed("key")));
            List<Claimed> started = Trial.of(Claimed.class, outcomes);
            assertThat(started).as("started among %s", outcomes).hasSize(1);
            AttemptId id = started.get(0).claim().attempt();
            assertThat(Trial.of(AlreadyRun.class, outcomes))
                    .as("replayed among %s", outcomes)
                    .hasSize(OWNERS - 1)
                    .allSatisfy(told -> assertThat(told.deployment().id()).isEqualTo(id));
        }
    }

    /** A key that is looked at before the write decides is gone from the row when the write comes. */
    @Test
    default void c11_alsoWhenBuildsEndAtOnce() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Trial app = Trial.on(subject());
            AtomicInteger started = new AtomicInteger();
            race(OWNERS, owner -> {
                for (String key : List.of("key-1", "key-2")) {
                    ClaimOutcome outcome;
                    do { // until no build with the other key is in the way
                        outcome = app.ask(app.wish("owner-" + owner).keyed(key));
                    } while (outcome instanceof InProgress);
                    if (outcome instanceof Claimed won) {
                        started.incrementAndGet();
                        app.end(won.claim(), FAILED);
                    } else {
                        only(AlreadyRun.class, outcome);
                    }
                }
                return true;
            });
            assertThat(started).hasValue(2);
            assertThat(subject().deployments().recent(app.app(), 10)).hasSize(2);
        }
    }

    @Test
    default void c11_withAnotherSlugItIsAnotherRequest() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy(app.wish("a").keyed("key"));
        assertOtherRequest(app, a);
        app.end(a, FAILED);
        assertOtherRequest(app, a);
        Claim b = app.takenBy("b");
        assertOtherRequest(app, a);
        app.end(b, live("b"));
        assertOtherRequest(app, a);
    }

    private static void assertOtherRequest(Trial app, Claim claim) {
        String before = app.dump();
        OtherRequest told =
                only(OtherRequest.class, app.ask(app.wish("again").keyed("key").under(Trial.newSlug())));
        assertThat(told.deployment().id()).isEqualTo(claim.attempt());
        assertThat(told.deployment().slug()).isEqualTo(app.slug());
        app.assertWhole(told.deployment());
        assertThat(app.dump()).isEqualTo(before);
    }

    /** A client that was told 503 may come again. */
    @Test
    default void c11_whatWasNotStartedSetsItsKeyFree() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy(app.wish("a").keyed("key"));
        app.end(a, NOT_STARTED);
        Claim b = app.takenBy(app.wish("b").keyed("key"));
        assertReplayed(app, b);
        app.end(b, NOT_STARTED);
        app.ended("c", FAILED);
        Claim d = app.takenBy(app.wish("d").keyed("key"));
        app.end(d, FAILED);
        assertReplayed(app, d);
    }

    @Test
    default void c11_aKeyIsTheAppsOwn() {
        Trial app = Trial.on(subject());
        Trial other = Trial.on(subject());
        Claim a = app.takenBy(app.wish("a").keyed("key"));
        Claim b = other.takenBy(other.wish("b").keyed("key"));
        assertReplayed(app, a);
        assertReplayed(other, b);
    }

    // C12: the order of answers.

    @Test
    default void c12_thisAttemptComesBeforeItsRequestKey() {
        Trial app = Trial.on(subject());
        Wish wish = app.wish("a").keyed("key");
        Claim a = app.takenBy(wish);
        assertThat(app.toldClaimed(wish).claim()).isEqualTo(a);
        app.end(a, FAILED);
        Claim b = app.takenBy(app.wish("b").keyed("b's key"));
        app.end(b, FAILED);
        for (Wish again : List.of(
                wish,
                wish.keyed("b's key"),
                wish.keyed("a new key"),
                wish.under(Trial.newSlug()),
                wish.keyed("b's key").under(Trial.newSlug()))) {
            assertThat(app.toldAlreadyRun(again).id()).isEqualTo(a.attempt());
        }
    }

    @Test
    default void c12_theRequestKeyComesBeforeInProgress() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy(app.wish("a").keyed("key"));
        app.end(a, live("a"));
        Claim b = app.takenBy("b");
        Wish again = app.wish("c").keyed("key");
        assertThat(app.toldAlreadyRun(again).id()).isEqualTo(a.attempt());
        only(OtherRequest.class, app.ask(again.under(Trial.newSlug())));
        Trial.assertIs(b, app.toldInProgress("c"));
    }

    @Test
    default void c12_theRequestKeyComesBeforeTheSlug() {
        Trial app = Trial.on(subject());
        Trial other = Trial.on(subject());
        other.takenBy("b");
        Claim a = app.takenBy(app.wish("a").keyed("key"));
        app.end(a, live("a"));
        for (Slug wanted : List.of(Trial.newSlug(), other.slug())) {
            only(OtherRequest.class, app.ask(app.wish("c").keyed("key").under(wanted)));
            only(SlugFixed.class, app.under(wanted).ask("c"));
        }
    }

    @Test
    default void c12_inProgressComesBeforeTheSlug() {
        Trial app = Trial.on(subject());
        Trial other = Trial.on(subject());
        other.takenBy("b");
        app.ended("a", live("a"));
        Claim a = app.takenBy("a");
        for (Slug wanted : List.of(Trial.newSlug(), other.slug())) {
            Trial.assertIs(a, app.under(wanted).toldInProgress("c"));
        }
    }

    @Test
    default void c12_aFixedSlugComesBeforeATakenOne() {
        Trial app = Trial.on(subject());
        Trial other = Trial.on(subject());
        other.takenBy("b");
        app.ended("a", live("a"));
        assertThat(app.under(other.slug()).ask("c")).isEqualTo(new SlugFixed(app.slug()));
    }
}
