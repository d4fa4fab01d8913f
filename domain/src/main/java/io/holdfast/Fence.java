package io.holdfast;

/**
 * A number per key that grows with every take (G4). A resource that remembers the highest one it has seen and refuses
 * smaller ones cannot be damaged by a holder that was taken over.
 *
 * <p>The first fence of a key is the database's clock in microseconds since 1970, each later one is at least one more,
 * and at least that clock. About 2<sup>51</sup> today, so it stays exact as a JSON number until the year 2255.
 */
public record Fence(long value) implements Comparable<Fence> {
    public Fence {
        if (value <= 0) {
            throw new IllegalArgumentException("fence must be positive: " + value);
        }
    }

    /**
     * What a take throws when there is no higher fence (G4), in the same words everywhere.
     *
     * @param key what it is the fence of, such as "app shop"
     */
    public static IllegalStateException exhausted(String key) {
        return new IllegalStateException("the fence of " + key + " is exhausted and nothing was changed: no take"
                + " gets that far, so set the row's fence back to the last one that was granted");
    }

    @Override
    public int compareTo(Fence other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
