package io.holdfast.contract;

import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.ImposeOutcome.Another;
import io.holdfast.sanction.ImposeOutcome.Imposed;
import io.holdfast.sanction.ImposeOutcome.Over;
import io.holdfast.sanction.LiftOutcome;
import io.holdfast.sanction.LiftOutcome.Missed;
import io.holdfast.sanction.ReplaceOutcome;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.Sanction.Active;
import io.holdfast.sanction.Sanction.Lifted;
import io.holdfast.sanction.Sanction.RanOut;
import io.holdfast.sanction.Sanction.Replaced;
import io.holdfast.sanction.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One account under test, new to the store, and what operators do to it. The words of the contract's tests, as {@link Trial}
 * has those of publishing.
 */
record Court(SanctionSubject store, Account account) {
    /** Of every sanction that ends by itself, unless it says otherwise. */
    static final Duration A_WEEK = Duration.ofDays(7);

    static Court on(SanctionSubject store) {
        return new Court(store, Account.of("account-" + UUID.randomUUID()));
    }

    // What an operator asks.

    Terms terms(String by) {
        return new Terms(account, "as " + by + " says", new Holder(by), Optional.empty());
    }

    Terms terms(String by, Duration lasting) {
        return new Terms(account, "as " + by + " says", new Holder(by), Optional.of(lasting));
    }

    ImposeOutcome impose(AttemptId id, Terms terms) {
        return store.sanctions().impose(id, terms);
    }

    ImposeOutcome impose(Terms terms) {
        return impose(AttemptId.random(), terms);
    }

    ImposeOutcome impose(String by) {
        return impose(terms(by));
    }

    ReplaceOutcome replace(Sanction seen, AttemptId id, Terms terms) {
        return store.sanctions().replace(seen.id(), id, terms);
    }

    ReplaceOutcome replace(Sanction seen, String by) {
        return replace(seen, AttemptId.random(), terms(by));
    }

    LiftOutcome lift(Sanction seen, String by) {
        return store.sanctions().lift(account, seen.id(), new Holder(by));
    }

    // What she must be told.

    Sanction toldImposed(AttemptId id, Terms terms) {
        Sanction told = only(Imposed.class, impose(id, terms)).sanction();
        assertThat(told.id()).isEqualTo(id);
        return told;
    }

    Sanction imposed(Terms terms) {
        return toldImposed(AttemptId.random(), terms);
    }

    Sanction imposed(String by) {
        return imposed(terms(by));
    }

    Sanction replaced(Sanction seen, String by) {
        AttemptId id = AttemptId.random();
        Sanction told = only(Imposed.class, replace(seen, id, terms(by))).sanction();
        assertThat(told.id()).isEqualTo(id);
        return told;
    }

    Sanction toldAnother(Sanction active, ImposeOutcome outcome) {
        Sanction told = only(Another.class, outcome).active();
        assertSame(active, told);
        return told;
    }

    /** Asserts that the sanction has ended, as the history has it. */
    Sanction toldOver(Sanction seen, Object outcome) {
        Sanction told = only(Over.class, outcome).sanction();
        assertThat(told.id()).isEqualTo(seen.id());
        assertThat(told.state()).isNotInstanceOf(Active.class);
        assertThat(told).isEqualTo(find(told.id()));
        return told;
    }

    /** Asserts that it is this operator who ends the sanction. */
    Sanction lifted(Sanction seen, String by) {
        Sanction told = toldOver(seen, lift(seen, by));
        assertLifted(by, told);
        return told;
    }

    void toldMissed(Optional<Sanction> active, LiftOutcome outcome) {
        Optional<Sanction> told = only(Missed.class, outcome).active();
        assertThat(told.map(Sanction::id)).isEqualTo(active.map(Sanction::id));
        told.ifPresent(another -> assertSame(active.orElseThrow(), another));
    }

    /** One that was never imposed. */
    Sanction unknown() {
        return new Sanction(AttemptId.random(), terms("nobody"), Instant.EPOCH, new Active(Optional.empty()));
    }

    // What can be read.

    Optional<Sanction> active() {
        return store.sanctions().active(account);
    }

    List<Sanction> history() {
        return store.sanctions().history(account, 1_000);
    }

    Sanction find(AttemptId id) {
        List<Sanction> found =
                history().stream().filter(each -> each.id().equals(id)).toList();
        assertThat(found).as("sanctions %s", id).hasSize(1);
        return found.get(0);
    }

    String dump() {
        return store.dump(account);
    }

    /** Asserts that this one is active, and the newest of the history. */
    void assertStands(Sanction sanction) {
        assertThat(active()).hasValueSatisfying(found -> assertSame(sanction, found));
        assertSame(sanction, history().get(0));
    }

    void assertNoneActive() {
        assertThat(active()).isEmpty();
        assertThat(history()).noneMatch(each -> each.state() instanceof Active);
    }

    /** A new one takes its turn. */
    void assertFree() {
        assertNoneActive();
        assertStands(imposed("the next one"));
    }

    // Answers.

    /** In every part; but the time that is left of an active one is another one with each look. */
    static void assertSame(Sanction expected, Sanction told) {
        assertThat(told.id()).isEqualTo(expected.id());
        assertThat(told.terms()).isEqualTo(expected.terms());
        assertThat(told.since()).isEqualTo(expected.since());
        assertThat(told.state()).isInstanceOf(Active.class);
        assertThat(endsIn(told).isPresent()).isEqualTo(told.terms().lasting().isPresent());
    }

    static Optional<Duration> endsIn(Sanction told) {
        return only(Active.class, told.state()).endsIn();
    }

    static void assertLifted(String by, Sanction told) {
        assertThat(only(Lifted.class, told.state()).by().label()).isEqualTo(by);
    }

    static void assertReplaced(Sanction by, Sanction told) {
        assertThat(told.state()).isEqualTo(new Replaced(by.id()));
    }

    static void assertRanOut(Sanction told) {
        assertThat(told.state()).isEqualTo(new RanOut());
    }
}
