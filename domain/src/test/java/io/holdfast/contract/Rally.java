package io.holdfast.contract;

import io.holdfast.Incumbent;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A history: several owners who claim one app over and over. Who wins holds it until somebody has lost,
 * and who loses waits until the winner lets it go. Moments are those of {@link System#nanoTime()}.
 *
 * @param tenures of all who won, in the order of their fences
 * @param told what all who lost were told
 */
record Rally(List<Tenure> tenures, List<Told> told) {
    /** The claim was granted between {@code asked} and {@code granted}, and ended between {@code ending} and {@code ended}. */
    record Tenure(Claim claim, long asked, long granted, long ending, long ended) {
        boolean endedBefore(Tenure later) {
            return ended - later.asked < 0;
        }

        /** Both surely held at one moment. */
        boolean overlaps(Tenure other) {
            return granted - other.ending < 0 && other.granted - ending < 0;
        }

        boolean mayHaveHeldWithin(Told told) {
            return asked - told.answered <= 0 && told.asked - ended <= 0;
        }
    }

    /** Between {@code asked} and {@code answered} somebody was told that it is {@code running}'s. */
    record Told(Incumbent running, long asked, long answered) {}

    /** Several, each on a new app, which is where most goes wrong. */
    static List<Rally> several(PublishSubject store) {
        return Stream.generate(() -> new Play(Trial.on(store)).play()).limit(4).toList();
    }

    /** Keeps the owners close together: a fast store would have them come one after the other. */
    private static final class Play {
        /** How long one waits for the others at most, as when nobody else is left. */
        private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

        private final Trial app;
        private final AtomicInteger left = new AtomicInteger(Contenders.rounds(Contenders.ROUNDS) / 2);
        private final AtomicInteger losers = new AtomicInteger();
        private final AtomicInteger endings = new AtomicInteger();

        Play(Trial app) {
            this.app = app;
        }

        Rally play() {
            List<Record> all = Contenders.race(Contenders.OWNERS, owner -> turns("owner-" + owner)).stream()
                    .flatMap(List::stream)
                    .toList();
            return new Rally(
                    Trial.of(Tenure.class, all).stream()
                            .sorted((a, b) -> a.claim.fence().compareTo(b.claim.fence()))
                            .toList(),
                    Trial.of(Told.class, all));
        }

        private List<Record> turns(String owner) {
            List<Record> mine = new ArrayList<>();
            try {
                while (left.get() > 0) {
                    mine.add(turn(owner));
                }
            } finally {
                left.set(0);
            }
            return mine;
        }

        private Record turn(String owner) {
            int endingsBefore = endings.get();
            long asked = System.nanoTime();
            ClaimOutcome outcome = app.ask(owner);
            long answered = System.nanoTime();
            if (outcome instanceof Claimed won) {
                left.decrementAndGet();
                await(losers, losers.get());
                // Before the end, so that the others' claims meet it.
                endings.incrementAndGet();
                long ending = System.nanoTime();
                app.end(won.claim(), Trial.FAILED);
                return new Tenure(won.claim(), asked, answered, ending, System.nanoTime());
            }
            Told told = new Told(Trial.inProgress(outcome), asked, answered);
            losers.incrementAndGet();
            await(endings, endingsBefore);
            return told;
        }

        private void await(AtomicInteger others, int before) {
            long begun = System.nanoTime();
            while (others.get() == before && left.get() > 0 && System.nanoTime() - begun < PATIENCE_NANOS) {
                LockSupport.parkNanos(50_000);
            }
        }
    }
}
