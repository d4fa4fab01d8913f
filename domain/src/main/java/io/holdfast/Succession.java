package io.holdfast;

/** From when on others may take what a holder was evicted from (G15). */
public enum Succession {
    /** At once: whoever evicts knows that the holder is gone, or that every write of its is checked by its fence. */
    AT_ONCE,

    /** When the time is over for which the holder may still believe that it holds. */
    WHEN_SILENT
}
