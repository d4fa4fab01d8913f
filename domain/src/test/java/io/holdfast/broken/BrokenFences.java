package io.holdfast.broken;

import io.holdfast.Fence;
import io.holdfast.memory.MemoryPublishes;
import io.holdfast.publish.Ending;

/** Fences do not grow. */
final class BrokenFences {
    private BrokenFences() {}

    /** A take-over goes on under the fence of whom it took over. */
    @TurnsRed(value = "G4 G15", byLuck = "C8")
    static final class NotRaisedByATakeOver extends MemoryPublishes {
        @Override
        protected Fence nextFence(Row row) {
            return row.building().isPresent() ? new Fence(row.fence) : super.nextFence(row);
        }
    }

    /** The end of a hold takes its fence along. */
    @TurnsRed(value = "G4", byLuck = "C8")
    static final class ResetByTheEnd extends MemoryPublishes {
        @Override
        protected Fence nextFence(Row row) {
            return new Fence(row.fence + 1);
        }

        @Override
        protected void end(Row row, Entry entry, Ending ending) {
            super.end(row, entry, ending);
            row.fence = 0;
        }
    }

    /** A counter without a clock: a row that was lost begins at 1 again. */
    @TurnsRed("G4")
    static final class ACounterAlone extends MemoryPublishes {
        @Override
        protected Fence nextFence(Row row) {
            super.nextFence(row);
            return new Fence(row.fence + 1);
        }
    }

    /** A clock without a counter: it may stand still, or go back. */
    @TurnsRed(value = "G4", byLuck = "G15")
    static final class AClockAlone extends MemoryPublishes {
        @Override
        protected Fence nextFence(Row row) {
            super.nextFence(row);
            return new Fence(now());
        }
    }

    /** The last one is given out again and again. */
    @TurnsRed("G4")
    static final class SaturatedAtTheEnd extends MemoryPublishes {
        @Override
        protected Fence nextFence(Row row) {
            return row.fence == Long.MAX_VALUE ? new Fence(Long.MAX_VALUE) : super.nextFence(row);
        }
    }

    /** Kept as a floating-point number. */
    @TurnsRed("G4")
    static final class FloatingPoint extends MemoryPublishes {
        @Override
        protected Fence nextFence(Row row) {
            return new Fence((long) (double) super.nextFence(row).value());
        }
    }
}
