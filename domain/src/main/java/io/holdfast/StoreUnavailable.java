package io.holdfast;

import java.io.Serial;

/**
 * The store could not answer. The only exception that a store throws for the store's sake, and it never means that
 * somebody else has the hold (G9).
 */
public final class StoreUnavailable extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** What is known about the write that was asked for. */
    public enum Effect {
        /** Nothing was changed: ask again, or give up. */
        NOT_APPLIED,
        /** The write may have happened, or may yet happen: ask again with the same attempt. */
        UNKNOWN
    }

    private final Effect effect;

    public StoreUnavailable(Effect effect, String message, Throwable cause) {
        super(message, cause);
        this.effect = effect;
    }

    public Effect effect() {
        return effect;
    }
}
