package io.holdfast.contract.history;

import io.holdfast.Fence;
import java.util.Optional;

/**
 * A key's fence, as far as somebody was told of it. The database makes them up: a model knows only that each is higher than
 * the one before (G4), until an answer names it. Clients name what they were told, so that one that nobody was told of is
 * named by answers alone.
 *
 * @param above it is more than this
 * @param value 0 while nobody was told; -1 when there is none
 */
record FenceSought(long above, long value) {
    static final FenceSought NONE = new FenceSought(0, -1);

    /** The one of the next take, or eviction. */
    FenceSought next() {
        return new FenceSought(Math.max(above + 1, value), 0);
    }

    /** Now that it is named so; empty if it is not that one. */
    Optional<FenceSought> named(Fence fence) {
        if (value == 0 && fence.value() > above) {
            return Optional.of(new FenceSought(fence.value() - 1, fence.value()));
        }
        return value == fence.value() ? Optional.of(this) : Optional.empty();
    }
}
