package io.holdfast.contract;

import static io.holdfast.contract.Contenders.OWNERS;
import static io.holdfast.contract.Contenders.ROUNDS;
import static io.holdfast.contract.Contenders.race;
import static io.holdfast.contract.Contenders.rounds;
import static io.holdfast.contract.Trial.A_MINUTE;
import static io.holdfast.contract.Trial.FAILED;
import static io.holdfast.contract.Trial.LIMIT;
import static io.holdfast.contract.Trial.NOT_STARTED;
import static io.holdfast.contract.Trial.live;
import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Incumbent;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimStore.FinishOutcome;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Deployment.Abandoned;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal.InProgress;
import io.holdfast.publish.Refusal.SlugFixed;
import io.holdfast.publish.Refusal.SlugTaken;
import io.holdfast.publish.Slug;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Claims and the names of apps: rules C1 to C8. */
interface ClaimContract {
    /** The store under test; the same one for the whole of a test. */
    PublishSubject subject();

    /** Of the race that needs the most luck to be lost; 50 times as many, by the system property, make 10,000. */
    int FINISH_AGAINST_TAKE_OVER = 200;

    // C1: first publish.

    /** The incident: three requests came 84 ms apart, and each started a deployment. */
    @Test
    default void c1_ofManyFirstPublishesOneIsStartedAndTheOthersFollowIt() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Trial app = Trial.on(subject());
            assertOneStartedAndAllFollowIt(race(OWNERS, owner -> app.ask("owner-" + owner)));
        }
    }

    /** The losers collide with the winner on the app alone. */
    @Test
    default void c1_alsoWhenEachWantsAnotherSlug() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Trial app = Trial.on(subject());
            assertOneStartedAndAllFollowIt(
                    race(OWNERS, owner -> app.under(Trial.newSlug()).ask("owner-" + owner)));
        }
    }

    /** The incident again: the loser of a first publish was told that its own app's name is taken. */
    @Test
    default void c1_anAppsOwnSlugIsNeverTaken() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        Trial.assertIs(a, app.toldInProgress("b"));
        app.end(a, FAILED);
        app.takenBy("b");
    }

    private static Claim assertOneStartedAndAllFollowIt(List<ClaimOutcome> outcomes) {
        List<Claimed> started = Trial.of(Claimed.class, outcomes);
        assertThat(started).as("started among %s", outcomes).hasSize(1);
        Claim won = started.get(0).claim();
        assertThat(Trial.of(InProgress.class, outcomes))
                .as("followers among %s", outcomes)
                .hasSize(outcomes.size() - 1)
                .allSatisfy(loser -> Trial.assertIs(won, loser.running()));
        return won;
    }

    // C2: republish.

    @Test
    default void c2_ofManyRepublishesOfALiveAppOneIsStarted() {
        assertOneRepublish(live("a"));
    }

    @Test
    default void c2_ofManyRepublishesOfAFailedAppOneIsStarted() {
        assertOneRepublish(FAILED);
    }

    private void assertOneRepublish(Ending before) {
        Trial app = Trial.on(subject());
        app.ended("first", before);
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Claim won = assertOneStartedAndAllFollowIt(race(OWNERS, owner -> app.ask("owner-" + owner)));
            app.end(won, before);
        }
    }

    // C3: in progress, before anything about the slug.

    @Test
    default void c3_theLoserIsToldWhoIsRunning() {
        Trial app = Trial.on(subject());
        app.ended("a", live("a"));
        Claim b = app.takenBy("b");
        Incumbent told = app.toldInProgress("c");
        Trial.assertIs(b, told);
        assertThat(told.holder().label()).isEqualTo("b");
        Trial.assertBuilding(b, app.find(told.attempt()).state());
    }

    @Test
    default void c3_theLoserIsToldSoBeforeAnythingAboutTheSlug() {
        Trial other = Trial.on(subject());
        other.takenBy("a");
        Trial firstPublish = Trial.on(subject());
        Claim b = firstPublish.takenBy("b");
        Trial republish = Trial.on(subject());
        republish.ended("c", live("c"));
        Claim d = republish.takenBy("d");
        for (Slug wanted : List.of(Trial.newSlug(), other.slug())) {
            Trial.assertIs(b, firstPublish.under(wanted).toldInProgress("e"));
            Trial.assertIs(d, republish.under(wanted).toldInProgress("e"));
        }
    }

    // C4: slugs.

    @Test
    default void c4_theSlugOfAnotherAppIsTakenAndNothingIsChanged() {
        Trial owner = Trial.on(subject());
        Claim a = owner.takenBy("a");
        Trial unknown = Trial.on(subject());
        Trial failed = Trial.on(subject());
        failed.ended("b", FAILED);
        assertSlugTaken(owner, unknown);
        assertSlugTaken(owner, failed);
        owner.end(a, live("a"));
        assertSlugTaken(owner, unknown);
        assertSlugTaken(owner, failed);
        assertThat(subject().deployments().current(unknown.app())).isEmpty();
        unknown.takenBy("c");
        failed.takenBy("c");
    }

    private static void assertSlugTaken(Trial owner, Trial app) {
        String before = owner.dump() + app.dump();
        assertThat(app.under(owner.slug()).ask("x")).isEqualTo(new SlugTaken(owner.slug()));
        assertThat(owner.dump() + app.dump()).isEqualTo(before);
    }

    @Test
    default void c4_ofManyAppsThatWantOneSlugOneGetsIt() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Slug wanted = Trial.newSlug();
            List<Trial> apps = Stream.generate(() -> Trial.on(subject()).under(wanted))
                    .limit(OWNERS)
                    .toList();
            List<ClaimOutcome> outcomes = race(OWNERS, n -> apps.get(n).ask("owner-" + n));
            assertThat(Trial.of(Claimed.class, outcomes))
                    .as("winners among %s", outcomes)
                    .hasSize(1);
            assertThat(Trial.of(SlugTaken.class, outcomes)).hasSize(OWNERS - 1).containsOnly(new SlugTaken(wanted));
            for (int n = 0; n < OWNERS; n++) {
                boolean won = outcomes.get(n) instanceof Claimed;
                assertThat(subject().deployments().current(apps.get(n).app()).isPresent())
                        .isEqualTo(won);
            }
        }
    }

    @Test
    default void c4_twoAppsThatSwapTheirSlugsAreBothRefused() {
        Trial a = Trial.on(subject());
        Trial b = Trial.on(subject());
        a.ended("a", FAILED);
        b.ended("b", FAILED);
        for (int i = 0; i < rounds(ROUNDS); i++) {
            String before = a.dump() + b.dump();
            List<ClaimOutcome> outcomes = race(
                    2,
                    n -> n == 0 ? a.under(b.slug()).ask("a") : b.under(a.slug()).ask("b"));
            assertThat(outcomes).containsExactly(new SlugTaken(b.slug()), new SlugTaken(a.slug()));
            assertThat(a.dump() + b.dump()).isEqualTo(before);
        }
    }

    @Test
    default void c4_aLiveAppKeepsItsSlug() {
        Trial app = Trial.on(subject());
        app.ended("a", live("a"));
        assertSlugFixed(app);
        app.ended("b", FAILED);
        assertSlugFixed(app);
        app.takenBy("c");
        subject().letPass(LIMIT);
        assertSlugFixed(app);
    }

    private static void assertSlugFixed(Trial app) {
        String before = app.dump();
        assertThat(app.under(Trial.newSlug()).ask("x")).isEqualTo(new SlugFixed(app.slug()));
        assertThat(app.dump()).isEqualTo(before);
    }

    @Test
    default void c4_aSlugStaysItsAppsAfterAFailedFirstPublishUntilThatTakesAnother() {
        for (Ending ending : List.of(FAILED, NOT_STARTED)) {
            Trial app = Trial.on(subject());
            app.ended("a", ending);
            Trial rival = Trial.on(subject()).under(app.slug());
            only(SlugTaken.class, rival.ask("b"));

            Claim renamed = app.under(Trial.newSlug()).ended("a", live("a"));
            assertThat(app.find(renamed.attempt()).slug()).isNotEqualTo(app.slug());
            rival.takenBy("b");
            only(SlugFixed.class, app.ask("a"));
        }
    }

    // C5: nothing is inherited.

    @Test
    default void c5_aClaimInheritsNothingOfTheAttemptBefore() {
        for (Ending ending : List.of(FAILED, NOT_STARTED, live("a"))) {
            Trial app = Trial.on(subject());
            Claim a = app.ended("a", ending);
            Claim b = app.takenBy("b");
            Deployment current = subject().deployments().current(app.app()).orElseThrow();
            assertThat(current.id()).isEqualTo(b.attempt());
            assertThat(current.holder().label()).isEqualTo("b");
            assertThat(current.takenOverFrom()).isEmpty();
            Trial.assertBuilding(b, current.state());
            assertThat(app.state(a)).isEqualTo(ending);

            Ending other = new Ending.Failed("something else");
            app.end(b, other);
            assertThat(app.state(b)).isEqualTo(other);
            assertThat(app.state(a)).isEqualTo(ending);
        }
    }

    @Test
    default void c5_theLiveOneStandsUntilAnotherSucceeds() {
        Trial app = Trial.on(subject());
        assertThat(app.liveId()).isEmpty();
        app.ended("a", FAILED);
        assertThat(app.liveId()).isEmpty();
        Claim live = app.ended("a", live("first"));
        assertLive(app, live, "first");

        Claim b = app.takenBy("b");
        assertLive(app, live, "first");
        subject().letPass(LIMIT);
        Claim c = app.takenBy("c");
        assertLive(app, live, "first");
        app.end(c, FAILED);
        app.finish(b, live("late"));
        assertLive(app, live, "first");
        app.ended("c", NOT_STARTED);
        assertLive(app, live, "first");
        assertLive(app, app.ended("d", live("second")), "second");
        assertThat(app.state(live)).isEqualTo(live("first"));
    }

    private static void assertLive(Trial app, Claim claim, String host) {
        Deployment live = app.store().deployments().live(app.app()).orElseThrow();
        assertThat(live.id()).isEqualTo(claim.attempt());
        assertThat(live.state()).isEqualTo(live(host));
        app.assertWhole(live);
    }

    // C6: take-over.

    @Test
    default void c6_aSilentOwnersAppIsClaimableAfterItsLimitAndNotBefore() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(LIMIT.minus(A_MINUTE));
        Trial.assertIs(a, app.toldInProgress("b"));
        subject().letPass(A_MINUTE);
        Claimed b = app.toldClaimed(app.wish("b"));
        assertThat(b.takenOverFrom()).contains(a.attempt());
        Trial.assertAbandoned(b.claim(), app.state(a));
        assertThat(app.find(b.claim().attempt()).takenOverFrom()).contains(a.attempt());
        Trial.assertIs(b.claim(), app.toldInProgress("c"));
    }

    /** A row marked building, whose owner has been silent for ten minutes. */
    @Test
    default void c6_ofManyWhoTakeOverOneIsGrantedAndTheOthersFollowIt() {
        Trial app = Trial.on(subject());
        Claim silent = app.takenBy("silent");
        for (int i = 0; i < rounds(ROUNDS); i++) {
            subject().letPass(LIMIT.multipliedBy(2));
            List<ClaimOutcome> outcomes = race(OWNERS, owner -> app.ask("owner-" + owner));
            Claim won = assertOneStartedAndAllFollowIt(outcomes);
            assertThat(Trial.of(Claimed.class, outcomes).get(0).takenOverFrom()).contains(silent.attempt());
            Trial.assertAbandoned(won, app.state(silent));
            silent = won;
        }
    }

    @Test
    default void c6_onlyASilentOneIsTakenOver() {
        Trial app = Trial.on(subject());
        for (Ending ending : List.of(FAILED, NOT_STARTED, live("a"))) {
            app.ended("a", ending);
            subject().letPass(LIMIT.multipliedBy(2));
            Claimed b = app.toldClaimed(app.wish("b"));
            assertThat(b.takenOverFrom()).isEmpty();
            app.end(b.claim(), FAILED);
        }
    }

    // C7: slow builds.

    /** A limit that guesses how long a build takes would steal it. */
    @Test
    default void c7_aSlowBuildThatRenewsKeepsItsClaimForHours() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        for (int i = 0; i < 50; i++) {
            subject().letPass(LIMIT.minus(A_MINUTE));
            Trial.assertIs(a, app.toldInProgress("b"));
            app.toldHeld(a);
        }
        app.end(a, live("a"));
        assertThat(app.liveId()).contains(a.attempt());
    }

    // C8: one ending.

    /** K6: an owner's finish and a reaper's both succeeded. */
    @Test
    default void c8_ofAFinishAndATakeOverOneComesTrue() {
        int left = rounds(FINISH_AGAINST_TAKE_OVER);
        while (left > 0) {
            List<Trial> apps = Stream.generate(() -> Trial.on(subject()))
                    .limit(Math.min(left, 100))
                    .toList();
            List<Claim> silent = apps.stream().map(app -> app.takenBy("silent")).toList();
            subject().letPass(LIMIT);
            for (int i = 0; i < apps.size(); i++) {
                assertOneComesTrue(apps.get(i), silent.get(i));
            }
            left -= apps.size();
        }
    }

    private static void assertOneComesTrue(Trial app, Claim silent) {
        List<Callable<Object>> tasks = List.of(
                () -> app.finish(silent, live("a")),
                () -> app.ask("taker-1"),
                () -> app.finish(silent, FAILED),
                () -> app.ask("taker-2"));
        List<Object> outcomes = race(tasks);
        List<Claimed> taken = Trial.of(Claimed.class, outcomes);
        List<FinishOutcome> finishes = Trial.of(FinishOutcome.class, outcomes);
        Deployment.State state = app.state(silent);
        assertThat(taken).as("takers among %s", outcomes).hasSize(1);
        Claim taker = taken.get(0).claim();
        if (state instanceof Abandoned) {
            Trial.assertAbandoned(taker, state);
            assertThat(taken.get(0).takenOverFrom()).contains(silent.attempt());
            assertThat(finishes)
                    .allSatisfy(lost -> Trial.assertIs(
                            taker, only(FinishOutcome.Lost.class, lost).to().orElseThrow()));
        } else {
            assertThat(finishes).containsOnly(new FinishOutcome.Ended(only(Ending.class, state)));
            assertThat(taken.get(0).takenOverFrom()).isEmpty();
        }
        assertThat(app.liveId().isPresent()).isEqualTo(state instanceof Ending.Live);
        Trial.assertBuilding(taker, app.state(taker));
        Trial.of(InProgress.class, outcomes)
                .forEach(loser -> assertThat(loser.running().attempt()).isEqualTo(taker.attempt()));
    }

    @Test
    default void c8_theHolderEndsItOnce() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        app.end(a, live("a"));
        assertThat(app.state(a)).isEqualTo(live("a"));
        Claim b = app.takenBy("b");
        Trial.toldEnded(live("a"), app.finish(a, FAILED));
        assertThat(app.state(a)).isEqualTo(live("a"));
        Trial.assertBuilding(b, app.state(b));
        Trial.assertIs(b, app.toldInProgress("c"));
    }

    @Test
    default void c8_whoWasTakenOverHasNoOtherEnding() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(LIMIT);
        Claim b = app.takenBy("b");
        only(FinishOutcome.Lost.class, app.finish(a, live("a")));
        Trial.assertAbandoned(b, app.state(a));
        app.end(b, FAILED);
        only(FinishOutcome.Lost.class, app.finish(a, live("a")));
        Trial.assertAbandoned(b, app.state(a));
        assertThat(app.liveId()).isEmpty();
    }
}
