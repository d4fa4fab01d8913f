package io.holdfast.contract;

import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Whoever wants an answer, and asks the same again for as long as there is none. */
final class Stubborn {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private Stubborn() {}

    static <T extends @Nullable Object> T ask(Callable<T> question) {
        return ask(question, () -> {});
    }

    /** @param unknown is run when it is not known whether the question has had its effect */
    static <T extends @Nullable Object> T ask(Callable<T> question, Runnable unknown) {
        long begun = System.nanoTime();
        while (true) {
            try {
                return question.call();
            } catch (StoreUnavailable e) {
                if (e.effect() == Effect.UNKNOWN) {
                    unknown.run();
                }
                if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                    throw new AssertionError("the store has not answered for " + PATIENCE.toSeconds() + " s", e);
                }
                LockSupport.parkNanos(20_000_000);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }
}
