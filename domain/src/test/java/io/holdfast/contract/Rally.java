package io.holdfast.contract;

import io.holdfast.Incumbent;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import java.util.ArrayList;
import java.util.List;

/**
 * A history: several owners who claim one app over and over, and let it go at once. Moments are those of {@link
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

    static Rally of(Trial app, int owners, int claimsEach) {
        List<List<Record>> all = Contenders.race(owners, owner -> {
            List<Record> mine = new ArrayList<>();
            for (int i = 0; i < claimsEach; i++) {
                mine.add(turn(app, "owner-" + owner));
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

    private static Record turn(Trial app, String owner) {
        long asked = System.nanoTime();
        ClaimOutcome outcome = app.ask(owner);
        long answered = System.nanoTime();
        if (outcome instanceof Claimed won) {
            long ending = System.nanoTime();
            app.end(won.claim(), Trial.FAILED);
            return new Tenure(won.claim(), asked, answered, ending, System.nanoTime());
        }
        return new Told(Trial.inProgress(outcome), asked, answered);
    }
}
