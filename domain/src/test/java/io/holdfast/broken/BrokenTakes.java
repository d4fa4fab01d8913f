package io.holdfast.broken;

import io.holdfast.Renewal;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.memory.MemoryPublishes;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Who may take is decided wrongly. */
final class BrokenTakes {
    private BrokenTakes() {}

    /** The write has no condition: the last one wins. */
    @TurnsRed("G1 G2 G3 G4 G5 G7 G8 G9 G10 G11 G13 G14 G15 C1 C2 C3 C6 C7 C8 C9 C10 C11 C12")
    static final class NoGuard extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> inProgress(ClaimRequest wish) {
            return Optional.empty();
        }

        @Override
        public FinishOutcome finish(Claim claim, Ending ending) {
            Gap.until(() -> row(claim.app()).filter(row -> holds(claim, row)).isEmpty());
            return super.finish(claim, ending);
        }
    }

    /** Looks whether the app is free, and then takes it. */
    @TurnsRed("G1 G2 G4 G5 G8 G9 C1 C2 C4 C6 C8 C10 C11")
    static class CheckThenAct extends MemoryPublishes {
        private final Gap looked = new Gap();
        private final Gap taken = new Gap();

        @Override
        public ClaimOutcome claim(ClaimRequest wish) {
            if (!isWide(wish)) {
                return super.claim(wish);
            }
            return answered(wish).orElseGet(() -> {
                boolean two = looked.meet();
                ClaimOutcome won = take(wish);
                if (two) {
                    taken.meet();
                }
                return won;
            });
        }

        boolean isWide(ClaimRequest wish) {
            return true;
        }
    }

    /** The same, but only where there is no row yet: nothing to put a condition on, and no unique index. */
    @TurnsRed("G1 G2 G4 G5 G8 G9 C1 C4 C10 C11")
    static final class CheckThenInsert extends CheckThenAct {
        @Override
        synchronized boolean isWide(ClaimRequest wish) {
            return row(wish.app()).isEmpty();
        }
    }

    /** The same, but only for an app that was published before and is free. */
    @TurnsRed("G1 G2 G4 G8 G9 C2 C8 C10 C11")
    static final class CheckThenRepublish extends CheckThenAct {
        @Override
        synchronized boolean isWide(ClaimRequest wish) {
            return row(wish.app()).filter(row -> row.building().isEmpty()).isPresent();
        }
    }

    /** The same, but only for an app whose owner is silent. */
    @TurnsRed("G1 C6 C8")
    static final class CheckThenTakeOver extends CheckThenAct {
        @Override
        synchronized boolean isWide(ClaimRequest wish) {
            return row(wish.app())
                    .filter(row -> row.building().isPresent() && silent(row, wish))
                    .isPresent();
        }
    }

    /** A mark without an end: after a crash the app is in progress for ever. */
    @TurnsRed("G1 G4 G5 G6 G7 G8 G11 G14 G15 C4 C5 C6 C8 C10 C11")
    static final class NoExpiry extends MemoryPublishes {
        @Override
        protected boolean silent(Row row, ClaimRequest taker) {
            return false;
        }
    }

    /** Silence is measured by the limit of whoever would like to take over. */
    @TurnsRed("G7 G11")
    static final class TakersLimit extends MemoryPublishes {
        @Override
        protected boolean silent(Row row, ClaimRequest taker) {
            return now() - row.beat >= limitMicros(taker.limit().value());
        }
    }

    /** Silence is measured by the taker's clock, which is two minutes ahead. */
    @TurnsRed("G3 G11 G14 C6 C7")
    static final class ClientClock extends MemoryPublishes {
        @Override
        protected boolean silent(Row row, ClaimRequest taker) {
            return row.freeAt <= now() + limitMicros(Duration.ofMinutes(2));
        }
    }

    /** An app that has failed is in nobody's way but its own. */
    @TurnsRed("G1 G2 G4 G5 G7 G8 G9 G10 G12 G15 C1 C2 C4 C5 C6 C8 C10 C11 C12")
    static final class NoTakeAfterAFailure extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> inProgress(ClaimRequest wish) {
            return row(wish.app())
                    .filter(row -> row.last().orElseThrow().state instanceof Ending.Failed)
                    .<ClaimOutcome>map(row -> new Refusal.SlugTaken(row.slug))
                    .or(() -> super.inProgress(wish));
        }
    }

    /** Whoever comes while another is being served gets the engine's error. */
    @TurnsRed("G1 G2 G4 G5 G8 G9 C1 C2 C4 C6 C8 C10 C11")
    static final class ContentionThrows extends MemoryPublishes {
        private final ReentrantLock one = new ReentrantLock();
        private final Gap gap = new Gap();

        @Override
        public ClaimOutcome claim(ClaimRequest wish) {
            if (!one.tryLock()) {
                gap.meet();
                throw new StoreUnavailable(Effect.NOT_APPLIED, "deadlock found", new IllegalStateException("1213"));
            }
            try {
                gap.meet();
                return super.claim(wish);
            } finally {
                one.unlock();
            }
        }
    }

    /** A loser leaves its own limit in the row. */
    @TurnsRed("G2 G7")
    static final class LoserWrites extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> inProgress(ClaimRequest wish) {
            Optional<ClaimOutcome> lost = super.inProgress(wish);
            lost.ifPresent(
                    x -> row(wish.app()).orElseThrow().limit = wish.limit().value());
            return lost;
        }
    }

    /** Losers hold locks: once several have come at once, renewals have no word. */
    @TurnsRed("G2")
    static final class LosersLock extends MemoryPublishes {
        private static final long LONG = TimeUnit.SECONDS.toNanos(10);

        private final Gap gap = new Gap();
        private volatile long lockedAt = System.nanoTime() - LONG;

        @Override
        public ClaimOutcome claim(ClaimRequest wish) {
            ClaimOutcome outcome = super.claim(wish);
            if (outcome instanceof Refusal.InProgress && gap.meet()) {
                lockedAt = System.nanoTime();
            }
            return outcome;
        }

        @Override
        public Map<Claim, Renewal> renew(Collection<Claim> claims) {
            return System.nanoTime() - lockedAt < LONG ? Map.of() : super.renew(claims);
        }
    }
}
