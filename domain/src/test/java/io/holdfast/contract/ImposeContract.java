package io.holdfast.contract;

import static io.holdfast.contract.Contenders.OWNERS;
import static io.holdfast.contract.Contenders.ROUNDS;
import static io.holdfast.contract.Contenders.race;
import static io.holdfast.contract.Contenders.rounds;
import static io.holdfast.contract.Court.A_WEEK;
import static io.holdfast.contract.Trial.A_MINUTE;
import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AttemptId;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.ImposeOutcome.Another;
import io.holdfast.sanction.ImposeOutcome.Imposed;
import io.holdfast.sanction.LiftOutcome;
import io.holdfast.sanction.ReplaceOutcome;
import io.holdfast.sanction.ReplaceOutcome.NoneActive;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.sanction.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which sanction an account has, and what everybody else is told: rules G1, G2, G5, G8, G9, G12, G13, B1, B2 and B4. */
interface ImposeContract {
    /** The store under test; the same one for the whole of a test. */
    SanctionSubject subject();

    // G1: one winner.

    @Test
    default void g1_ofManyWhoSanctionANewAccountOneDoes() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Court court = Court.on(subject());
            assertOneImposed(race(OWNERS, n -> court.impose("operator-" + n)));
        }
    }

    @Test
    default void g1_ofManyWhoSanctionALiftedAccountOneDoes() {
        Court court = Court.on(subject());
        for (int i = 0; i < rounds(ROUNDS); i++) {
            court.lifted(assertOneImposed(race(OWNERS, n -> court.impose("operator-" + n))), "a");
        }
    }

    @Test
    default void g1_ofManyWhoComeWhenTheTimeIsOverOneDoes() {
        Court court = Court.on(subject());
        for (int i = 0; i < rounds(ROUNDS); i++) {
            assertOneImposed(race(OWNERS, n -> court.impose(court.terms("operator-" + n, A_WEEK))));
            subject().letPass(A_WEEK);
        }
    }

    private static Sanction assertOneImposed(List<ImposeOutcome> outcomes) {
        List<Imposed> winners = Trial.of(Imposed.class, outcomes);
        assertThat(winners).as("winners among %s", outcomes).hasSize(1);
        return winners.get(0).sanction();
    }

    // G2: one write decides.

    /** Whoever has imposed one ends it before another one comes; nobody else touches it. */
    @Test
    default void g2_noTwoAreEverActiveAtOnce() {
        for (int i = 0; i < rounds(ROUNDS) / 4; i++) {
            Court court = Court.on(subject());
            race(OWNERS, n -> {
                for (int turn = 0; turn < 4; turn++) {
                    if (court.impose("operator-" + n) instanceof Imposed mine) {
                        court.assertStands(mine.sanction());
                        court.lifted(mine.sanction(), "operator-" + n);
                    }
                }
                return true;
            });
            court.assertFree();
        }
    }

    @Test
    default void g2_aLoserChangesNothing() {
        Court court = Court.on(subject());
        Sanction old = court.imposed("a");
        court.lifted(old, "a");
        Sanction active = court.imposed(court.terms("b", A_WEEK));
        String before = court.dump();
        court.toldAnother(active, court.impose("c"));
        court.toldAnother(active, court.impose(court.terms("d", A_WEEK.multipliedBy(2))));
        only(Another.class, court.replace(old, "e"));
        court.toldMissed(Optional.of(active), court.lift(old, "f"));
        assertThat(court.dump()).isEqualTo(before);
    }

    /** Losers that hold a lock beyond their statement keep the one who replaces and lifts from doing so. */
    @Test
    default void g2_everyChangeGetsThroughBesideManyLosers() {
        Court court = Court.on(subject());
        Sanction first = court.imposed("first");
        CountDownLatch losing = new CountDownLatch(OWNERS - 1);
        List<Callable<Boolean>> tasks = new ArrayList<>();
        tasks.add(() -> {
            Sanction mine = first;
            do {
                long begun = System.nanoTime();
                mine = court.replaced(mine, "first");
                assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(2));
            } while (losing.getCount() > 0);
            return true;
        });
        for (int i = 1; i < OWNERS; i++) {
            String loser = "loser-" + i;
            tasks.add(() -> {
                try {
                    for (int n = 0; n < rounds(ROUNDS); n++) {
                        only(Another.class, court.impose(loser));
                    }
                    return true;
                } finally {
                    losing.countDown();
                }
            });
        }
        assertThat(race(tasks)).hasSize(OWNERS);
    }

    // G5: a repeat.

    @Test
    default void g5_aRepeatGetsTheSameSanctionAndTheTimeThatIsLeft() {
        Court court = Court.on(subject());
        AttemptId id = AttemptId.random();
        Terms terms = court.terms("a", A_WEEK);
        court.toldImposed(id, terms);
        subject().letPass(A_WEEK.dividedBy(2));
        Sanction first = court.active().orElseThrow();
        for (Terms again : List.of(terms, court.terms("b"), court.terms("a", A_WEEK.multipliedBy(3)))) {
            String before = court.dump();
            Sanction told = court.toldImposed(id, again);
            Court.assertSame(first, told);
            assertThat(told.terms()).isEqualTo(terms);
            assertThat(Court.endsIn(told).orElseThrow())
                    .isBetween(A_WEEK.dividedBy(2).minus(A_MINUTE), A_WEEK.dividedBy(2));
            assertThat(court.dump()).isEqualTo(before);
        }
    }

    @Test
    default void g5_aRepeatedReplacementGetsTheSameSanction() {
        Court court = Court.on(subject());
        Sanction a = court.imposed("a");
        AttemptId id = AttemptId.random();
        Sanction b = only(Imposed.class, court.replace(a, id, court.terms("b"))).sanction();
        String before = court.dump();
        Court.assertSame(
                b, only(Imposed.class, court.replace(a, id, court.terms("b"))).sanction());
        Court.assertSame(b, court.toldImposed(id, court.terms("b")));
        assertThat(court.dump()).isEqualTo(before);
        court.lifted(b, "c");
        court.toldOver(b, court.replace(a, id, court.terms("b")));
    }

    @Test
    default void g5_repeatsAtOnceImposeOnce() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Court court = Court.on(subject());
            List<AttemptId> ids = List.of(AttemptId.random(), AttemptId.random());
            List<ImposeOutcome> outcomes = race(OWNERS, n -> court.impose(ids.get(n % 2), court.terms("a")));
            Set<AttemptId> imposed = Trial.of(Imposed.class, outcomes).stream()
                    .map(won -> won.sanction().id())
                    .collect(Collectors.toSet());
            assertThat(imposed).as("imposed among %s", outcomes).hasSize(1);
            assertThat(Trial.of(Imposed.class, outcomes)).hasSize(OWNERS / 2);
            assertThat(Trial.of(Another.class, outcomes))
                    .hasSize(OWNERS / 2)
                    .allSatisfy(told -> assertThat(told.active().id()).isIn(imposed));
            assertThat(court.history()).hasSize(1);
        }
    }

    @Test
    default void g5_repeatedReplacementsAtOnceReplaceOnce() {
        Court court = Court.on(subject());
        Sanction seen = court.imposed("first");
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Sanction old = seen;
            AttemptId id = AttemptId.random();
            assertThat(race(OWNERS, n -> court.replace(old, id, court.terms("a"))))
                    .allSatisfy(told -> assertThat(
                                    only(Imposed.class, told).sanction().id())
                            .isEqualTo(id));
            assertThat(court.history()).hasSize(i + 2);
            seen = court.active().orElseThrow();
        }
    }

    /** Also when the packet that arrives after the end is the first one that was sent. */
    @Test
    default void g5_anIdThatHasEndedIsToldSoAndImposesNothing() {
        Court lifted = Court.on(subject());
        Sanction a = lifted.imposed("a");
        lifted.lifted(a, "b");
        Court.assertLifted("b", assertOver(lifted, a));

        Court ranOut = Court.on(subject());
        Sanction b = ranOut.imposed(ranOut.terms("b", A_WEEK));
        subject().letPass(A_WEEK);
        Court.assertRanOut(assertOver(ranOut, b));

        Court replaced = Court.on(subject());
        Sanction c = replaced.imposed("c");
        Sanction d = replaced.replaced(c, "d");
        Court.assertReplaced(d, replaced.toldOver(c, replaced.impose(c.id(), c.terms())));
        replaced.lifted(d, "e");
        Court.assertReplaced(d, assertOver(replaced, c));
    }

    private static Sanction assertOver(Court court, Sanction ended) {
        String before = court.dump();
        court.toldOver(ended, court.impose(ended.id(), ended.terms()));
        assertThat(court.dump()).isEqualTo(before);
        court.assertNoneActive();

        Sanction next = court.imposed("next");
        before = court.dump();
        court.toldOver(ended, court.impose(ended.id(), ended.terms()));
        court.toldOver(ended, court.replace(next, ended.id(), ended.terms()));
        assertThat(court.dump()).isEqualTo(before);
        court.lifted(next, "next");
        return court.toldOver(ended, court.impose(ended.id(), ended.terms()));
    }

    @Test
    default void g5_anIdOfAnotherAccountIsRefused() {
        Court court = Court.on(subject());
        Sanction a = court.imposed("a");
        Court fresh = Court.on(subject());
        Court sanctioned = Court.on(subject());
        Sanction b = sanctioned.imposed("b");
        assertRefused(a, () -> fresh.impose(a.id(), fresh.terms("c")), court, fresh);
        assertRefused(a, () -> sanctioned.replace(b, a.id(), sanctioned.terms("c")), court, sanctioned);
        court.lifted(a, "d");
        assertRefused(a, () -> fresh.impose(a.id(), fresh.terms("c")), court, fresh);
        assertRefused(a, () -> sanctioned.replace(b, a.id(), sanctioned.terms("c")), court, sanctioned);
        assertThat(fresh.history()).isEmpty();
        sanctioned.assertStands(b);

        // A store that tells a loser the truth in one round trip has seen this account alone.
        String before = court.dump() + sanctioned.dump();
        try {
            sanctioned.toldAnother(b, sanctioned.impose(a.id(), sanctioned.terms("c")));
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageContaining(a.id().toString()).hasMessageContaining("another account");
        }
        assertThat(court.dump() + sanctioned.dump()).isEqualTo(before);
    }

    private static void assertRefused(Sanction of, Callable<?> wish, Court court, Court other) {
        String before = court.dump() + other.dump();
        assertThatThrownBy(wish::call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(of.id().toString())
                .hasMessageContaining("another account");
        assertThat(court.dump() + other.dump()).isEqualTo(before);
    }

    // G8: the loser is told the truth.

    @Test
    default void g8_theLoserIsToldWhatStandsInEveryPart() {
        Court court = Court.on(subject());
        court.lifted(court.imposed("older"), "older");
        Sanction a = court.imposed(court.terms("a", A_WEEK));
        subject().letPass(A_MINUTE);
        Sanction read = court.active().orElseThrow();
        for (Sanction told : List.of(
                court.toldAnother(read, court.impose("b")),
                only(Another.class, court.replace(court.unknown(), "c")).active(),
                only(LiftOutcome.Missed.class, court.lift(court.unknown(), "d"))
                        .active()
                        .orElseThrow())) {
            Court.assertSame(read, told);
            assertThat(told.terms()).isEqualTo(a.terms());
            assertThat(Court.endsIn(told).orElseThrow())
                    .isBetween(A_WEEK.minus(A_MINUTE.multipliedBy(2)), A_WEEK.minus(A_MINUTE));
        }
    }

    @Test
    default void g8_afterAChangeTheLoserIsToldTheNewOne() {
        Court court = Court.on(subject());
        Sanction a = court.imposed("a");
        court.toldAnother(a, court.impose("c"));
        Sanction b = court.replaced(a, "b");
        court.toldAnother(b, court.impose("c"));
        court.lifted(b, "b");
        Sanction d = court.imposed(court.terms("d", A_WEEK));
        court.toldAnother(court.active().orElseThrow(), court.impose("c"));
        subject().letPass(A_WEEK);
        Sanction e = court.imposed("e");
        assertThat(court.toldAnother(e, court.impose("c")).id()).isNotEqualTo(d.id());
    }

    // G9: losing is a value.

    @Test
    default void g9_contentionRaisesNothing() {
        for (int i = 0; i < rounds(ROUNDS) / 4; i++) {
            Court court = Court.on(subject());
            List<Boolean> done = race(OWNERS, n -> {
                for (int turn = 0; turn < 3; turn++) {
                    contend(court, "operator-" + n);
                }
                return true;
            });
            assertThat(done).hasSize(OWNERS);
        }
    }

    private static void contend(Court court, String operator) {
        ImposeOutcome imposed = court.impose(operator);
        Sanction seen = imposed instanceof Another another
                ? another.active()
                : only(Imposed.class, imposed).sanction();
        ReplaceOutcome replaced = court.replace(seen, operator);
        assertThat(replaced).isInstanceOfAny(Imposed.class, Another.class, NoneActive.class);
        Sanction next = replaced instanceof Imposed mine ? mine.sanction() : seen;
        court.lift(next, operator);
        court.lift(next, operator);
    }

    // G12: repeated endings.

    @Test
    default void g12_theFirstEndingStandsAndIsReturned() {
        Court court = Court.on(subject());
        Sanction a = court.imposed("a");
        Sanction over = court.lifted(a, "b");
        assertFirstStands(court, over);

        Sanction c = court.imposed(court.terms("c", A_WEEK));
        subject().letPass(A_WEEK);
        assertFirstStands(court, court.find(c.id()));
        Court.assertRanOut(court.find(c.id()));

        Sanction d = court.imposed("d");
        Sanction e = court.replaced(d, "e");
        court.lifted(e, "f");
        assertFirstStands(court, court.find(d.id()));
        Court.assertReplaced(e, court.find(d.id()));
    }

    private static void assertFirstStands(Court court, Sanction over) {
        String before = court.dump();
        for (String again : List.of("b", "another")) {
            assertThat(court.toldOver(over, court.lift(over, again))).isEqualTo(over);
        }
        only(NoneActive.class, court.replace(over, "another"));
        assertThat(court.dump()).isEqualTo(before);
    }

    @Test
    default void g12_ofManyLiftsAtOnceOneStandsAndAllAreToldIt() {
        Court court = Court.on(subject());
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Sanction a = court.imposed("a");
            List<LiftOutcome> told = race(OWNERS, n -> court.lift(a, "operator-" + n));
            Sanction over = court.find(a.id());
            assertThat(told).containsOnly(new ImposeOutcome.Over(over));
            assertThat(over.state()).isInstanceOf(Sanction.Lifted.class);
        }
    }

    // G13: no memory.

    @Test
    default void g13_whatWasDeletedByHandIsGone() {
        Court court = Court.on(subject());
        Sanction a = court.imposed("a");
        Sanction b = court.replaced(a, "b");
        subject().deleteByHand(court.account());
        court.toldMissed(Optional.empty(), court.lift(b, "c"));
        only(NoneActive.class, court.replace(b, "c"));
        assertThat(court.active()).isEmpty();
        assertThat(court.history()).isEmpty();

        Sanction d = court.imposed("d");
        court.toldAnother(d, court.impose("e"));
        court.toldMissed(Optional.of(d), court.lift(b, "f"));
        court.assertStands(d);
        // Nobody remembers that id, whose account may be another one now.
        subject().deleteByHand(court.account());
        Court other = Court.on(subject());
        other.toldImposed(d.id(), other.terms("g"));
    }

    @Test
    default void g13_anEmptiedStoreBeginsAnew() {
        Court court = Court.on(subject());
        Court other = Court.on(subject());
        Sanction a = court.imposed("a");
        Sanction b = other.imposed("b");
        other.lifted(b, "b");
        subject().wipe();
        court.toldMissed(Optional.empty(), court.lift(a, "c"));
        assertThat(other.history()).isEmpty();
        court.assertFree();
        other.assertFree();
    }

    // B1: one active per account.

    /** The incident: two operators banned one account, and there was nothing yet to put a condition on. */
    @Test
    default void b1_ofManyAtOnceOneIsImposedAndTheOthersGetThatOne() {
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Court court = Court.on(subject());
            List<ImposeOutcome> outcomes = race(OWNERS, n -> court.impose("operator-" + n));
            Sanction won = assertOneImposed(outcomes);
            assertThat(Trial.of(Another.class, outcomes))
                    .hasSize(OWNERS - 1)
                    .allSatisfy(loser -> Court.assertSame(won, loser.active()));
            court.assertStands(won);
            assertThat(court.history()).hasSize(1);
        }
    }

    @Test
    default void b1_accountsAreIndependent() {
        Court court = Court.on(subject());
        Court other = Court.on(subject());
        Sanction a = court.imposed("a");
        Sanction b = other.imposed("a");
        court.lifted(a, "a");
        other.assertStands(b);
        // The one that was seen is another account's.
        court.toldMissed(Optional.empty(), court.lift(b, "c"));
        only(NoneActive.class, court.replace(b, "c"));
        Sanction d = court.imposed("d");
        court.toldMissed(Optional.of(d), court.lift(b, "c"));
        only(Another.class, court.replace(b, "c"));
        other.assertStands(b);
        court.assertStands(d);
    }

    // B2: ended ones do not count.

    @Test
    default void b2_anAccountCanBeSanctionedAgainAtOnce() {
        Court court = Court.on(subject());
        for (String by : List.of("a", "b", "c")) {
            Sanction sanction = court.imposed(by);
            court.assertStands(sanction);
            Sanction next = court.replaced(sanction, by);
            court.assertStands(next);
            court.lifted(next, by);
            court.assertNoneActive();
        }
        assertThat(court.history()).hasSize(6);
    }

    /** By several at once: never two, and never none with an error. */
    @Test
    default void b2_liftAndImposeAgainBySeveralAtOnceLeavesOne() {
        Court court = Court.on(subject());
        Sanction seen = court.imposed("first");
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Sanction old = seen;
            List<ImposeOutcome> outcomes = race(OWNERS, n -> {
                court.lift(old, "operator-" + n);
                return court.impose("operator-" + n);
            });
            Sanction won = assertOneImposed(outcomes);
            assertThat(Trial.of(Another.class, outcomes))
                    .hasSize(OWNERS - 1)
                    .allSatisfy(loser -> Court.assertSame(won, loser.active()));
            court.assertStands(won);
            assertThat(court.history().stream().filter(each -> each.state() instanceof Sanction.Active))
                    .hasSize(1);
            seen = won;
        }
    }

    @Test
    default void b2_anIdThatWasImposedOnceIsNeverImposedAgain() {
        Court court = Court.on(subject());
        Sanction a = court.imposed("a");
        court.lifted(a, "b");
        for (int i = 0; i < 3; i++) {
            court.toldOver(a, court.impose(a.id(), a.terms()));
            court.assertNoneActive();
        }
        Sanction c = court.imposed("c");
        court.toldOver(a, court.replace(c, a.id(), a.terms()));
        court.assertStands(c);
    }

    // B4: lift and replace name the one that was seen.

    @Test
    default void b4_anotherOneInItsPlaceIsLeftAloneAndReturned() {
        Court court = Court.on(subject());
        Sanction a = court.imposed("a");
        court.lifted(a, "a");
        Sanction b = court.imposed("b");
        assertLeftAlone(court, b, a);
        Sanction c = court.replaced(b, "c");
        assertLeftAlone(court, c, a);
        assertLeftAlone(court, c, b);
        Court.assertReplaced(c, court.find(b.id()));
        court.lifted(c, "c");
        Sanction d = court.imposed(court.terms("d", A_WEEK));
        subject().letPass(A_WEEK);
        Sanction e = court.imposed("e");
        assertLeftAlone(court, e, d);
    }

    private static void assertLeftAlone(Court court, Sanction active, Sanction seen) {
        String before = court.dump();
        court.toldMissed(Optional.of(active), court.lift(seen, "late"));
        Court.assertSame(
                active, only(Another.class, court.replace(seen, "late")).active());
        court.assertStands(active);
        assertThat(court.dump()).isEqualTo(before);
    }

    @Test
    default void b4_whoReplacesWhatHasEndedImposesNothing() {
        Court court = Court.on(subject());
        Sanction a = court.imposed("a");
        court.lifted(a, "a");
        only(NoneActive.class, court.replace(a, "b"));
        Sanction c = court.imposed(court.terms("c", A_WEEK));
        subject().letPass(A_WEEK);
        only(NoneActive.class, court.replace(c, "d"));
        court.assertFree();
    }

    @Test
    default void b4_ofManyWhoReplaceOrLiftTheSameOneOneDoes() {
        Court court = Court.on(subject());
        for (int i = 0; i < rounds(ROUNDS); i++) {
            Sanction seen = court.active().orElseGet(() -> court.imposed("first"));
            List<Object> outcomes =
                    race(OWNERS, n -> n == 0 ? court.lift(seen, "lifter") : court.replace(seen, "operator-" + n));
            List<Imposed> replaced = Trial.of(Imposed.class, outcomes);
            assertThat(replaced).as("replaced among %s", outcomes).hasSizeLessThanOrEqualTo(1);
            if (replaced.isEmpty()) {
                assertThat(Trial.of(NoneActive.class, outcomes)).hasSize(OWNERS - 1);
                Court.assertLifted("lifter", court.find(seen.id()));
            } else {
                Sanction won = replaced.get(0).sanction();
                assertThat(Trial.of(Another.class, outcomes))
                        .hasSize(OWNERS - 2)
                        .allSatisfy(loser -> Court.assertSame(won, loser.active()));
                Court.assertReplaced(won, court.find(seen.id()));
                court.assertStands(won);
            }
        }
    }

    @Test
    default void b4_aReplacementLeavesNoGap() {
        Court court = Court.on(subject());
        Sanction first = court.imposed("first");
        CountDownLatch replacing = new CountDownLatch(1);
        List<Callable<Boolean>> tasks = new ArrayList<>();
        tasks.add(() -> {
            try {
                Sanction seen = first;
                for (int n = 0; n < rounds(ROUNDS); n++) {
                    seen = court.replaced(seen, "first");
                }
                return true;
            } finally {
                replacing.countDown();
            }
        });
        for (Runnable watcher : List.<Runnable>of(
                () -> assertThat(court.active()).isPresent(),
                () -> only(Another.class, court.impose("another")),
                () -> assertThat(court.history().stream().filter(each -> each.state() instanceof Sanction.Active))
                        .hasSize(1))) {
            tasks.add(() -> {
                do {
                    watcher.run();
                } while (replacing.getCount() > 0);
                return true;
            });
        }
        assertThat(race(tasks)).hasSize(4);
        assertThat(court.history()).hasSize(Math.min(rounds(ROUNDS) + 1, SanctionStore.HISTORY));
    }
}
