package io.holdfast.broken;

import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The time between looking and acting, made wide, so that a race needs no luck to be lost. */
final class Gap {
    private static final long MILLIS = 5;

    private final Exchanger<Boolean> pairs = new Exchanger<>();

    /** Waits for another one to come here, too, though not for long. Returns whether one came. */
    boolean meet() {
        try {
            pairs.exchange(true, MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Waits a moment. */
    static void pass() {
        until(() -> false);
    }

    /** Waits for something to come true, though not for long. */
    static void until(BooleanSupplier come) {
        long begun = System.nanoTime();
        while (!come.getAsBoolean() && System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(MILLIS)) {
            LockSupport.parkNanos(50_000);
        }
    }
}
