package io.holdfast.broken;

import io.holdfast.memory.MemoryPublishes;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal;
import io.holdfast.publish.Slug;
import java.util.Optional;

/** Names are given out wrongly. */
final class BrokenSlugs {
    private BrokenSlugs() {}

    /** No unique index. */
    @TurnsRed("G13 C4")
    static final class NotUnique extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> slugTaken(ClaimRequest wish) {
            return Optional.empty();
        }
    }

    /** No unique index, but a look beforehand. */
    @TurnsRed("C4")
    static final class CheckedBeforehand extends MemoryPublishes {
        private final Gap gap = new Gap();

        @Override
        public ClaimOutcome claim(ClaimRequest wish) {
            Optional<ClaimOutcome> before = answered(wish);
            if (before.isPresent()) {
                return before.get();
            }
            gap.meet();
            synchronized (this) {
                return thisAttempt(wish)
                        .or(() -> thisRequestKey(wish))
                        .or(() -> inProgress(wish))
                        .or(() -> slugFixed(wish))
                        .orElseGet(() -> take(wish));
            }
        }
    }

    /** A live app may be renamed by publishing it. */
    @TurnsRed("C4 C12")
    static final class MovesWhenLive extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> slugFixed(ClaimRequest wish) {
            return Optional.empty();
        }
    }

    /** A slug is fixed by the first publish, also by one that failed. */
    @TurnsRed("C4")
    static final class FixedBeforeTheFirstSuccess extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> slugFixed(ClaimRequest wish) {
            return row(wish.app())
                    .filter(row -> !row.slug.equals(wish.slug()))
                    .map(row -> new Refusal.SlugFixed(row.slug));
        }
    }

    /** A failed first publish gives the name away. */
    @TurnsRed("C4")
    static final class FreedByAFailure extends MemoryPublishes {
        @Override
        protected void end(Row row, Entry entry, Ending ending) {
            super.end(row, entry, ending);
            if (row.live == null) {
                row.slug = Slug.of("none");
            }
        }
    }

    /** The loser of a first publish hits its own app's slug, and is told that the name is taken. */
    @TurnsRed("G2 G3 G4 G5 G7 G8 G9 G10 G11 G13 G14 G15 C1 C3 C6 C7 C9 C10 C11")
    static final class TakenByItsOwnApp extends MemoryPublishes {
        private volatile boolean told;

        @Override
        public ClaimOutcome claim(ClaimRequest wish) {
            ClaimOutcome outcome = super.claim(wish);
            if (isFirstPublish(wish) && outcome instanceof ClaimOutcome.Claimed) {
                told = false;
                Gap.until(() -> told);
            }
            return outcome;
        }

        private synchronized boolean isFirstPublish(ClaimRequest wish) {
            return row(wish.app())
                    .filter(row -> row.history.size() == 1 && row.building().isPresent())
                    .isPresent();
        }

        @Override
        protected Optional<ClaimOutcome> inProgress(ClaimRequest wish) {
            Optional<ClaimOutcome> running = super.inProgress(wish);
            if (running.isEmpty() || !isFirstPublish(wish)) {
                return running;
            }
            told = true;
            return Optional.of(new Refusal.SlugTaken(wish.slug()));
        }
    }

    /** A name that is refused is kept all the same. */
    @TurnsRed("G13 C4")
    static final class RefusalLeavesAClaim extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> slugTaken(ClaimRequest wish) {
            Optional<ClaimOutcome> refused = super.slugTaken(wish);
            refused.ifPresent(taken -> take(wish));
            return refused;
        }
    }
}
