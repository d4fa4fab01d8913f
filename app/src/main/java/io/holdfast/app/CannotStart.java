package io.holdfast.app;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Something outside the program keeps it from starting. The message says what, and what to do; nobody needs the trace. */
public final class CannotStart extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    public CannotStart(String message) {
        this(message, null);
    }

    public CannotStart(@Nullable String message, @Nullable Throwable cause) {
        super(Secrets.masked(String.valueOf(message)), cause);
    }
}
