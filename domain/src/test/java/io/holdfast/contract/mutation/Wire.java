package io.holdfast.contract.mutation;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What an adapter sends goes over it, and is changed there by the mutant that is on it. Thread-safe; one mutant at a time.
 *
 * @param <C> as {@link Mutant}'s
 */
public final class Wire<C> {
    private final AtomicLong changed = new AtomicLong();
    private volatile @Nullable Mutant<C> mutant;
    private volatile @Nullable String refusal;
    private volatile boolean isOpen;

    /** From now on connections are to be made over it. */
    public void open() {
        isOpen = true;
    }

    public void close() {
        isOpen = false;
    }

    /** Whether connections are to be made over it. */
    public boolean isOpen() {
        return isOpen;
    }

    /** What is sent instead. */
    public C send(C sent) {
        Mutant<C> now = mutant;
        if (now == null) {
            return sent;
        }
        C mutated = now.change().apply(sent);
        if (!mutated.equals(sent)) {
            changed.incrementAndGet();
        }
        return mutated;
    }

    /** Tells that the server could not make sense of what was sent: such a mutant shows nothing. */
    public void refuse(String why) {
        refusal = why;
    }

    /** Puts one on, in the place of another. */
    public void put(Mutant<C> next) {
        refusal = null;
        changed.set(0);
        mutant = next;
    }

    /** Takes it off. */
    void clear() {
        mutant = null;
        refusal = null;
        changed.set(0);
    }

    /** Whether the mutant had anything to change. */
    boolean hasChanged() {
        return changed.get() > 0;
    }

    Optional<String> refusal() {
        return Optional.ofNullable(refusal);
    }
}
