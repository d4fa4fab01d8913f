package io.holdfast.contract.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.contract.Contenders;
import io.holdfast.contract.Evidence;
import io.holdfast.contract.Evidence.Method;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.ClaimStore.FinishOutcome;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Publishing;
import io.holdfast.publish.Slug;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * The server that decides is killed while publishers race for one app after another. What was acknowledged is kept by the one
 * that decides next, its fences go on from there, and who was left in doubt learns the truth by asking once more.
 */
public interface FailOverContract {
    /** A new one, of whose servers none has died yet. */
    Cluster cluster();

    int PUBLISHERS = 8;

    /** Acknowledged before the server dies, and once more after it. */
    int TAKES = 150;

    /** All that have something to say are in the history of their app then. */
    int TAKES_OF_AN_APP = 30;

    @Test
    default void g1_g4_g5_whatWasAcknowledgedSurvivesTheServerThatSaidIt() {
        try (Cluster cluster = cluster()) {
            Race race = new Race(cluster);
            List<Callable<Long>> all = new ArrayList<>();
            for (int i = 0; i < PUBLISHERS; i++) {
                all.add(race::publish);
            }
            all.add(race::failOver);
            List<Long> outcomes = Contenders.race(all);
            race.tell(Duration.ofNanos(outcomes.get(PUBLISHERS)));
        }
    }

    /** Publishers on one app at a time, each claiming and ending, until enough was taken on both sides of the fail-over. */
    final class Race {
        private final Cluster cluster;
        private final ClaimStore claims;
        private final String name = "app-" + UUID.randomUUID() + "-";
        private final Ledger ledger = new Ledger();
        private final AtomicInteger doubts = new AtomicInteger();
        private final AtomicBoolean over = new AtomicBoolean();

        Race(Cluster cluster) {
            this.cluster = cluster;
            this.claims = cluster.claims();
        }

        long failOver() {
            try {
                awaitTakes(TAKES);
                long killed = System.nanoTime();
                cluster.failOver();
                long took = System.nanoTime() - killed;
                awaitTakes(ledger.takes() + TAKES);
                return took;
            } finally {
                over.set(true);
            }
        }

        private void awaitTakes(int wanted) {
            Cluster.await(wanted + " takes", () -> ledger.takes() >= wanted);
        }

        long publish() {
            while (!over.get()) {
                publishOnce();
            }
            return 0;
        }

        private void publishOnce() {
            String app = name + ledger.takes() / TAKES_OF_AN_APP;
            ClaimRequest request = new ClaimRequest(
                    AttemptId.random(),
                    AppId.of(app),
                    Slug.of(app),
                    new Holder(Thread.currentThread().getName()),
                    Publishing.DEFAULT_LIMIT,
                    Optional.empty());
            ClaimOutcome outcome = untilAnswered(() -> claims.claim(request));
            if (outcome instanceof Claimed claimed) {
                end(request, claimed.claim());
            } else {
                ledger.addRefused(request.attempt());
            }
        }

        private void end(ClaimRequest request, Claim claim) {
            ledger.add(new Ledger.Take(request.app(), request.attempt(), claim.fence(), System.nanoTime()));
            Ending ending = new Ending.Failed("it was meant to");
            FinishOutcome outcome = untilAnswered(() -> claims.finish(claim, ending));
            assertThat(outcome).as("%s is ended by its holder", claim).isEqualTo(new FinishOutcome.Ended(ending));
        }

        /** The same call again while nobody answers (G5, G12). */
        private <A> A untilAnswered(Supplier<A> call) {
            long end = System.nanoTime() + Cluster.PATIENCE.toNanos();
            while (true) {
                try {
                    return call.get();
                } catch (StoreUnavailable e) {
                    if (e.effect() == Effect.UNKNOWN) {
                        doubts.incrementAndGet();
                    }
                    if (System.nanoTime() - end > 0) {
                        throw e;
                    }
                    LockSupport.parkNanos(20_000_000);
                }
            }
        }

        void tell(Duration took) {
            List<String> findings = ledger.findings(
                    attempt -> cluster.deployments().find(attempt).map(Deployment::fence));
            Evidence.of(
                            Method.CLUSTERS,
                            cluster.engine(),
                            "G1 G4 G5 G12 C8",
                            cluster + ": the one that decides is killed while publishers race",
                            1,
                            findings.size(),
                            "%d takes acknowledged, %d calls in doubt, a new server after %.1f s"
                                    .formatted(ledger.takes(), doubts.get(), took.toMillis() / 1_000.0))
                    .tell();
            assertThat(findings).isEmpty();
            assertThat(doubts)
                    .as("calls in doubt: did it die in the middle of a race?")
                    .hasPositiveValue();
        }
    }
}
