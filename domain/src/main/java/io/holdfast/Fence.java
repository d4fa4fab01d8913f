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

    @Override
    public int compareTo(Fence other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
