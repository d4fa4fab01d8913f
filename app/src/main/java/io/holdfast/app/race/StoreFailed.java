package io.holdfast.app.race;

import java.io.Serial;

/** A statement on tables of the race has failed. */
final class StoreFailed extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    StoreFailed(Throwable cause) {
        super(cause.getMessage(), cause);
    }
}
