package io.holdfast.contract.mutation;

/**
 * What came of a mutant in a test.
 *
 * @param why for whoever reads a report
 */
record Verdict(Kind kind, String why) {
    enum Kind {
        /** The test turned red, and the mutant was sent. */
        CAUGHT,
        /** The test is green, however often it is run. */
        SURVIVED,
        /** The test has nothing to do with what the mutant changes. */
        UNSENT,
        /** The server made no sense of it: this is no mutant. */
        REFUSED
    }

    String of(Mutant<?> mutant) {
        return mutant.name() + ": " + kind + ", " + why;
    }

    boolean isCaught() {
        return kind == Kind.CAUGHT;
    }
}
