package io.holdfast;

/**
 * Says that some work surely had no effect, so that its hold can be given back at once. Anything else that goes wrong
 * leaves it in doubt whether the work was done.
 */
public final class NotDone extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Without a cause.
     *
     * @param message what kept the work from starting, for a person; kept as the reason of the ending
     */
    public NotDone(String message) {
        super(message);
    }

    /**
     * With a cause.
     *
     * @param message what kept the work from starting, for a person; kept as the reason of the ending
     */
    public NotDone(String message, Throwable cause) {
        super(message, cause);
    }
}
