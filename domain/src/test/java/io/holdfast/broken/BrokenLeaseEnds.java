package io.holdfast.broken;

import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Succession;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseName;
import io.holdfast.memory.MemoryLeases;
import java.time.Duration;
import java.util.Optional;

/** A lease is let go, or its holder is evicted, wrongly. */
final class BrokenLeaseEnds {
    private BrokenLeaseEnds() {}

    /** Anybody may take it as soon as it is let go. */
    @TurnsRed("G2 G8 G11 G15 L3")
    static final class NoMinimum extends MemoryLeases {
        @Override
        protected void letGo(Row row, long minimum) {
            super.letGo(row, 0);
        }
    }

    /** The minimum begins when the work has ended. */
    @TurnsRed("L3")
    static final class MinimumFromTheEnd extends MemoryLeases {
        @Override
        protected void letGo(Row row, long minimum) {
            super.letGo(row, minimum);
            row.freeAt = minimum == 0 ? 0 : now() + minimum;
        }
    }

    /** Only from others: whoever had it last may take it again. */
    @TurnsRed("L3")
    static final class MinimumNotForItself extends MemoryLeases {
        @Override
        protected boolean takeable(Row row, Wish taker) {
            return super.takeable(row, taker) || (!row.held && row.holder.equals(taker.holder()));
        }
    }

    /** Released means that its time is over now, by the clock. */
    @TurnsRed("L3")
    static final class FreeByTheClock extends MemoryLeases {
        @Override
        protected void letGo(Row row, long minimum) {
            row.held = false;
            row.freeAt = row.since + minimum;
        }
    }

    /** The last minimum counts. */
    @TurnsRed("G12")
    static final class LastMinimumStands extends MemoryLeases {
        @Override
        public synchronized Release release(Lease lease, Duration minimum) {
            Release said = super.release(lease, minimum);
            row(lease.name()).filter(row -> isOf(lease, row)).ifPresent(row -> letGo(row, micros(minimum)));
            return said;
        }
    }

    /** A second release is told that the lease was lost. */
    @TurnsRed("G12 G15")
    static final class SecondReleaseIsLost extends MemoryLeases {
        @Override
        public synchronized Release release(Lease lease, Duration minimum) {
            boolean over = row(lease.name()).filter(row -> !row.held).isPresent();
            Release said = super.release(lease, minimum);
            return over ? new Release.Lost(Optional.empty()) : said;
        }
    }

    /** Says that it was released, whether or not a row was changed. */
    @TurnsRed("G4 G6 G8 G12 G13 G15 L2 L4")
    static final class CountIgnored extends MemoryLeases {
        @Override
        public Release release(Lease lease, Duration minimum) {
            super.release(lease, minimum);
            return new Release.Released();
        }
    }

    /** Refuses to let a lease go whose time is over. */
    @TurnsRed("G7")
    static final class LateReleaseRefused extends MemoryLeases {
        @Override
        public synchronized Release release(Lease lease, Duration minimum) {
            return row(lease.name())
                            .filter(row -> row.held && row.freeAt <= now())
                            .isPresent()
                    ? new Release.Lost(Optional.empty())
                    : super.release(lease, minimum);
        }
    }

    /** Deletes the row. */
    @TurnsRed("G4 G5 G12 G13 G15")
    static final class RowDeletedByTheEnd extends MemoryLeases {
        @Override
        public synchronized Release release(Lease lease, Duration minimum) {
            Release said = super.release(lease, minimum);
            row(lease.name()).filter(row -> row.freeAt == 0).ifPresent(row -> deleteByHand(row.name));
            return said;
        }
    }

    /** The fence that was seen is not compared. */
    @TurnsRed("G4 G8 G15")
    static final class EvictsWhoeverHolds extends MemoryLeases {
        @Override
        public synchronized Eviction evict(LeaseName name, Fence seen, Succession succession) {
            return super.evict(name, row(name).map(row -> new Fence(row.fence)).orElse(seen), succession);
        }
    }

    /** The evicted one's fence stays, so that it may renew. */
    @TurnsRed("G3 G4 G15")
    static final class FenceNotMovedOn extends MemoryLeases {
        @Override
        protected void evict(Row row, Succession succession) {
            long before = row.fence;
            super.evict(row, succession);
            row.fence = before;
        }
    }

    /** The holder is left in peace until somebody takes. */
    @TurnsRed("G5 G8 G14 G15")
    static final class EvictedWhenItIsTaken extends MemoryLeases {
        @Override
        protected void evict(Row row, Succession succession) {
            boolean held = row.held;
            super.evict(row, succession);
            row.held = held;
        }
    }

    /** Others may always take at once. */
    @TurnsRed("G3 G8 G15")
    static final class AlwaysAtOnce extends MemoryLeases {
        @Override
        protected void evict(Row row, Succession succession) {
            super.evict(row, Succession.AT_ONCE);
        }
    }

    /** Others have always to wait. */
    @TurnsRed("G4 G15")
    static final class NeverAtOnce extends MemoryLeases {
        @Override
        protected void evict(Row row, Succession succession) {
            super.evict(row, Succession.WHEN_SILENT);
        }
    }

    /** Only a holder is evicted; who waits for a minimum has to wait. */
    @TurnsRed("G15")
    static final class OnlyHoldersAreEvicted extends MemoryLeases {
        @Override
        public synchronized Eviction evict(LeaseName name, Fence seen, Succession succession) {
            return row(name).filter(row -> row.held).isPresent()
                    ? super.evict(name, seen, succession)
                    : new Eviction.Moved(Optional.empty());
        }
    }

    /** Looks who holds, and then evicts. */
    @TurnsRed("G15")
    static final class CheckThenEvict extends MemoryLeases {
        private final Gap gap = new Gap();

        @Override
        public Eviction evict(LeaseName name, Fence seen, Succession succession) {
            Optional<Row> found;
            synchronized (this) {
                found = row(name).filter(row -> row.fence == seen.value() && row.held);
            }
            if (found.isEmpty()) {
                return super.evict(name, seen, succession);
            }
            gap.meet();
            synchronized (this) {
                evict(found.get(), succession);
                return new Eviction.Evicted(new Fence(found.get().fence), remaining(found.get()));
            }
        }
    }
}
