package io.holdfast.contract;

import io.holdfast.contract.Evidence.Method;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.function.Executable;

/** Tries at breaking a rule, all of which are made and counted before any is judged. Thread-safe. */
public final class Tries {
    private final AtomicLong tried = new AtomicLong();
    private final Queue<AssertionError> findings = new ConcurrentLinkedQueue<>();

    /** A single one, which fails as it would by itself. */
    public static void once(Method method, String engine, String rules, String what, Executable attempt) {
        Tries tries = new Tries();
        tries.attempt(what, attempt);
        tries.tell(method, engine, rules, what, "");
    }

    /** Makes one; whatever it throws is a finding. */
    void attempt(String what, Executable attempt) {
        tried.incrementAndGet();
        try {
            attempt.execute();
        } catch (Throwable e) {
            findings.add(new AssertionError(what + ": " + e.getMessage(), e));
        }
    }

    /**
     * Puts on record what was tried, as {@link Evidence} does.
     *
     * @throws AssertionError if there was a finding, with the others suppressed
     */
    void tell(Method method, String engine, String rules, String what, String note) {
        Evidence.of(method, engine, rules, what, tried.get(), findings.size(), note)
                .tell();
        AssertionError first = findings.poll();
        if (first != null) {
            findings.forEach(first::addSuppressed);
            throw first;
        }
    }
}
