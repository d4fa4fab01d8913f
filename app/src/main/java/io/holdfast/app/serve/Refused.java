package io.holdfast.app.serve;

import java.io.Serial;

/** Ends a request with a problem. */
final class Refused extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    Refused(Problem problem) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    Problem problem() {
        return problem;
    }
}
