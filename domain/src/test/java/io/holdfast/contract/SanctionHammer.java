package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.ImposeOutcome.Another;
import io.holdfast.sanction.ImposeOutcome.Imposed;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.sanction.Terms;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Very many operators at one account, again and again: far more than the contract has, for an engine's own test. */
public final class SanctionHammer {
    private SanctionHammer() {}

    /** Each round has a new account, and one sanction, which all get. */
    public static void impose(SanctionStore store, int threads, int rounds) {
        for (int round = 0; round < rounds; round++) {
            Account account = Account.of("hammered-" + UUID.randomUUID());
            Sanction won = assertOne(Contenders.race(threads, n -> impose(store, account, n)));
            assertThat(store.history(account, 10)).extracting(Sanction::id).containsExactly(won.id());
        }
    }

    /** All rounds have one account. Everybody lifts what the round before has left, and imposes again. */
    public static void liftAndImpose(SanctionStore store, int threads, int rounds) {
        Account account = Account.of("hammered-" + UUID.randomUUID());
        Optional<Sanction> left = Optional.empty();
        for (int round = 0; round < rounds; round++) {
            Optional<Sanction> seen = left;
            Sanction won = assertOne(Contenders.race(threads, n -> {
                seen.ifPresent(old -> store.lift(account, old.id(), new Holder("operator-" + n)));
                return impose(store, account, n);
            }));
            List<Sanction> history = store.history(account, 2);
            Court.assertSame(won, history.get(0));
            seen.ifPresent(old -> {
                assertThat(history.get(1).id()).isEqualTo(old.id());
                assertThat(history.get(1).state()).isInstanceOf(Sanction.Lifted.class);
            });
            left = Optional.of(won);
        }
    }

    private static ImposeOutcome impose(SanctionStore store, Account account, int n) {
        return store.impose(
                AttemptId.random(), new Terms(account, "reason " + n, new Holder("operator-" + n), Optional.empty()));
    }

    private static Sanction assertOne(List<ImposeOutcome> outcomes) {
        List<Imposed> winners = Trial.of(Imposed.class, outcomes);
        assertThat(winners).as("winners among %s", outcomes).hasSize(1);
        Sanction won = winners.get(0).sanction();
        assertThat(Trial.of(Another.class, outcomes))
                .hasSize(outcomes.size() - 1)
                .allSatisfy(loser -> Court.assertSame(won, loser.active()));
        return won;
    }
}
