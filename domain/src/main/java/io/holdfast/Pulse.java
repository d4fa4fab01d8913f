package io.holdfast;

import java.time.Duration;

/** The holder's own view of one hold. Thread-safe. */
public interface Pulse {
    /** How sure the holder can be, just now. */
    enum View {
        /** Surely mine: the database has said so, and the time that it granted is not over. */
        HELD,
        /** The time is up and the store has had no word: start nothing new, and stop repeating calls to the outside. */
        UNSURE,
        /** The store has said that it is over. Never comes back. */
        LOST
    }

    View view();

    /** How long HELD is sure without another word from the store; zero when UNSURE or LOST. */
    Duration sureFor();

    /**
     * Has {@code action} run each time HELD becomes UNSURE, and at once if it is UNSURE already. It runs on a thread of
     * its own; what it throws is logged and changes nothing.
     */
    void onUnsure(Runnable action);

    /**
     * Has {@code action} run once, when the store has said that the hold is lost, and at once if it has said so already.
     * It runs on a thread of its own; what it throws is logged and changes nothing.
     */
    void onLost(Runnable action);
}
