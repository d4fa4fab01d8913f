package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.lease.LeaseOutcome.Taken;
import io.holdfast.lease.LeaseStore;
import io.holdfast.lease.LeaseStore.Release;
import io.holdfast.release.Releasing;
import java.time.Duration;
import java.util.List;

/** Very many who want one lease, again and again: far more than the contract has, for an engine's own test. */
public final class LeaseHammer {
    private LeaseHammer() {}

    /** In every other round a name that nobody has used, else the one that the round before has released. */
    public static void acquire(LeaseStore leases, int threads, int rounds) {
        for (int round = 0; round < rounds; round++) {
            LeaseName name = LeaseName.of("hammered-" + round / 2);
            Lease won = assertOne(Contenders.race(
                    threads,
                    n -> leases.acquire(name, AttemptId.random(), new Holder("thread-" + n), Releasing.DEFAULT_LIMIT)));
            assertThat(leases.find(name)).hasValueSatisfying(by -> Trial.assertIs(won, by));
            assertThat(leases.release(won, Duration.ZERO)).isEqualTo(new Release.Released());
        }
    }

    private static Lease assertOne(List<LeaseOutcome> outcomes) {
        List<Acquired> winners = Trial.of(Acquired.class, outcomes);
        assertThat(winners).as("winners among %s", outcomes).hasSize(1);
        Lease won = winners.get(0).lease();
        assertThat(Trial.of(Taken.class, outcomes))
                .hasSize(outcomes.size() - 1)
                .allSatisfy(loser -> Trial.assertIs(won, loser.by()));
        return won;
    }
}
