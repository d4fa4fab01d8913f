package io.holdfast.contract;

import static io.holdfast.contract.Court.A_WEEK;
import static io.holdfast.contract.Trial.A_MINUTE;
import static io.holdfast.contract.Trial.LIMIT;
import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.holdfast.AttemptId;
import io.holdfast.Incumbent;
import io.holdfast.contract.Operation.Call;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.lease.LeaseOutcome.Taken;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RotateOutcome;
import io.holdfast.refresh.RotateOutcome.Rotated;
import io.holdfast.refresh.RotateOutcome.Why;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.ImposeOutcome.Another;
import io.holdfast.sanction.ImposeOutcome.Imposed;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.Terms;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal.Expired;
import io.holdfast.save.Refusal.InProgress;
import io.holdfast.save.ReserveOutcome.Reserved;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A short look at everything that a store does, from two sides, which must see the same.
 *
 * @param own how a host reaches it that has set nothing
 * @param there how one does that has set this and that
 */
record Sight(EngineSubject store, Ports own, Ports there) {
    private static final int OWNERS = 4;

    /** Each is, by some zone's clock, in an hour that never was or in one that came twice. All are past. */
    private static final List<Instant> ODD_HOURS = Stream.of(
                    // Taken for a local time, they never were: in New York, in Berlin, on Lord Howe.
                    "2025-03-09T02:30:00Z",
                    "2025-03-30T02:30:00Z",
                    "2025-10-05T02:15:00Z",
                    // In New York both are half past one, in Berlin both are half past two.
                    "2025-11-02T05:30:00Z",
                    "2025-11-02T06:30:00Z",
                    "2025-10-26T00:30:00Z",
                    "2025-10-26T01:30:00Z")
            .map(Instant::parse)
            .toList();

    void assertAllIsWell() {
        assertThatOperationsAreApplied();
        assertThatOneWinsEachRace();
        assertThatALimitIsALimit();
        assertThatATermIsATerm();
    }

    /** Each once, and answered the same when it is repeated; who comes too late is told the holder (G5, G8). */
    private void assertThatOperationsAreApplied() {
        Operation.all().forEach(operation -> {
            Call call = operation.begin().apply(store);
            make(operation, call);
            assertThat(call.isApplied())
                    .as(operation.name())
                    .isEqualTo(operation.kind().changes());
            make(operation, call);
        });
    }

    private void make(Operation operation, Call call) {
        assertThatCode(() -> call.make(there)).as(operation.name()).doesNotThrowAnyException();
    }

    /** G1, G8. */
    private void assertThatOneWinsEachRace() {
        LeaseTrial lease = LeaseTrial.on(store);
        assertOneWins(
                ports -> new LeaseTrial(store, ports.leases(), lease.name()).ask("racer"),
                Acquired.class,
                (won, lost) ->
                        Trial.assertIs(won.lease(), only(Taken.class, lost).by()));

        Trial app = Trial.on(store);
        assertOneWins(
                ports -> new Trial(new Reached(store, ports.claims()), app.app(), app.slug()).ask("racer"),
                Claimed.class,
                (won, lost) -> Trial.assertIs(won.claim(), Trial.inProgress(lost)));

        SaveTrial token = SaveTrial.on(store);
        assertOneWins(
                ports -> ports.saveTokens().reserve(token.wish("racer")),
                Reserved.class,
                (won, lost) -> SaveTrial.assertIs(
                        won.reservation(), only(InProgress.class, lost).by()));

        Terms terms = Court.on(store).terms("racer");
        assertOneWins(
                ports -> ports.sanctions().impose(AttemptId.random(), terms),
                Imposed.class,
                (won, lost) -> Court.assertSame(
                        won.sanction(), only(Another.class, lost).active()));

        Lineage family = Lineage.on(store);
        List<RotateOutcome<Generation>> rotations =
                race(ports -> ports.refreshTokens().rotate(new Generation(family.family(), 1)));
        assertThat(rotations).filteredOn(Rotated.class::isInstance).hasSize(1);
        assertThat(rotations).extracting(Lineage::successor).containsOnly(new Generation(family.family(), 2));
    }

    private <O, W> void assertOneWins(Function<Ports, O> ask, Class<W> winner, BiConsumer<W, O> told) {
        List<O> outcomes = race(ask);
        List<W> winners = Trial.of(winner, outcomes);
        assertThat(winners).as("winners among %s", outcomes).hasSize(1);
        W won = winners.get(0);
        outcomes.stream().filter(outcome -> outcome != won).forEach(lost -> told.accept(won, lost));
    }

    /** Every other one comes from the host that has set nothing. */
    private <O> List<O> race(Function<Ports, O> ask) {
        return Contenders.race(OWNERS, n -> ask.apply(n % 2 == 0 ? there : own));
    }

    /** What a holder was given is not cut short, and is over when it is over; whatever the hour (G3, G7). */
    private void assertThatALimitIsALimit() {
        LeaseTrial seenHere = LeaseTrial.on(store);
        LeaseTrial seenThere = new LeaseTrial(store, there.leases(), seenHere.name());
        Lease first = seenThere.takenBy("first");
        for (LeaseTrial seen : List.of(seenHere, seenThere)) {
            assertAges(seen.find().orElseThrow(), Duration.ZERO, LIMIT);
        }
        store.letPass(LIMIT.minus(A_MINUTE));
        assertAges(seenThere.toldTaken("early"), LIMIT.minus(A_MINUTE), A_MINUTE);
        store.letPass(A_MINUTE);
        Lease second = seenThere.takenBy("second");
        assertThat(second.fence()).isGreaterThan(first.fence());
        seenThere.toldLostTo(second, first);

        Instant taken = seenHere.find().orElseThrow().since();
        Duration passed = Duration.ZERO;
        for (Instant hour : ODD_HOURS) {
            Duration ago = Duration.between(hour, taken).truncatedTo(ChronoUnit.SECONDS);
            store.letPass(ago.minus(passed));
            passed = ago;
            for (LeaseTrial seen : List.of(seenHere, seenThere)) {
                Incumbent told = seen.find().orElseThrow();
                // A store in memory moves its clock, and no row.
                assertThat(told.since()).isIn(taken.minus(ago), taken);
                assertAges(told, ago, Duration.ZERO);
            }
        }
        store.letPass(passed.negated());
    }

    private static void assertAges(Incumbent told, Duration silentFor, Duration takeableIn) {
        assertThat(told.silentFor()).isBetween(silentFor, silentFor.plus(A_MINUTE));
        Duration least = takeableIn.minus(A_MINUTE);
        assertThat(told.takeableIn()).isBetween(least.isNegative() ? Duration.ZERO : least, takeableIn);
    }

    /** Of a save token, of a refresh token, of a sanction: each is good until its time is over, and then no more (G3, S6, R5, B3). */
    private void assertThatATermIsATerm() {
        SaveTrial token = issued();
        SaveTrial lateToken = issued();
        Lineage family = opened();
        Lineage lateFamily = opened();
        Court court = Court.on(store);
        Sanction sanction = only(Imposed.class, impose(court)).sanction();
        assertEndsIn(A_WEEK, sanction);
        assertEndsIn(A_WEEK, court.active().orElseThrow());

        store.letPass(A_WEEK.minus(A_MINUTE));
        token.takenBy("in time");
        family.toldRotated(1);
        assertEndsIn(A_MINUTE, only(Another.class, impose(court)).active());

        store.letPass(A_MINUTE);
        assertThat(lateToken.ask("late")).isEqualTo(new Expired());
        lateFamily.toldRefused(Why.EXPIRED, 1);
        assertEndsIn(A_WEEK, only(Imposed.class, impose(court)).sanction());
    }

    private SaveTrial issued() {
        SaveTrial known = SaveTrial.unissued(store);
        return new SaveTrial(store, there.saveTokens(), known.token(), known.payload())
                .issued(A_WEEK, IfInDoubt.REFUSE);
    }

    private Lineage opened() {
        Lineage family = new Lineage(store, there.refreshTokens(), FamilyId.random());
        family.open(Lineage.TERMS);
        return family;
    }

    private ImposeOutcome impose(Court court) {
        return there.sanctions().impose(AttemptId.random(), court.terms("operator", A_WEEK));
    }

    private static void assertEndsIn(Duration time, Sanction told) {
        assertThat(Court.endsIn(told).orElseThrow()).isBetween(time.minus(A_MINUTE), time);
    }
}
