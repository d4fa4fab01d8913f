package io.holdfast.contract;

import io.holdfast.Incumbent;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A history: several owners who claim one app over and over. Who wins holds it until somebody has lost,
 * and lets it go. Moments are those of {@link
 * System#nanoTime()}.
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

    /** How long a holder waits for a loser at most, as when nobody else is left. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Goes on until {@code tenures} have been had. */
    static Rally of(Trial app, int owners, int tenures) {
        AtomicInteger left = new AtomicInteger(tenures);
        AtomicInteger losers = new AtomicInteger();
        List<List<Record>> all = Contenders.race(owners, owner -> {
            List<Record> mine = new ArrayList<>();
            try {
                while (left.get() > 0) {
                    Record turn = turn(app, "owner-" + owner, losers);
                    mine.add(turn);
                    left.addAndGet(turn instanceof Tenure ? -1 : 0);
                }
            } finally {
                left.set(0);
            }
            return mine;
        });
        List<Record> flat = all.stream().flatMap(List::stream).toList();
        return new Rally(
                Trial.of(Tenure.class, flat).stream()
                        .sorted((a, b) -> a.claim.fence().compareTo(b.claim.fence()))
                        .toList(),
                Trial.of(Told.class, flat));
    }

    private static Record turn(Trial app, String owner, AtomicInteger losers) {
        long asked = System.nanoTime();
        ClaimOutcome outcome = app.ask(owner);
        long answered = System.nanoTime();
        if (outcome instanceof Claimed won) {
            awaitALoser(answered, losers);
            long ending = System.nanoTime();
            app.end(won.claim(), Trial.FAILED);
            return new Tenure(won.claim(), asked, answered, ending, System.nanoTime());
        }
        Told told = new Told(Trial.inProgress(outcome), asked, answered);
        losers.incrementAndGet();
        return told;
    }

    /** Or a fast store would have its owners come one after the other. */
    private static void awaitALoser(long since, AtomicInteger losers) {
        int before = losers.get();
        while (losers.get() == before && System.nanoTime() - since < PATIENCE_NANOS) {
            Thread.onSpinWait();
        }
    }
}
