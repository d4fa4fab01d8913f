package io.holdfast.sanction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Holder;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.memory.MemorySanctions;
import io.holdfast.sanction.ImposeOutcome.Another;
import io.holdfast.sanction.ImposeOutcome.Imposed;
import io.holdfast.sanction.ImposeOutcome.Over;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SanctioningTest {
    private static final Account ACCOUNT = Account.of("account");
    private static final Holder OPERATOR = new Holder("operator");
    private static final Terms TERMS = new Terms(ACCOUNT, "spam", OPERATOR, Optional.empty());

    private final BadLine store = new BadLine();
    private final Sanctioning sanctioning = new Sanctioning(store);

    /** Loses what is on its list: a request, or the answer to one that was applied. */
    private static final class BadLine extends MemorySanctions {
        final Deque<Effect> lost = new ArrayDeque<>();
        boolean isApplied = true;
        int calls;

        @Override
        public ImposeOutcome impose(AttemptId id, Terms terms) {
            ImposeOutcome outcome = lost.isEmpty() || isApplied ? super.impose(id, terms) : null;
            lose();
            return outcome == null ? super.impose(id, terms) : outcome;
        }

        @Override
        public ReplaceOutcome replace(AttemptId seen, AttemptId id, Terms terms) {
            ReplaceOutcome outcome = super.replace(seen, id, terms);
            lose();
            return outcome;
        }

        @Override
        public LiftOutcome lift(Account account, AttemptId seen, Holder by) {
            LiftOutcome outcome = super.lift(account, seen, by);
            lose();
            return outcome;
        }

        private void lose() {
            calls++;
            Effect effect = lost.pollFirst();
            if (effect != null) {
                throw new StoreUnavailable(effect, "the line is bad", new IllegalStateException());
            }
        }
    }

    @Test
    void theSecondOperatorGetsTheFirstOnesSanction() {
        Sanction imposed = imposed(sanctioning.impose(TERMS));
        assertThat(imposed.terms()).isEqualTo(TERMS);
        assertThat(sanctioning.impose(TERMS)).isEqualTo(new Another(imposed));
        assertThat(sanctioning.active(ACCOUNT)).contains(imposed);

        ReplaceOutcome replaced = sanctioning.replace(imposed.id(), TERMS);
        Sanction next = replaced.fold(Imposed::sanction, Another::active, Over::sanction, none -> imposed);
        assertThat(replaced).isEqualTo(new Imposed(next));
        assertThat(sanctioning.lift(ACCOUNT, imposed.id(), OPERATOR))
                .isEqualTo(new LiftOutcome.Missed(Optional.of(next)));
        assertThat(sanctioning.lift(ACCOUNT, next.id(), OPERATOR)).isInstanceOf(Over.class);
        assertThat(sanctioning.active(ACCOUNT)).isEmpty();
        assertThat(sanctioning.history(ACCOUNT, 10)).extracting(Sanction::id).containsExactly(next.id(), imposed.id());
    }

    @Test
    void whileItIsNotKnownWhatCameOfItItIsMadeAgainAsTheSameOne() {
        store.lost.addAll(List.of(Effect.UNKNOWN, Effect.NOT_APPLIED, Effect.UNKNOWN));
        Sanction imposed = imposed(sanctioning.impose(TERMS));
        store.lost.add(Effect.UNKNOWN);
        Sanction next = sanctioning
                .replace(imposed.id(), TERMS)
                .fold(Imposed::sanction, Another::active, Over::sanction, none -> imposed);
        assertThat(next.id()).isNotEqualTo(imposed.id());
        store.lost.add(Effect.UNKNOWN);
        assertThat(sanctioning.lift(ACCOUNT, next.id(), OPERATOR)).isInstanceOf(Over.class);
        assertThat(sanctioning.history(ACCOUNT, 10)).hasSize(2);
        assertThat(store.calls).isEqualTo(4 + 2 + 2);
    }

    @Test
    void whatWasSurelyNotDoneIsToldAtOnce() {
        store.isApplied = false;
        store.lost.add(Effect.NOT_APPLIED);
        assertThatThrownBy(() -> sanctioning.impose(TERMS))
                .isInstanceOfSatisfying(
                        StoreUnavailable.class, e -> assertThat(e.effect()).isEqualTo(Effect.NOT_APPLIED));
        assertThat(sanctioning.history(ACCOUNT, 10)).isEmpty();
        assertThat(store.calls).isEqualTo(1);
    }

    /** That the repetition was surely not applied says nothing about the call before it. */
    @Test
    void theBudgetIsABoundAndDoubtStaysDoubt() {
        Sanctioning impatient = new Sanctioning(store, Budget.of(Duration.ofMillis(1)));
        store.lost.add(Effect.UNKNOWN);
        for (int i = 0; i < 1_000; i++) {
            store.lost.add(Effect.NOT_APPLIED);
        }
        assertThatThrownBy(() -> impatient.impose(TERMS))
                .isInstanceOfSatisfying(
                        StoreUnavailable.class, e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN));
        assertThat(store.calls).isBetween(2, 999);
        assertThat(sanctioning.active(ACCOUNT)).isPresent();
    }

    @Test
    void anInterruptEndsTheRepetitionAndKeepsItsFlag() {
        store.lost.add(Effect.UNKNOWN);
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> sanctioning.impose(TERMS)).isInstanceOf(StoreUnavailable.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(store.calls).isEqualTo(1);
    }

    private static Sanction imposed(ImposeOutcome outcome) {
        return outcome.fold(
                Imposed::sanction,
                another -> {
                    throw new AssertionError(another);
                },
                over -> {
                    throw new AssertionError(over);
                });
    }
}
