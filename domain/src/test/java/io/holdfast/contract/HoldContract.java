package io.holdfast.contract;

import static io.holdfast.contract.Contenders.CLAIMS_EACH;
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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimStore.FinishOutcome;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal.InProgress;
import io.holdfast.publish.Refusal.SlugTaken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a holder and a loser may do and are told: rules G6 to G9 and G12 to G14, for publishing. */
interface HoldContract {
    /** The store under test; the same one for the whole of a test. */
    PublishSubject subject();

    // G6: only the holder's writes count.

    /** K3, K4: on one host all holders had one name, and everybody renewed the holder's lease, or unlocked it. */
    @Test
    default void g6_aForgedAttemptIsToldThatItLostAndChangesNothing() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("the same host");
        Claim other = Trial.on(subject()).takenBy("the same host");
        assertLostAndNothingChanged(app, a, new Claim(app.app(), AttemptId.random(), a.fence()));
        assertLostAndNothingChanged(app, a, new Claim(app.app(), other.attempt(), a.fence()));
        assertLostAndNothingChanged(app, a, new Claim(app.app(), other.attempt(), other.fence()));
    }

    @Test
    default void g6_aForgedFenceIsToldThatItLostAndChangesNothing() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        Claim other = Trial.on(subject()).takenBy("b");
        long held = a.fence().value();
        LongStream.of(1, held - 1, held + 1, other.fence().value(), Long.MAX_VALUE)
                .filter(fence -> fence > 0 && fence != held)
                .forEach(fence ->
                        assertLostAndNothingChanged(app, a, new Claim(app.app(), a.attempt(), new Fence(fence))));
    }

    /** K1: an old attempt finished after a newer one, and its row was changed; the write had named the id alone. */
    @Test
    default void g6_whoWasTakenOverIsToldToWhomAndChangesNothing() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("the same host");
        subject().letPass(LIMIT);
        Claim b = app.takenBy("the same host");
        assertLostAndNothingChanged(app, b, a);
        Trial.assertAbandoned(b, app.state(a));
        Trial.assertBuilding(b, app.state(b));
    }

    @Test
    default void g6_afterTheEndNeitherAForgedNorAStaleClaimChangesAnything() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(LIMIT);
        Claim b = app.ended("b", FAILED);
        String before = app.dump();
        for (Claim claim : List.of(
                a,
                new Claim(app.app(), AttemptId.random(), b.fence()),
                new Claim(app.app(), b.attempt(), new Fence(b.fence().value() + 1)))) {
            app.toldOver(claim);
            assertThat(app.finish(claim, live("late")))
                    .isInstanceOfSatisfying(
                            FinishOutcome.Lost.class,
                            lost -> assertThat(lost.to()).isEmpty());
        }
        app.toldOver(b);
        assertThat(app.dump()).isEqualTo(before);
    }

    @Test
    default void g6_aClaimOfOneAppIsNoneOfAnother() {
        Trial app = Trial.on(subject());
        Trial other = Trial.on(subject());
        Claim a = app.takenBy("a");
        Claim b = other.takenBy("b");
        assertLostAndNothingChanged(other, b, new Claim(other.app(), a.attempt(), a.fence()));
        app.end(a, FAILED);
        assertLostAndNothingChanged(other, b, new Claim(other.app(), a.attempt(), a.fence()));
        assertThat(app.state(a)).isEqualTo(FAILED);
    }

    private static void assertLostAndNothingChanged(Trial app, Claim holder, Claim forged) {
        String before = app.dump();
        app.toldLostTo(holder, forged);
        assertThat(app.dump()).isEqualTo(before);
    }

    // G7: only a taker ends a hold.

    /** After an hour without a database running builds go on, instead of all failing at once. */
    @Test
    default void g7_aSilentHolderMayRenewUntilItIsTaken() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(Duration.ofHours(1));
        assertThat(app.toldHeld(a)).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
        Trial.assertIs(a, app.toldInProgress("b"));
    }

    @Test
    default void g7_aSilentHolderMayFinishUntilItIsTaken() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(Duration.ofHours(1));
        app.end(a, live("a"));
        assertThat(app.toldClaimed(app.wish("b")).takenOverFrom()).isEmpty();
        assertThat(app.liveId()).contains(a.attempt());
    }

    /** K26: a taker with a short limit stole from a holder with a long one. */
    @Test
    default void g7_theHoldersOwnLimitDecides() {
        Trial patient = Trial.on(subject());
        Trial hasty = Trial.on(subject());
        Claim a = patient.takenBy(patient.wish("a").within(Duration.ofHours(2)));
        hasty.takenBy(hasty.wish("a").within(A_MINUTE));
        subject().letPass(Duration.ofHours(1));
        Trial.assertIs(a, patient.toldInProgress(patient.wish("b").within(A_MINUTE)));
        hasty.takenBy(hasty.wish("b").within(Duration.ofHours(2)));

        // Renewed by its own limit, too.
        assertThat(patient.toldHeld(a)).isGreaterThan(Duration.ofHours(1));
        subject().letPass(Duration.ofHours(1));
        Trial.assertIs(a, patient.toldInProgress(patient.wish("b").within(A_MINUTE)));
    }

    /** Of a silent holder and of one that ended: what is left of the one before is not the next one's limit. */
    @Test
    default void g7_eachTakerBringsItsOwnLimit() {
        Trial app = Trial.on(subject());
        app.takenBy(app.wish("a").within(A_MINUTE));
        subject().letPass(A_MINUTE);
        Duration ownLimit = Duration.ofHours(2);
        for (String taker : List.of("b", "c")) {
            Claim claim = app.takenBy(app.wish(taker).within(ownLimit));
            subject().letPass(ownLimit.dividedBy(2));
            assertThat(app.toldHeld(claim)).isGreaterThan(ownLimit.minus(A_MINUTE));
            app.end(claim, FAILED);
            ownLimit = ownLimit.multipliedBy(2);
        }
    }

    @Test
    default void g7_aRenewalNeverMovesASignOfLifeBackwards() {
        Trial app = Trial.on(subject());
        Wish wish = app.wish("a");
        Claim a = app.takenBy(wish);
        // The database's clock is set back, and later put right.
        subject().letPass(Duration.ofHours(-1));
        app.toldHeld(a);
        app.toldClaimed(wish);
        subject().letPass(Duration.ofHours(1));
        Incumbent told = app.toldInProgress("b");
        Trial.assertIs(a, told);
        assertThat(told.silentFor()).isLessThan(A_MINUTE);
        assertThat(told.takeableIn()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
    }

    // G8: the loser is told the truth in the same call.

    /** K29: "another operation is in progress", and nobody was named, so that rows were edited by hand. */
    @Test
    default void g8_theLoserIsToldWhoHoldsSinceWhenAndForHowLong() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy(app.wish("host-1 (pid 42)"));
        subject().letPass(A_MINUTE);
        app.toldHeld(a);
        subject().letPass(A_MINUTE);
        Incumbent told = app.toldInProgress("host-2");
        Trial.assertIs(a, told);
        assertThat(told.holder().label()).isEqualTo("host-1 (pid 42)");
        assertThat(told.since()).isEqualTo(app.find(a.attempt()).startedAt());
        assertThat(told.silentFor()).isBetween(A_MINUTE, A_MINUTE.multipliedBy(2));
        assertThat(told.takeableIn()).isBetween(LIMIT.minus(A_MINUTE.multipliedBy(2)), LIMIT.minus(A_MINUTE));
    }

    @Test
    default void g8_theNextLoserIsToldOfTheNextHolder() {
        Trial app = Trial.on(subject());
        for (String holder : List.of("a", "b", "a")) {
            Claim claim = app.takenBy(holder);
            Incumbent told = app.toldInProgress("c");
            Trial.assertIs(claim, told);
            assertThat(told.holder().label()).isEqualTo(holder);
            app.end(claim, FAILED);
        }
    }

    @Test
    default void g8_eachHolderHasHeldSinceItsOwnTake() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(Duration.ofHours(1));
        Claim b = app.takenBy("b");
        Instant anHourLater = app.find(a.attempt()).startedAt().plus(Duration.ofHours(1));
        assertThat(app.toldInProgress("c").since()).isBetween(anHourLater, anHourLater.plus(A_MINUTE));
        assertThat(app.find(b.attempt()).startedAt()).isBetween(anHourLater, anHourLater.plus(A_MINUTE));
    }

    @Test
    default void g8_whoReadsASilentOneIsToldThatItMayBeTaken() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(LIMIT.multipliedBy(2));
        Incumbent by = only(Deployment.Building.class, app.state(a)).by();
        Trial.assertIs(a, by);
        assertThat(by.takeableIn()).isZero();
        assertThat(by.silentFor())
                .isBetween(LIMIT.multipliedBy(2), LIMIT.multipliedBy(2).plus(A_MINUTE));
        app.takenBy("b");
    }

    @Test
    default void g8_whoLosesAHoldIsToldWhoHoldsItNow() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(LIMIT);
        Claim b = app.takenBy("b");
        app.toldLostTo(b, a);
        app.end(b, FAILED);
        app.toldOver(a);
        Claim c = app.takenBy("c");
        app.toldLostTo(c, a);
    }

    /** Whoever is told of a hold is told the same: who lost it, who ends it too late, who reads. */
    @Test
    default void g8_everyAnswerThatNamesAHolderNamesItWhole() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        subject().letPass(LIMIT);
        Claim b = app.takenBy("b");
        subject().letPass(A_MINUTE);
        Incumbent told = app.toldInProgress("c");
        for (Incumbent other : List.of(
                only(Renewal.Lost.class, app.renew(a)).to().orElseThrow(),
                only(FinishOutcome.Lost.class, app.finish(a, FAILED)).to().orElseThrow(),
                only(Deployment.Building.class, app.state(b)).by())) {
            Trial.assertIs(b, other);
            assertThat(other.holder()).isEqualTo(told.holder());
            assertThat(other.since()).isEqualTo(told.since());
            assertThat(other.silentFor()).isBetween(A_MINUTE, A_MINUTE.multipliedBy(2));
            assertThat(other.takeableIn()).isBetween(LIMIT.minus(A_MINUTE.multipliedBy(2)), LIMIT.minus(A_MINUTE));
        }
    }

    /** What is told was true at some moment within the call. */
    @Test
    default void g8_nobodyIsToldOfAHoldThatWasOverBeforeItAsked() {
        Rally.several(() -> Trial.on(subject())).forEach(Rally::assertThatLosersWereToldTheTruth);
    }

    // G9: losing is a value.

    /** Takes, renewals, ends and repeats of ends, all at once on one app: nothing but answers. */
    @Test
    default void g9_contentionRaisesNothing() {
        for (int i = 0; i < rounds(ROUNDS) / CLAIMS_EACH; i++) {
            Trial app = Trial.on(subject());
            List<Boolean> done = race(OWNERS, owner -> {
                for (int n = 0; n < CLAIMS_EACH; n++) {
                    contend(app, "owner-" + owner);
                }
                return true;
            });
            assertThat(done).hasSize(OWNERS);
        }
    }

    private static void contend(Trial app, String owner) {
        ClaimOutcome outcome = app.ask(owner);
        assertThat(outcome).isInstanceOfAny(Claimed.class, InProgress.class);
        if (outcome instanceof Claimed won) {
            app.renew(won.claim());
            app.end(won.claim(), FAILED);
            app.end(won.claim(), FAILED);
            // No word, if a rival has the row just now; but never held.
            assertThat(app.renew(won.claim()) instanceof Renewal.Held).isFalse();
        }
    }

    // G12: repeated endings.

    @Test
    default void g12_theFirstEndingStandsAndIsReturned() {
        for (Ending first : List.of(FAILED, NOT_STARTED, live("a"))) {
            Trial app = Trial.on(subject());
            Claim a = app.ended("a", first);
            assertFirstStands(app, a, first);
            Claim b = app.takenBy("b");
            assertFirstStands(app, a, first);
            app.end(b, live("b"));
            assertFirstStands(app, a, first);
        }
    }

    private static void assertFirstStands(Trial app, Claim a, Ending first) {
        String before = app.dump();
        for (Ending again : List.of(first, FAILED, NOT_STARTED, live("a"), live("other"))) {
            Trial.toldEnded(first, app.finish(a, again));
        }
        assertThat(app.dump()).isEqualTo(before);
    }

    @Test
    default void g12_ofManyEndingsAtOnceOneStandsAndAllAreToldIt() {
        Trial app = Trial.on(subject());
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Claim a = app.takenBy("a");
            List<FinishOutcome> told = race(OWNERS, n -> app.finish(a, new Ending.Failed("error " + n)));
            FinishOutcome standing = new FinishOutcome.Ended(only(Ending.class, app.state(a)));
            assertThat(told).containsOnly(standing);
            app.end(app.takenBy("b"), FAILED);
        }
    }

    // G13: no memory.

    /** K17: a row that had once been there was remembered, and so there was never again a lock until a restart. */
    @Test
    default void g13_aRowThatWasDeletedByHandIsGone() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy(app.wish("a").keyed("key"));
        subject().deleteByHand(app.app());
        app.toldOver(a);
        assertThat(app.finish(a, FAILED))
                .isInstanceOfSatisfying(
                        FinishOutcome.Lost.class, lost -> assertThat(lost.to()).isEmpty());
        assertThat(subject().deployments().find(a.attempt())).isEmpty();
        assertThat(subject().deployments().current(app.app())).isEmpty();

        Claim b = app.takenBy(app.wish("b").keyed("key"));
        Trial.assertIs(b, app.toldInProgress("c"));
        app.end(b, live("b"));
        subject().deleteByHand(app.app());
        app.under(Trial.newSlug()).takenBy("c");
        Trial.on(subject()).under(app.slug()).takenBy("d");
    }

    @Test
    default void g13_anEmptiedStoreBeginsAnew() {
        Trial app = Trial.on(subject());
        Trial other = Trial.on(subject());
        Claim a = app.ended("a", live("a"));
        Claim b = other.takenBy("b");
        subject().wipe();
        app.toldOver(a);
        other.toldOver(b);
        assertThat(app.liveId()).isEmpty();
        assertThat(subject().deployments().recent(app.app(), 10)).isEmpty();

        other.takenBy("c");
        app.under(Trial.newSlug()).ended("d", live("d"));
        assertThat(app.liveId()).isPresent();
    }

    /** K17 again: what failed once must not be remembered as done. */
    @Test
    default void g13_aFailedFirstCallIsForgotten() {
        Trial owner = Trial.on(subject());
        Wish used = owner.wish("a");
        owner.takenBy(used);

        Trial app = Trial.on(subject());
        only(SlugTaken.class, app.under(owner.slug()).ask("b"));
        assertThatThrownBy(() -> app.ask(used.forApp(app.app()).under(app.slug())))
                .isInstanceOf(IllegalArgumentException.class);
        Claim c = app.takenBy("c");
        Trial.assertIs(c, app.toldInProgress("d"));
    }

    // G14: renewing many.

    @Test
    default void g14_eachOfABatchHasItsOwnAnswer() {
        Trial kept = Trial.on(subject());
        Trial lost = Trial.on(subject());
        Trial ended = Trial.on(subject());
        Claim a = kept.takenBy("a");
        Claim taken = lost.takenBy("a");
        subject().letPass(LIMIT);
        Claim b = lost.takenBy("b");
        Claim over = ended.ended("a", FAILED);
        Claim forged = new Claim(kept.app(), AttemptId.random(), a.fence());
        Claim unknown = new Claim(Trial.newApp(), AttemptId.random(), new Fence(1));

        List<Claim> batch = List.of(unknown, forged, a, taken, a, over, b, unknown, a);
        subject().letPass(A_MINUTE.multipliedBy(2));
        Map<Claim, Renewal> said = subject().claims().renew(batch);
        assertThat(said).containsOnlyKeys(a, b, taken, over, forged, unknown);
        for (Claim held : List.of(a, b)) {
            assertThat(only(Renewal.Held.class, said.get(held)).remaining()).isBetween(LIMIT.minus(A_MINUTE), LIMIT);
        }
        Trial.assertIs(b, only(Renewal.Lost.class, said.get(taken)).to().orElseThrow());
        Trial.assertIs(a, only(Renewal.Lost.class, said.get(forged)).to().orElseThrow());
        assertThat(said.get(over)).isEqualTo(said.get(unknown));
        assertThat(only(Renewal.Lost.class, said.get(unknown)).to()).isEmpty();

        subject().letPass(LIMIT.minus(A_MINUTE));
        Trial.assertIs(a, kept.toldInProgress("c"));
        Trial.assertIs(b, lost.toldInProgress("c"));
    }

    /** Each part of it is in the batch, and it is not. */
    @Test
    default void g14_twoHoldsMakeNoThird() {
        Trial one = Trial.on(subject());
        Trial other = Trial.on(subject());
        Claim a = one.takenBy("a");
        Claim b = other.takenBy("b");
        List<Claim> mixed = List.of(
                new Claim(one.app(), b.attempt(), b.fence()),
                new Claim(other.app(), a.attempt(), a.fence()),
                new Claim(one.app(), a.attempt(), new Fence(a.fence().value() + 1)),
                new Claim(other.app(), AttemptId.random(), b.fence()));
        subject().letPass(A_MINUTE);
        String before = one.dump() + other.dump();
        assertThat(subject().claims().renew(mixed))
                .hasSize(4)
                .allSatisfy((hold, said) -> only(Renewal.Lost.class, said));
        assertThat(one.dump() + other.dump()).isEqualTo(before);
    }

    @Test
    default void g14_anEmptyBatchIsAnsweredByNothing() {
        assertThat(subject().claims().renew(List.of())).isEmpty();
    }

    @Test
    default void g14_aBatchOfTenThousandIsAnswered() {
        Map<Claim, Trial> held = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            Trial app = Trial.on(subject());
            held.put(app.takenBy(i % 2 == 0 ? "a" : "b"), app);
        }
        subject().letPass(LIMIT.minus(A_MINUTE));
        String salt = Trial.newApp().value();
        Stream<Claim> strangers = IntStream.range(0, 10_000 - held.size())
                .mapToObj(i -> new Claim(AppId.of(salt + i), AttemptId.random(), new Fence(1 + i)));
        Collection<Claim> batch =
                Stream.concat(strangers, held.keySet().stream()).toList();

        Map<Claim, Renewal> said = subject().claims().renew(batch);
        assertThat(said).hasSize(10_000);
        assertThat(said.keySet().containsAll(batch)).isTrue();
        assertThat(Trial.of(Renewal.Held.class, List.copyOf(said.values()))).hasSize(held.size());
        subject().letPass(LIMIT.minus(A_MINUTE));
        held.forEach((claim, app) -> Trial.assertIs(claim, app.toldInProgress("c")));
    }

    /** Names that an engine's own language could take for something else. */
    @Test
    default void g14_oneMalformedElementDoesNotSpoilTheOthers() {
        Trial app = Trial.on(subject());
        Claim a = app.takenBy("a");
        List<Claim> batch = new ArrayList<>();
        for (String text : Texts.DISTINCT) {
            batch.add(new Claim(AppId.of(text + Trial.newApp().value()), a.attempt(), a.fence()));
        }
        batch.add(new Claim(Trial.newApp(), a.attempt(), new Fence(Long.MAX_VALUE)));
        batch.add(batch.size() / 2, a);
        Map<Claim, Renewal> said = subject().claims().renew(batch);
        assertThat(said).hasSize(batch.size());
        only(Renewal.Held.class, said.remove(a));
        assertThat(said).allSatisfy((claim, renewal) -> only(Renewal.Lost.class, renewal));
    }
}
