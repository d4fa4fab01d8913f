package io.holdfast.contract.cluster;

import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Servers that keep one database, of which one decides; and the hand that kills it. */
public interface Cluster extends AutoCloseable {
    /** Far longer than anything takes that a cluster does. */
    Duration PATIENCE = Duration.ofSeconds(100);

    /** Reaches whichever server decides at the time of the call, as a host of the product would. */
    ClaimStore claims();

    Deployments deployments();

    /** Kills the server that decides, without a word to it, and returns when another one does. */
    void failOver();

    /** Name and version. */
    String engine();

    /** What kind of cluster it is. */
    @Override
    String toString();

    @Override
    void close();

    /** Waits until this is true of a cluster; an exception means that it is not yet. */
    static void await(String what, BooleanSupplier state) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!isTrue(state)) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + PATIENCE + ": " + what);
            }
            LockSupport.parkNanos(50_000_000);
        }
    }

    private static boolean isTrue(BooleanSupplier state) {
        try {
            return state.getAsBoolean();
        } catch (RuntimeException e) {
            return false; // a server that is coming, or going
        }
    }
}
