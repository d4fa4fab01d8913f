package io.holdfast.contract;

import java.time.Duration;

/** A database server that belongs to a test alone, and may be broken. */
public interface Breakable {
    /** Kills it at once, with whatever it has not written to its disk. Returns when it is dead. */
    void kill();

    /** Starts it again on what its disk holds, at the same address. Returns when it answers. */
    void start();

    /** Whether its process is there, however it answers. */
    boolean isRunning();

    /** From now on its clock is ahead of the real one by this; a negative one: behind. Restarts it the first time, if it must. */
    void setClock(Duration ahead);
}
