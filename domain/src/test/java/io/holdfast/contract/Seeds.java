package io.holdfast.contract;

import java.time.Duration;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of a random test, each with a seed of its own, which a failure names. Set by system properties: {@code
 * holdfast.seed} does one round, with this seed; {@code holdfast.soak} goes on for its share of so many minutes.
 *
 * @param first the seed of the first round; those of the others follow it
 * @param rounds how many were done
 */
public record Seeds(long first, long rounds) {
    /**
     * Does {@code usual} rounds, times what {@link Contenders#rounds} says, and tells each minute how far it is.
     *
     * @param what is done, for whoever watches
     * @throws AssertionError if a round threw, with that as its cause and the seed in its message
     */
    public static Seeds each(String what, int usual, LongConsumer round) {
        return each(what, usual, System.currentTimeMillis() * 1_000_000, round);
    }

    /**
     * The same rounds in each run, where a seed decides all that happens: a build then fails for what was changed. A soak
     * looks at others.
     *
     * @param usualFirst the seed of the first round, but in a soak
     */
    public static Seeds each(String what, int usual, long usualFirst, LongConsumer round) {
        @Nullable Long only = Long.getLong("holdfast.seed");
        if (only != null) {
            go(only, round);
            return new Seeds(only, 1);
        }
        Duration soak = Duration.ofMinutes(Long.getLong("holdfast.soak", 0))
                .dividedBy(Long.getLong("holdfast.soak.attacks", 1));
        long least = soak.isZero() ? Contenders.rounds(usual) : 0;
        long first = soak.isZero() ? usualFirst : System.currentTimeMillis() * 1_000_000;
        long began = System.nanoTime();
        long done = 0;
        long told = 0;
        while (done < least || System.nanoTime() - began < soak.toNanos()) {
            go(first + done, round);
            done++;
            long minutes = Duration.ofNanos(System.nanoTime() - began).toMinutes();
            if (minutes > told) {
                told = minutes;
                String of = soak.isZero() ? "" : " of " + soak.toMinutes();
                System.out.printf("%s: %,d rounds in %d%s minutes%n", what, done, minutes, of);
            }
        }
        return new Seeds(first, done);
    }

    private static void go(long seed, LongConsumer round) {
        try {
            round.accept(seed);
        } catch (Throwable e) {
            throw new AssertionError("with -Dholdfast.seed=" + seed + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return rounds == 1 ? "seed " + first : "seeds " + first + " to " + (first + rounds - 1);
    }
}
