package io.holdfast.contract;

import static io.holdfast.contract.Trial.A_MINUTE;
import static io.holdfast.contract.Trial.FAILED;
import static io.holdfast.contract.Trial.live;
import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Slug;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Text is compared exactly and durations are kept whole: rules G10 and G11, for publishing. */
interface ValueContract {
    /** The store under test; the same one for the whole of a test. */
    PublishSubject subject();

    // G10: text is compared exactly.

    /** K16: a name that did not fit was cut, and never found again. */
    @Test
    default void g10_textsThatLookAlikeAreDifferentKeys() {
        Map<String, Claim> held = new HashMap<>();
        String salt = Trial.newSlug().value();
        for (String text : Texts.DISTINCT) {
            Trial app = new Trial(subject(), AppId.of(salt + text), Trial.newSlug());
            held.put(text, app.takenBy("a"));
        }
        held.forEach((text, claim) -> {
            Trial app = new Trial(subject(), claim.app(), Trial.newSlug());
            Trial.assertIs(claim, app.toldInProgress("b"));
            assertThat(app.find(claim.attempt()).app()).isEqualTo(claim.app());
            assertThat(subject().deployments().current(claim.app()))
                    .hasValueSatisfying(current -> assertThat(current.id()).isEqualTo(claim.attempt()));
        });
        assertThat(subject().claims().renew(held.values()))
                .hasSize(held.size())
                .allSatisfy((claim, renewal) -> only(Renewal.Held.class, renewal));
    }

    @Test
    default void g10_textsThatLookAlikeAreDifferentRequestKeys() {
        Trial app = Trial.on(subject());
        Map<String, Claim> ended = new HashMap<>();
        for (String text : Texts.DISTINCT) {
            Claim claim = app.takenBy(app.wish("a").keyed(text));
            app.end(claim, FAILED);
            ended.put(text, claim);
        }
        ended.forEach((text, claim) ->
                assertThat(app.toldAlreadyRun(app.wish("b").keyed(text)).id()).isEqualTo(claim.attempt()));
    }

    @Test
    default void g10_labelsAndOutcomesAreTheSameWhenTheyAreRead() {
        for (String text : Texts.DISTINCT) {
            Trial app = Trial.on(subject());
            Claim a = app.takenBy(app.wish(text));
            assertThat(app.toldInProgress("b").holder().label()).isEqualTo(text);
            app.end(a, new Ending.Failed(text));
            assertThat(app.find(a.attempt()).holder().label()).isEqualTo(text);
            assertThat(app.state(a)).isEqualTo(new Ending.Failed(text));

            Claim b = app.takenBy("b");
            app.end(b, new Ending.NotStarted(text));
            assertThat(app.state(b)).isEqualTo(new Ending.NotStarted(text));
        }
    }

    @Test
    default void g10_theLongestTextsFit() {
        AppId id = AppId.of(Texts.ofBytes(Trial.newSlug().value(), 255));
        Slug slug = Slug.of((Trial.newSlug().value() + "x".repeat(63)).substring(0, 63));
        Trial app = new Trial(subject(), id, slug);
        Wish wish = app.wish(Texts.ofBytes("holder", 200)).keyed(Texts.ofBytes("key", 255));
        Claim a = app.takenBy(wish);
        assertThat(app.toldInProgress("b").holder().label()).isEqualTo(wish.holder());
        Ending live = new Ending.Live(URI.create("https://example.com/" + "p".repeat(Ending.MAX_URL - 20)));
        app.end(a, live);
        Deployment found = app.find(a.attempt());
        assertThat(found.app()).isEqualTo(id);
        assertThat(found.slug()).isEqualTo(slug);
        assertThat(found.holder().label()).isEqualTo(wish.holder());
        assertThat(found.state()).isEqualTo(live);
        assertThat(app.toldAlreadyRun(
                                app.wish("b").keyed(wish.requestKey().get().value()))
                        .id())
                .isEqualTo(a.attempt());

        Claim b = app.takenBy("b");
        Ending failed = new Ending.Failed(Texts.ofBytes("error", Ending.MAX_TEXT));
        app.end(b, failed);
        assertThat(app.state(b)).isEqualTo(failed);
    }

    @Test
    default void g10_anyBuildLogCanBeFinishedWith() {
        String log = "\0\ud83d half a pair, \udd25 the other half, \ud83d\udd25 both, ".repeat(250_000);
        Trial app = Trial.on(subject());
        for (Ending ending : List.of(new Ending.Failed(log), new Ending.NotStarted(log))) {
            Claim a = app.takenBy("a");
            app.end(a, ending);
            assertThat(app.state(a)).isEqualTo(ending);
            app.end(app.takenBy("b"), FAILED);
        }
    }

    // G11: durations.

    @Test
    default void g11_theLongestLimitDoesNotOverflow() {
        Duration longest = Duration.ofDays(365);
        Trial app = Trial.on(subject());
        Claimed a = app.toldClaimed(app.wish("a").within(longest));
        assertThat(a.remaining()).isBetween(longest.minus(A_MINUTE), longest);
        assertThat(app.toldHeld(a.claim())).isBetween(longest.minus(A_MINUTE), longest);
        subject().letPass(longest.minus(A_MINUTE));
        Incumbent told = app.toldInProgress("b");
        assertThat(told.silentFor()).isBetween(longest.minus(A_MINUTE), longest);
        assertThat(told.takeableIn()).isLessThanOrEqualTo(A_MINUTE);
        subject().letPass(A_MINUTE);
        app.takenBy(app.wish("b").within(longest));
    }

    /** A limit that is rounded down lets others in too early. */
    @Test
    default void g11_aFractionOfTheResolutionIsRoundedUp() {
        Duration limit = Duration.ofHours(1).plusMillis(999);
        Trial app = Trial.on(subject());
        Claim a = app.takenBy(app.wish("a").within(limit));
        assertWholeLimit(limit, app.toldInProgress("b"));
        app.toldHeld(a);
        assertWholeLimit(limit, app.toldInProgress("b"));
    }

    private static void assertWholeLimit(Duration limit, Incumbent told) {
        // The two are told by one statement, though maybe not by one look at the clock.
        assertThat(told.silentFor().plus(told.takeableIn())).isBetween(limit.minusMillis(100), limit.plusSeconds(1));
    }

    @Test
    default void g11_theShortestLimitIsTakenAtOnce() {
        Trial app = Trial.on(subject());
        Claimed a = app.toldClaimed(app.wish("a").within(Duration.ofNanos(1)));
        assertThat(a.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(1));
        subject().letPass(Duration.ofSeconds(1));
        app.takenBy("b");
    }
}
