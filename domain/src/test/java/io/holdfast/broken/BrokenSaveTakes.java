package io.holdfast.broken;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Renewal;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.memory.MemorySaveTokens;
import io.holdfast.save.Ending;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveTokenStore;
import io.holdfast.save.TokenDigest;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Who may take a save token, and under which fence, is decided wrongly. */
final class BrokenSaveTakes {
    private BrokenSaveTakes() {}

    /** The write has no condition: the last one wins. */
    @TurnsRed("G1 G2 G3 G4 G5 G7 G8 G9 G10 G11 G13 G14 S1 S2 S3 S4 S6 S7")
    static final class NoGuard extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> inProgress(Row row, ReserveRequest wish) {
            return Optional.empty();
        }

        @Override
        public EndOutcome end(Reservation hold, Ending ending) {
            Gap.until(() -> row(hold.token()).filter(row -> names(hold, row)).isEmpty());
            return super.end(hold, ending);
        }
    }

    /** Looks whether the token is free, and then takes it. */
    @TurnsRed("G1 G2 G4 G5 G8 G9 S1 S6")
    static class CheckThenAct extends MemorySaveTokens {
        private final Gap looked = new Gap();
        private final Gap taken = new Gap();

        @Override
        public ReserveOutcome reserve(ReserveRequest wish) {
            if (!isWide(wish)) {
                return super.reserve(wish);
            }
            return answered(wish).orElseGet(() -> {
                boolean two = looked.meet();
                ReserveOutcome won = take(wish);
                if (two) {
                    taken.meet();
                }
                return won;
            });
        }

        boolean isWide(ReserveRequest wish) {
            return true;
        }
    }

    /** The same, but only for a token whose holder is silent. */
    @TurnsRed("G1 S6")
    static final class CheckThenTakeOver extends CheckThenAct {
        @Override
        synchronized boolean isWide(ReserveRequest wish) {
            return row(wish.token())
                    .filter(row -> row.held && silent(row, wish))
                    .isPresent();
        }
    }

    /** A mark without an end: after a crash the token is in progress for ever. */
    @TurnsRed("G1 G4 G5 G6 G7 G8 G14 S1 S2 S3 S4 S5 S6 S7")
    static final class NeverSilent extends MemorySaveTokens {
        @Override
        protected boolean silent(Row row, ReserveRequest taker) {
            return false;
        }
    }

    /** Silence is measured by the limit of whoever would like to take over. */
    @TurnsRed("G7 G11 S4")
    static final class TakersLimit extends MemorySaveTokens {
        @Override
        protected boolean silent(Row row, ReserveRequest taker) {
            return now() - row.beat >= micros(taker.limit().value());
        }
    }

    /** Silence is measured by the taker's clock, which is two minutes ahead. */
    @TurnsRed("G3 G11 G14 S6")
    static final class ClientClock extends MemorySaveTokens {
        @Override
        protected boolean silent(Row row, ReserveRequest taker) {
            return row.freeAt <= now() + micros(Duration.ofMinutes(2));
        }
    }

    /** Whoever comes while another is being served gets the engine's error. */
    @TurnsRed("G1 G2 G4 G5 G8 G9 S1 S2 S6")
    static final class ContentionThrows extends MemorySaveTokens {
        private final ReentrantLock one = new ReentrantLock();
        private final Gap gap = new Gap();

        @Override
        public ReserveOutcome reserve(ReserveRequest wish) {
            if (!one.tryLock()) {
                gap.meet();
                throw new StoreUnavailable(Effect.NOT_APPLIED, "deadlock found", new IllegalStateException("1213"));
            }
            try {
                gap.meet();
                return super.reserve(wish);
            } finally {
                one.unlock();
            }
        }
    }

    /** A loser leaves its own limit in the row. */
    @TurnsRed("G2 G7")
    static final class LoserWrites extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> inProgress(Row row, ReserveRequest wish) {
            Optional<ReserveOutcome> lost = super.inProgress(row, wish);
            lost.ifPresent(x -> row.limit = wish.limit().value());
            return lost;
        }
    }

    /** Losers hold locks: once several have come at once, renewals have no word. */
    @TurnsRed(value = "G2", byLuck = "S6")
    static final class LosersLock extends MemorySaveTokens {
        private static final long LONG = TimeUnit.SECONDS.toNanos(10);

        private final Gap gap = new Gap();
        private volatile long lockedAt = System.nanoTime() - LONG;

        @Override
        public ReserveOutcome reserve(ReserveRequest wish) {
            ReserveOutcome outcome = super.reserve(wish);
            if (outcome instanceof Refusal.InProgress && gap.meet()) {
                lockedAt = System.nanoTime();
            }
            return outcome;
        }

        @Override
        public Map<Reservation, Renewal> renew(Collection<Reservation> holds) {
            return System.nanoTime() - lockedAt < LONG ? Map.of() : super.renew(holds);
        }
    }

    // Fences.

    /** A take-over goes on under the fence of whom it took over. */
    @TurnsRed("G4 S6")
    static final class FenceNotRaisedByATakeOver extends MemorySaveTokens {
        @Override
        protected Fence nextFence(Row row) {
            return row.held ? new Fence(row.fence) : super.nextFence(row);
        }
    }

    /** A counter without a clock: a row that was lost begins at 1 again. */
    @TurnsRed("G4")
    static final class ACounterAlone extends MemorySaveTokens {
        @Override
        protected Fence nextFence(Row row) {
            super.nextFence(row);
            return new Fence(row.fence + 1);
        }
    }

    /** A clock without a counter: it may stand still, or go back. */
    @TurnsRed("G4")
    static final class AClockAlone extends MemorySaveTokens {
        @Override
        protected Fence nextFence(Row row) {
            super.nextFence(row);
            return new Fence(now());
        }
    }

    /** The last fence is given out again and again. */
    @TurnsRed("G4")
    static final class SaturatedAtTheEnd extends MemorySaveTokens {
        @Override
        protected Fence nextFence(Row row) {
            return row.fence == Long.MAX_VALUE ? new Fence(Long.MAX_VALUE) : super.nextFence(row);
        }
    }

    // Repeats.

    /** A repeat is a rival of the call that it repeats. */
    @TurnsRed("G3 G5 G7")
    static final class RepeatIsARival extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> thisAttempt(Row row, ReserveRequest wish) {
            return Optional.empty();
        }
    }

    /** A repeat takes anew, under another fence. */
    @TurnsRed("G3 G5 G7")
    static final class RepeatTakesAgain extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> thisAttempt(Row row, ReserveRequest wish) {
            return super.thisAttempt(row, wish).map(said -> row.held ? take(wish) : said);
        }
    }

    /** A repeat is told of its hold, and gets no time. */
    @TurnsRed("G3 G5")
    static final class RepeatDoesNotRenew extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> thisAttempt(Row row, ReserveRequest wish) {
            long beat = row.beat;
            long freeAt = row.freeAt;
            Optional<ReserveOutcome> said = super.thisAttempt(row, wish);
            row.beat = beat;
            row.freeAt = freeAt;
            return said;
        }
    }

    /** A late packet of an attempt that gave the token back takes it once more. */
    @TurnsRed("G5")
    static final class AttemptTakesTwice extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> thisAttempt(Row row, ReserveRequest wish) {
            return row.held ? super.thisAttempt(row, wish) : Optional.empty();
        }
    }

    /** Whoever was taken over and asks again is made the holder. */
    @TurnsRed("G5")
    static final class OldAttemptsTakeBack extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> inProgress(Row row, ReserveRequest wish) {
            Optional<AttemptId> old = Optional.ofNullable(row.takenOver);
            return old.filter(wish.attempt()::equals).isPresent() ? Optional.empty() : super.inProgress(row, wish);
        }
    }

    // Issuing.

    /** A token that nobody has issued is good. */
    @TurnsRed("G11 G13 S1 S2 S4 S6 S7")
    static final class UnknownIsGood extends MemorySaveTokens {
        @Override
        public ReserveOutcome reserve(ReserveRequest wish) {
            issue(wish.token(), Duration.ofDays(1), IfInDoubt.RUN_AGAIN);
            return super.reserve(wish);
        }
    }

    /** Issuing is writing over. */
    @TurnsRed("S1")
    static final class IssuedAnew extends MemorySaveTokens {
        @Override
        public synchronized void issue(TokenDigest token, Duration validFor, IfInDoubt ifInDoubt) {
            SaveTokenStore.validity(validFor);
            deleteByHand(token);
            super.issue(token, validFor, ifInDoubt);
        }
    }

    /** How long a token is valid is nobody's concern. */
    @TurnsRed("G11")
    static final class ValidityNotLookedAt extends MemorySaveTokens {
        @Override
        public synchronized void issue(TokenDigest token, Duration validFor, IfInDoubt ifInDoubt) {
            super.issue(token, validFor.isNegative() ? Duration.ofDays(1) : validFor, ifInDoubt);
        }
    }
}
