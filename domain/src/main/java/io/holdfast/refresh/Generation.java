package io.holdfast.refresh;

/**
 * What a token says, without the signature that makes it one: the how-manieth of its family it is.
 *
 * @param number 1 for the first token, and one more for each successor
 */
public record Generation(FamilyId family, long number) {
    public Generation {
        if (number <= 0) {
            throw new IllegalArgumentException("generation must be positive: " + number);
        }
    }

    public static Generation first(FamilyId family) {
        return new Generation(family, 1);
    }

    /**
     * The one that follows. A generation has no other successor, whoever asks and whenever.
     *
     * @throws IllegalStateException if this is number 2<sup>63</sup>-1
     */
    public Generation next() {
        if (number == Long.MAX_VALUE) {
            throw new IllegalStateException("the generations of family " + family
                    + " are exhausted and nothing was changed: no rotation gets that far, so open another family");
        }
        return new Generation(family, number + 1);
    }
}
