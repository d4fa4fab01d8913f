package io.holdfast.app.serve;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/** Looks again until something is so. */
final class Eventually {
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(60);

    private Eventually() {}

    /** Returns the first value that fits; fails with the last one when a minute is over. */
    static <R> R seen(String what, Callable<R> look, Predicate<? super R> fits) throws Exception {
        long began = System.nanoTime();
        while (true) {
            R seen = look.call();
            if (fits.test(seen)) {
                return seen;
            }
            if (System.nanoTime() - began > LONG_ENOUGH.toNanos()) {
                return fail(what + " has not been seen for a minute, but: " + seen);
            }
            Thread.sleep(20);
        }
    }
}
