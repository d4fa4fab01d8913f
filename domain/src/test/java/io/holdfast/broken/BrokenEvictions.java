package io.holdfast.broken;

import io.holdfast.AttemptId;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Succession;
import io.holdfast.memory.MemoryPublishes;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.Deployment;
import java.util.Optional;

/** An operator hits the wrong hold, or does not quite hit it. */
final class BrokenEvictions {
    private BrokenEvictions() {}

    /** Whoever holds by now is evicted. */
    @TurnsRed("G15 C8")
    static final class FenceNotLookedAt extends MemoryPublishes {
        @Override
        protected boolean isSeen(Row row, Fence seen) {
            return super.isSeen(row, new Fence(row.fence));
        }
    }

    /** The fence is looked at by a read. */
    @TurnsRed("G15 C8")
    static final class CheckThenEvict extends MemoryPublishes {
        private final Gap gap = new Gap();

        @Override
        public Eviction evict(AppId app, Fence seen, Succession succession) {
            synchronized (this) {
                if (row(app).filter(row -> isSeen(row, seen)).isEmpty()) {
                    return super.evict(app, seen, succession);
                }
            }
            gap.meet();
            synchronized (this) {
                return evict(row(app).orElseThrow(), succession);
            }
        }
    }

    /** The holder has lost, and its fence has not. */
    @TurnsRed("G4 G15")
    static final class FenceNotMovedOn extends MemoryPublishes {
        @Override
        protected void abandon(Row row, long freeAt) {
            long fence = row.fence;
            super.abandon(row, freeAt);
            row.fence = fence;
        }
    }

    /** Others take while the holder may still believe that it holds. */
    @TurnsRed("G8 G15")
    static final class AlwaysAtOnce extends MemoryPublishes {
        @Override
        protected long freeAfterwards(Row row, Succession succession) {
            return 0;
        }
    }

    /** Others have to wait, though it was asked that they need not. */
    @TurnsRed("G15")
    static final class NeverAtOnce extends MemoryPublishes {
        @Override
        protected long freeAfterwards(Row row, Succession succession) {
            return row.freeAt;
        }
    }

    /** Others have to wait for the whole limit once more. */
    @TurnsRed("G15")
    static final class WaitsForTheWholeLimit extends MemoryPublishes {
        @Override
        protected long freeAfterwards(Row row, Succession succession) {
            return succession == Succession.AT_ONCE ? 0 : now() + limitMicros(row.limit);
        }
    }

    /** What keeps others from taking can be ended by nobody. */
    @TurnsRed("G15")
    static final class OnlyHoldersAreSeen extends MemoryPublishes {
        @Override
        protected boolean isSeen(Row row, Fence seen) {
            return row.building().isPresent() && super.isSeen(row, seen);
        }
    }

    /** The next beat of the evicted brings its hold back, until another has taken it. */
    @TurnsRed(value = "G8 G15 C9", byLuck = "C8")
    static final class TheEvictedComesBack extends MemoryPublishes {
        @Override
        protected boolean holds(Claim claim, Row row) {
            row.last()
                    .filter(entry -> entry.id.equals(claim.attempt())
                            && entry.fence.equals(claim.fence())
                            && entry.state instanceof Deployment.Abandoned)
                    .ifPresent(entry -> entry.state = null);
            return super.holds(claim, row);
        }
    }

    /** Whoever takes next is said to have taken over. */
    @TurnsRed("G5 G15 C8 C9 C11")
    static final class AbandonedByTheNext extends MemoryPublishes {
        @Override
        protected synchronized ClaimOutcome take(ClaimRequest wish) {
            row(wish.app())
                    .flatMap(Row::last)
                    .filter(entry -> entry.state instanceof Deployment.Abandoned)
                    .ifPresent(entry -> entry.state = new Deployment.Abandoned(Optional.of(wish.attempt())));
            return super.take(wish);
        }
    }

    /** A client that comes again gets another deployment. */
    @TurnsRed("C11")
    static final class RequestKeySetFree extends MemoryPublishes {
        @Override
        protected void abandon(Row row, long freeAt) {
            super.abandon(row, freeAt);
            row.last().orElseThrow().requestKey = Optional.empty();
        }
    }

    /** Its own attempt, late, takes the app once more. */
    @TurnsRed("G5")
    static final class MayTakeAgain extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> thisAttempt(ClaimRequest wish) {
            return super.thisAttempt(wish).filter(told -> !wasAbandonedByNobody(wish.attempt()));
        }

        private boolean wasAbandonedByNobody(AttemptId attempt) {
            return find(attempt).orElseThrow().state().equals(new Deployment.Abandoned(Optional.empty()));
        }
    }

    /** What users see goes with it. */
    @TurnsRed("C5")
    static final class LiveTakenDown extends MemoryPublishes {
        @Override
        protected void abandon(Row row, long freeAt) {
            super.abandon(row, freeAt);
            row.live = null;
        }
    }
}
