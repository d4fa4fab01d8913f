package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AttemptId;
import io.holdfast.Hold;
import io.holdfast.Incumbent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A history: several owners who take one key over and over. Who wins holds it until somebody has lost,
 * and who loses waits until the winner lets it go. Moments are those of {@link System#nanoTime()}.
 *
 * @param tenures of all who won, in the order of their fences
 * @param told what all who lost were told
 */
record Rally(List<Tenure> tenures, List<Told> told) {
    /** What they take: a key that is new to its store. */
    interface Prize<H extends Hold> {
        /** Asked once: granted, or told who holds. */
        <R> R take(String owner, Function<? super H, ? extends R> won, Function<? super Incumbent, ? extends R> told);

        void giveBack(H hold);
    }

    /** The hold was granted between {@code asked} and {@code granted}, and ended between {@code ending} and {@code ended}. */
    record Tenure(Hold hold, long asked, long granted, long ending, long ended) {
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
    static <H extends Hold> List<Rally> several(Supplier<? extends Prize<H>> prizes) {
        return Stream.generate(() -> new Play<>(prizes.get()).play()).limit(4).toList();
    }

    /** G2. */
    void assertThatNoTwoHeldAtOnce() {
        assertPairwise((lower, higher) -> !lower.overlaps(higher), "did not hold at once");
    }

    /** G4. */
    void assertThatFencesGrew() {
        assertThat(tenures).extracting(tenure -> tenure.hold.fence()).doesNotHaveDuplicates();
        assertPairwise((lower, higher) -> !higher.endedBefore(lower), "are in the order of time");
    }

    private void assertPairwise(BiPredicate<Tenure, Tenure> rule, String words) {
        for (int i = 0; i < tenures.size(); i++) {
            for (Tenure higher : tenures.subList(i + 1, tenures.size())) {
                Tenure lower = tenures.get(i);
                assertThat(rule.test(lower, higher))
                        .as("%s and %s %s", lower, higher, words)
                        .isTrue();
            }
        }
    }

    /** G8: nobody was told of a hold that was over before it asked. */
    void assertThatLosersWereToldTheTruth() {
        Map<AttemptId, Tenure> byAttempt = new HashMap<>();
        tenures.forEach(tenure -> byAttempt.put(tenure.hold.attempt(), tenure));
        assertThat(told).isNotEmpty();
        for (Told each : told) {
            Tenure tenure = byAttempt.get(each.running.attempt());
            assertThat(tenure).as("the hold that %s names", each).isNotNull();
            assertThat(each.running.fence()).isEqualTo(tenure.hold.fence());
            assertThat(tenure.mayHaveHeldWithin(each))
                    .as("%s held while %s was asked", tenure, each)
                    .isTrue();
        }
    }

    /** Keeps the owners close together: a fast store would have them come one after the other. */
    private static final class Play<H extends Hold> {
        /** How long one waits for the others at most, as when nobody else is left. */
        private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

        private final Prize<H> prize;
        private final AtomicInteger left = new AtomicInteger(Contenders.rounds(Contenders.ROUNDS) / 2);
        private final AtomicInteger losers = new AtomicInteger();
        private final AtomicInteger endings = new AtomicInteger();

        Play(Prize<H> prize) {
            this.prize = prize;
        }

        Rally play() {
            List<Record> all = Contenders.race(Contenders.OWNERS, owner -> turns("owner-" + owner)).stream()
                    .flatMap(List::stream)
                    .toList();
            return new Rally(
                    Trial.of(Tenure.class, all).stream()
                            .sorted((a, b) -> a.hold.fence().compareTo(b.hold.fence()))
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
            return prize.<Record>take(
                    owner,
                    hold -> {
                        long granted = System.nanoTime();
                        left.decrementAndGet();
                        await(losers, losers.get());
                        // Before the end, so that the others' takes meet it.
                        endings.incrementAndGet();
                        long ending = System.nanoTime();
                        prize.giveBack(hold);
                        return new Tenure(hold, asked, granted, ending, System.nanoTime());
                    },
                    incumbent -> {
                        Told lost = new Told(incumbent, asked, System.nanoTime());
                        losers.incrementAndGet();
                        await(endings, endingsBefore);
                        return lost;
                    });
        }

        private void await(AtomicInteger others, int before) {
            long begun = System.nanoTime();
            while (others.get() == before && left.get() > 0 && System.nanoTime() - begun < PATIENCE_NANOS) {
                LockSupport.parkNanos(50_000);
            }
        }
    }
}
