package io.holdfast.broken;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Holder;
import io.holdfast.Renewal;
import io.holdfast.SilenceLimit;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.lease.LeaseOutcome.Over;
import io.holdfast.lease.LeaseOutcome.Taken;
import io.holdfast.memory.MemoryLeases;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Who may take a lease is decided wrongly, or under which fence, or what an attempt that asks again is told. */
final class BrokenLeaseTakes {
    private BrokenLeaseTakes() {}

    /** The write has no condition: the last one wins. */
    @TurnsRed("G1 G2 G3 G4 G5 G7 G8 G10 G11 G13 G14 G15 L1 L3")
    static final class NoGuard extends MemoryLeases {
        @Override
        protected boolean takeable(Row row, Wish taker) {
            return true;
        }

        @Override
        public Release release(Lease lease, Duration minimum) {
            Gap.until(() -> row(lease.name()).filter(row -> isOf(lease, row)).isEmpty());
            return super.release(lease, minimum);
        }
    }

    /** Looks whether the lease is free, and then takes it. */
    @TurnsRed("G1 G2 G4 G5 G8 G15")
    static class CheckThenAct extends MemoryLeases {
        private final Gap looked = new Gap();
        private final Gap taken = new Gap();

        @Override
        public LeaseOutcome acquire(LeaseName name, AttemptId attempt, Holder holder, SilenceLimit limit) {
            Wish wish = new Wish(name, attempt, holder, limit);
            if (!isWide(wish)) {
                return super.acquire(name, attempt, holder, limit);
            }
            return answered(wish).orElseGet(() -> {
                boolean two = looked.meet();
                LeaseOutcome won = take(wish);
                if (two) {
                    taken.meet();
                }
                return won;
            });
        }

        boolean isWide(Wish wish) {
            return true;
        }
    }

    /** The same, but only where there is no row yet: nothing to put a condition on. */
    @TurnsRed("G1 G2 G4 G5 G8")
    static final class CheckThenInsert extends CheckThenAct {
        @Override
        synchronized boolean isWide(Wish wish) {
            return row(wish.name()).isEmpty();
        }
    }

    /** The same, but only for a lease whose holder is silent. */
    @TurnsRed("G1 G15")
    static final class CheckThenTakeOver extends CheckThenAct {
        @Override
        synchronized boolean isWide(Wish wish) {
            return row(wish.name())
                    .filter(row -> row.held && takeable(row, wish))
                    .isPresent();
        }
    }

    /** A mark without an end: after a crash nobody ever gets the lease. */
    @TurnsRed("G1 G4 G6 G7 G8 G11 G14 G15 L1 L2")
    static final class NoExpiry extends MemoryLeases {
        @Override
        protected boolean takeable(Row row, Wish taker) {
            return !row.held && super.takeable(row, taker);
        }
    }

    /** Silence is measured by the limit of whoever would like to take over. */
    @TurnsRed("G7 G11")
    static final class TakersLimit extends MemoryLeases {
        @Override
        protected boolean takeable(Row row, Wish taker) {
            return row.held ? now() - row.beat >= micros(taker.limit().value()) : super.takeable(row, taker);
        }
    }

    /** Silence is measured by the taker's clock, which is two minutes ahead. */
    @TurnsRed("G3 G11 G14 G15 L1 L3")
    static final class ClientClock extends MemoryLeases {
        @Override
        protected boolean takeable(Row row, Wish taker) {
            return row.freeAt <= now() + micros(Duration.ofMinutes(2));
        }
    }

    /** Whoever comes while another is being served gets the engine's error. */
    @TurnsRed("G1 G2 G4 G5 G8 G9 G15")
    static final class ContentionThrows extends MemoryLeases {
        private final ReentrantLock one = new ReentrantLock();
        private final Gap gap = new Gap();

        @Override
        public LeaseOutcome acquire(LeaseName name, AttemptId attempt, Holder holder, SilenceLimit limit) {
            if (!one.tryLock()) {
                gap.meet();
                throw new StoreUnavailable(Effect.NOT_APPLIED, "deadlock found", new IllegalStateException("1213"));
            }
            try {
                gap.meet();
                return super.acquire(name, attempt, holder, limit);
            } finally {
                one.unlock();
            }
        }
    }

    /** A loser leaves its own limit in the row. */
    @TurnsRed("G2 G7")
    static final class LoserWrites extends MemoryLeases {
        @Override
        protected Optional<LeaseOutcome> taken(Wish wish) {
            Optional<LeaseOutcome> lost = super.taken(wish);
            lost.ifPresent(
                    x -> row(wish.name()).orElseThrow().limit = wish.limit().value());
            return lost;
        }
    }

    /** Losers hold locks: once several have come at once, renewals have no word. */
    @TurnsRed("G2")
    static final class LosersLock extends MemoryLeases {
        private static final long LONG = TimeUnit.SECONDS.toNanos(10);

        private final Gap gap = new Gap();
        private volatile long lockedAt = System.nanoTime() - LONG;

        @Override
        public LeaseOutcome acquire(LeaseName name, AttemptId attempt, Holder holder, SilenceLimit limit) {
            LeaseOutcome outcome = super.acquire(name, attempt, holder, limit);
            if (outcome instanceof Taken && gap.meet()) {
                lockedAt = System.nanoTime();
            }
            return outcome;
        }

        @Override
        public Map<Lease, Renewal> renew(Collection<Lease> leases) {
            return System.nanoTime() - lockedAt < LONG ? Map.of() : super.renew(leases);
        }
    }

    /** A lease is told to be its holder's for longer than it is. */
    @TurnsRed("G3 G5 G7 G8 G11 G14 G15 L2 L3 L4")
    static final class TellsMoreThanTheRow extends MemoryLeases {
        @Override
        protected Duration remaining(Row row) {
            return super.remaining(row).plus(Duration.ofMinutes(2));
        }
    }

    /** An attempt that has let go, or was evicted, takes again. */
    @TurnsRed("G5")
    static final class AnAttemptTakesTwice extends MemoryLeases {
        @Override
        protected Optional<LeaseOutcome> thisAttempt(Wish wish) {
            return super.thisAttempt(wish).filter(told -> !(told instanceof Over));
        }
    }

    /** An attempt that holds is told that it lost to itself. */
    @TurnsRed("G3 G5 G7")
    static final class ARepeatLosesToItself extends MemoryLeases {
        @Override
        protected Optional<LeaseOutcome> thisAttempt(Wish wish) {
            return super.thisAttempt(wish).filter(told -> !(told instanceof Acquired));
        }
    }

    /** A repeat gets the hold, and no more time. */
    @TurnsRed("G3 G5")
    static final class ARepeatIsNoRenewal extends MemoryLeases {
        private boolean repeating;

        @Override
        protected Optional<LeaseOutcome> thisAttempt(Wish wish) {
            repeating = true;
            try {
                return super.thisAttempt(wish);
            } finally {
                repeating = false;
            }
        }

        @Override
        protected void prolong(Row row) {
            if (!repeating) {
                super.prolong(row);
            }
        }
    }

    /** A take-over goes on under the fence of whom it took over. */
    @TurnsRed("G4 G8 G15")
    static final class FenceNotRaisedByATakeOver extends MemoryLeases {
        @Override
        protected Fence nextFence(Row row) {
            return row.held && row.freeAt <= now() ? new Fence(row.fence) : super.nextFence(row);
        }
    }

    /** Letting go takes the fence along. */
    @TurnsRed("G4 G15")
    static final class FenceResetByTheEnd extends MemoryLeases {
        @Override
        protected Fence nextFence(Row row) {
            super.nextFence(row);
            return new Fence(row.held || row.since == 0 ? row.fence + 1 : 1);
        }
    }

    /** A counter without a clock: a row that was lost begins at 1 again. */
    @TurnsRed("G4")
    static final class ACounterAlone extends MemoryLeases {
        @Override
        protected Fence nextFence(Row row) {
            super.nextFence(row);
            return new Fence(row.fence + 1);
        }
    }

    /** The last one is given out again and again. */
    @TurnsRed("G4 G13")
    static final class FenceSaturated extends MemoryLeases {
        @Override
        protected Fence nextFence(Row row) {
            return row.fence == Long.MAX_VALUE ? new Fence(Long.MAX_VALUE) : super.nextFence(row);
        }
    }

    /** Kept as a floating-point number. */
    @TurnsRed("G4")
    static final class FenceInFloatingPoint extends MemoryLeases {
        @Override
        protected Fence nextFence(Row row) {
            return new Fence((long) (double) super.nextFence(row).value());
        }
    }

    /** Names are compared as a language would. */
    @TurnsRed("G10")
    static final class NameFoldedToLowerCase extends MemoryLeases {
        @Override
        protected LeaseName key(LeaseName name) {
            return LeaseName.of(name.value().toLowerCase(Locale.ROOT));
        }
    }
}
