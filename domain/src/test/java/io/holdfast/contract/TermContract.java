package io.holdfast.contract;

import static io.holdfast.contract.Court.A_WEEK;
import static io.holdfast.contract.Trial.A_MINUTE;
import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.ImposeOutcome.Imposed;
import io.holdfast.sanction.ReplaceOutcome.NoneActive;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.sanction.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** How long a sanction lasts, and what is kept of it: rules G3, G10, G11, B3 and B5, for sanctions. */
interface TermContract {
    /** The store under test; the same one for the whole of a test. */
    SanctionSubject subject();

    // G3: the database's clock only.

    @Test
    default void g3_aHostsTimeZoneChangesNothing() {
        TimeZone own = TimeZone.getDefault();
        try {
            Court court = Court.on(subject());
            Sanction a = court.imposed(court.terms("a", A_WEEK));
            for (String zone : List.of("Pacific/Kiritimati", "Pacific/Pago_Pago", "Pacific/Kiritimati")) {
                TimeZone.setDefault(TimeZone.getTimeZone(zone));
                court.assertStands(a);
                Sanction told = court.toldAnother(a, court.impose("b"));
                assertThat(Court.endsIn(told).orElseThrow()).isBetween(A_WEEK.minus(A_MINUTE), A_WEEK);
            }
        } finally {
            TimeZone.setDefault(own);
        }
    }

    /** Until the told time is over, counted from when the call was sent, nothing takes its place; and then something does. */
    @Test
    default void g3_theTimeThatIsToldIsTheRows() {
        assertStandsFor(court -> court.imposed(court.terms("a", A_WEEK)));
        assertStandsFor(court -> {
            Sanction a = older(court);
            return court.toldImposed(a.id(), a.terms());
        });
        assertStandsFor(court -> court.toldAnother(older(court), court.impose("b")));
        assertStandsFor(court -> {
            AttemptId id = AttemptId.random();
            return only(Imposed.class, court.replace(older(court), id, court.terms("b", A_WEEK)))
                    .sanction();
        });
        assertStandsFor(TermContract::older);
    }

    private static Sanction older(Court court) {
        court.imposed(court.terms("a", A_WEEK));
        court.store().letPass(A_WEEK.dividedBy(2));
        return court.active().orElseThrow();
    }

    private void assertStandsFor(Function<Court, Sanction> told) {
        Court court = Court.on(subject());
        Sanction sanction = told.apply(court);
        subject().letPass(Court.endsIn(sanction).orElseThrow().minus(A_MINUTE));
        Sanction read = court.active().orElseThrow();
        assertThat(read.id()).isEqualTo(sanction.id());
        court.toldAnother(read, court.impose("late"));
        subject().letPass(A_MINUTE);
        court.assertFree();
    }

    // G10: text is compared exactly, and kept.

    @Test
    default void g10_textsThatLookAlikeAreDifferentAccounts() {
        Map<Court, Sanction> imposed = new HashMap<>();
        String salt = UUID.randomUUID().toString();
        for (String text : Texts.DISTINCT) {
            Court court = new Court(subject(), Account.of(salt + text));
            imposed.put(court, court.imposed("a"));
        }
        imposed.forEach((court, sanction) -> {
            court.toldAnother(sanction, court.impose("b"));
            court.assertStands(sanction);
            assertThat(court.history()).hasSize(1);
            court.lifted(sanction, "c");
        });
    }

    @Test
    default void g10_reasonsAndLabelsAreTheSameWhenTheyAreRead() {
        Court court = Court.on(subject());
        for (String text : Texts.DISTINCT) {
            Terms terms = new Terms(court.account(), text, new Holder(text), Optional.empty());
            Sanction a = court.imposed(terms);
            assertThat(a.terms()).isEqualTo(terms);
            court.assertStands(a);
            Sanction b = only(Imposed.class, court.replace(a, AttemptId.random(), terms))
                    .sanction();
            court.assertStands(b);
            court.lifted(b, text);
        }
    }

    @Test
    default void g10_theLongestTextsFit() {
        String salt = UUID.randomUUID().toString();
        Court court = new Court(subject(), Account.of(Texts.ofBytes(salt, 255)));
        String label = Texts.ofBytes("operator", 200);
        Terms terms = new Terms(
                court.account(),
                Texts.ofBytes("reason", Terms.MAX_REASON),
                new Holder(label),
                Optional.of(Duration.ofDays(365)));
        Sanction a = court.imposed(terms);
        assertThat(a.terms()).isEqualTo(terms);
        court.assertStands(a);
        court.lifted(a, label);
    }

    @Test
    default void g10_anyReasonWillDo() {
        Court court = Court.on(subject());
        for (String reason : List.of("", " ", "\0\ud83d half a pair, ".repeat(10_000))) {
            Terms terms = new Terms(court.account(), reason, new Holder("a"), Optional.empty());
            Sanction a = court.imposed(terms);
            assertThat(a.terms()).isEqualTo(terms);
            court.assertStands(a);
            court.lifted(a, "a");
        }
    }

    // G11: durations.

    @Test
    default void g11_theLongestTimeDoesNotOverflow() {
        Duration longest = Duration.ofDays(365);
        Court court = Court.on(subject());
        Sanction a = court.imposed(court.terms("a", longest));
        assertThat(Court.endsIn(a).orElseThrow()).isBetween(longest.minus(A_MINUTE), longest);
        subject().letPass(longest.minus(A_MINUTE));
        Sanction told = court.active().orElseThrow();
        assertThat(Court.endsIn(told).orElseThrow()).isLessThanOrEqualTo(A_MINUTE);
        subject().letPass(A_MINUTE);
        court.assertFree();
    }

    @Test
    default void g11_aFractionOfTheResolutionIsRoundedUp() {
        Duration whole = Duration.ofHours(1).plusSeconds(59).plusMillis(999);
        Court court = Court.on(subject());
        Sanction a = court.imposed(court.terms("a", whole.minusNanos(1)));
        assertThat(a.terms().lasting()).contains(whole);
        court.assertStands(a);
        subject().letPass(Duration.ofHours(1));
        assertThat(court.active())
                .hasValueSatisfying(read -> assertThat(read.terms()).isEqualTo(a.terms()));
        subject().letPass(whole.minusHours(1));
        court.assertNoneActive();
    }

    @Test
    default void g11_theShortestTimeIsOverAtOnce() {
        Court court = Court.on(subject());
        Sanction a = court.imposed(court.terms("a", Duration.ofNanos(1)));
        subject().letPass(Duration.ofSeconds(1));
        Court.assertRanOut(court.find(a.id()));
        court.assertFree();
    }

    // B3: a timed sanction ends at its time.

    @Test
    default void b3_whatRanOutAndWasFollowedIsNotActiveAgainIfTheClockIsSetBack() {
        Court court = Court.on(subject());
        Sanction a = court.imposed(court.terms("a", A_WEEK));
        subject().letPass(A_WEEK);
        Sanction b = court.imposed("b");
        subject().letPass(A_WEEK.negated());
        Court.assertRanOut(court.find(a.id()));
        assertThat(court.active())
                .hasValueSatisfying(read -> assertThat(read.id()).isEqualTo(b.id()));
    }

    @Test
    default void b3_itStandsUntilItsTimeIsOverAndNotAMomentLonger() {
        Court court = Court.on(subject());
        Sanction a = court.imposed(court.terms("a", A_WEEK));
        subject().letPass(A_WEEK.minus(A_MINUTE));
        Sanction read = court.active().orElseThrow();
        assertThat(Court.endsIn(read).orElseThrow()).isLessThanOrEqualTo(A_MINUTE);
        court.toldAnother(read, court.impose("b"));
        subject().letPass(A_MINUTE);
        court.assertNoneActive();
        Court.assertRanOut(court.find(a.id()));
        assertThat(court.find(a.id()).terms()).isEqualTo(a.terms());
    }

    /** Before anybody has written anything, and after. */
    @Test
    default void b3_anotherOneCanBeImposedWithNoJobHavingRun() {
        Court court = Court.on(subject());
        List<AttemptId> newestFirst = new ArrayList<>();
        for (String by : List.of("a", "b", "c")) {
            Sanction timed = court.imposed(court.terms(by, A_WEEK));
            newestFirst.add(0, timed.id());
            subject().letPass(A_WEEK);
            assertThat(court.history()).extracting(Sanction::id).isEqualTo(newestFirst);
            assertThat(court.history()).allSatisfy(Court::assertRanOut);
        }
        court.assertFree();
        assertThat(court.history().subList(1, 4)).allSatisfy(Court::assertRanOut);
    }

    @Test
    default void b3_whatHasRunOutCanBeNeitherLiftedNorReplaced() {
        Court court = Court.on(subject());
        Sanction a = court.imposed(court.terms("a", A_WEEK));
        subject().letPass(A_WEEK);
        String before = court.dump();
        Court.assertRanOut(court.toldOver(a, court.lift(a, "b")));
        only(NoneActive.class, court.replace(a, "c"));
        assertThat(court.dump()).isEqualTo(before);
        Court.assertRanOut(court.find(a.id()));
    }

    @Test
    default void b3_oneWithoutAnEndDoesNotEnd() {
        Court court = Court.on(subject());
        Sanction a = court.imposed("a");
        assertThat(Court.endsIn(a)).isEmpty();
        subject().letPass(Duration.ofDays(10_000));
        Sanction read = court.active().orElseThrow();
        assertThat(read.id()).isEqualTo(a.id());
        court.toldAnother(read, court.impose("b"));
        court.lifted(read, "c");
    }

    @Test
    default void b3_howAnotherOneHasEndedStaysAsItWas() {
        Court court = Court.on(subject());
        Sanction a = court.imposed(court.terms("a", A_WEEK));
        court.lifted(a, "a");
        Sanction b = court.imposed(court.terms("b", A_WEEK));
        Sanction c = court.replaced(b, "c");
        subject().letPass(A_WEEK.multipliedBy(2));
        Court.assertLifted("a", court.find(a.id()));
        Court.assertReplaced(c, court.find(b.id()));
        assertThat(court.active())
                .hasValueSatisfying(read -> assertThat(read.id()).isEqualTo(c.id()));
        court.lifted(c, "d");
        court.imposed("e");
        Court.assertLifted("a", court.find(a.id()));
        Court.assertReplaced(c, court.find(b.id()));
    }

    @Test
    default void b3_aReplacementHasATimeOfItsOwn() {
        Court court = Court.on(subject());
        Sanction a = court.imposed(court.terms("a", A_WEEK));
        subject().letPass(A_WEEK.dividedBy(2));
        Sanction b = only(Imposed.class, court.replace(a, AttemptId.random(), court.terms("b", A_WEEK)))
                .sanction();
        court.assertStands(b);
        assertThat(b.since()).isAfter(a.since());
        subject().letPass(A_WEEK.minus(A_MINUTE));
        assertThat(court.active()).isPresent();
        subject().letPass(A_MINUTE);
        court.assertNoneActive();
        Court.assertReplaced(b, court.find(a.id()));
    }

    // B5: history.

    @Test
    default void b5_theNewestComesFirstAndNoneIsMissing() {
        Court court = Court.on(subject());
        Court.on(subject()).imposed("another account's operator");
        assertThat(court.history()).isEmpty();
        List<AttemptId> newestFirst = new ArrayList<>();
        Sanction a = court.imposed("a");
        newestFirst.add(0, a.id());
        court.lifted(a, "a");
        newestFirst.add(0, court.imposed(court.terms("b", A_WEEK)).id());
        subject().letPass(A_WEEK);
        Sanction c = court.imposed("c");
        newestFirst.add(0, c.id());
        newestFirst.add(0, court.replaced(c, "d").id());
        for (int atMost : List.of(1, 3, newestFirst.size(), 1_000)) {
            assertThat(subject().sanctions().history(court.account(), atMost))
                    .extracting(Sanction::id)
                    .isEqualTo(newestFirst.subList(0, Math.min(atMost, newestFirst.size())));
        }
        assertThatThrownBy(() -> subject().sanctions().history(court.account(), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void b5_eachIsKeptInEveryPart() {
        Court court = Court.on(subject());
        Terms terms = court.terms("a", A_WEEK);
        Sanction a = court.imposed(terms);
        Sanction over = court.lifted(a, "b");
        Instant at = only(Sanction.Lifted.class, over.state()).at();
        assertThat(at).isBetween(a.since(), a.since().plus(A_MINUTE));
        court.imposed("c");
        assertThat(court.history().get(1))
                .isEqualTo(new Sanction(a.id(), terms, a.since(), new Sanction.Lifted(new Holder("b"), at)));
    }

    /** The order is that of the decisions, and not that of a clock. */
    @Test
    default void b5_theOrderStaysWhenTheClockIsSetBack() {
        Court court = Court.on(subject());
        Sanction a = court.imposed("a");
        court.lifted(a, "a");
        subject().letPass(Duration.ofDays(-1));
        Sanction b = court.imposed("b");
        assertThat(court.history()).extracting(Sanction::id).containsExactly(b.id(), a.id());
        Sanction c = court.replaced(b, "c");
        assertThat(court.history()).extracting(Sanction::id).containsExactly(c.id(), b.id(), a.id());
    }

    @Test
    default void b5_theLastHundredAreKept() {
        Court court = Court.on(subject());
        List<AttemptId> newestFirst = new ArrayList<>();
        Sanction last = court.imposed("first");
        newestFirst.add(0, last.id());
        for (int i = 0; i < SanctionStore.HISTORY + 2; i++) {
            if (i % 10 == 0) {
                court.lifted(last, "operator-" + i);
                last = court.imposed("operator-" + i);
            } else {
                last = court.replaced(last, "operator-" + i);
            }
            newestFirst.add(0, last.id());
        }
        assertKept(court, last, newestFirst);
        court.lifted(last, "operator");
        last = court.imposed("operator");
        newestFirst.add(0, last.id());
        assertKept(court, last, newestFirst);
    }

    private static void assertKept(Court court, Sanction last, List<AttemptId> newestFirst) {
        court.assertStands(last);
        assertThat(court.history()).extracting(Sanction::id).isEqualTo(newestFirst.subList(0, SanctionStore.HISTORY));
    }
}
