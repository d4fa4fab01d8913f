package io.holdfast.broken;

import io.holdfast.memory.MemoryPublishes;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal;
import java.util.Optional;

/** A wish that was sent twice is taken for two. */
final class BrokenRequestKeys {
    private BrokenRequestKeys() {}

    @TurnsRed("G10 C11 C12")
    static final class Ignored extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> thisRequestKey(ClaimRequest wish) {
            return Optional.empty();
        }
    }

    /** Looked at before the write that decides, and not by it. */
    @TurnsRed("C11")
    static final class CheckedBeforehand extends MemoryPublishes {
        @Override
        public ClaimOutcome claim(ClaimRequest wish) {
            Optional<ClaimOutcome> before;
            synchronized (this) {
                before = thisAttempt(wish).or(() -> thisRequestKey(wish));
            }
            if (before.isPresent()) {
                return before.get();
            }
            if (wish.requestKey().isPresent()) {
                Gap.pass();
            }
            synchronized (this) {
                return inProgress(wish)
                        .or(() -> slugFixed(wish))
                        .or(() -> slugTaken(wish))
                        .orElseGet(() -> take(wish));
            }
        }
    }

    /** Known while its deployment runs, and forgotten when that ends. */
    @TurnsRed("G10 C11 C12")
    static final class ForgottenAtTheEnd extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> thisRequestKey(ClaimRequest wish) {
            return row(wish.app()).flatMap(Row::building).isPresent() ? super.thisRequestKey(wish) : Optional.empty();
        }
    }

    /** Only the last one is known. */
    @TurnsRed("G10 C11 C12")
    static final class LastOneOnly extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> thisRequestKey(ClaimRequest wish) {
            return super.thisRequestKey(wish)
                    .filter(told -> told.fold(
                            claimed -> true,
                            refused -> refused instanceof Refusal.OtherRequest
                                    || current(wish.app())
                                            .orElseThrow()
                                            .id()
                                            .equals(((Refusal.AlreadyRun) refused)
                                                    .deployment()
                                                    .id())));
        }
    }

    /** The other wish is not looked at. */
    @TurnsRed("C11 C12")
    static final class OtherSlugIsTheSameWish extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> thisRequestKey(ClaimRequest wish) {
            return super.thisRequestKey(wish)
                    .map(told -> told instanceof Refusal.OtherRequest other
                            ? new Refusal.AlreadyRun(other.deployment())
                            : told);
        }
    }

    /** A publish that never started is the answer for ever. */
    @TurnsRed("C11")
    static final class KeptByWhatWasNotStarted extends MemoryPublishes {
        @Override
        protected void end(Row row, Entry entry, Ending ending) {
            var key = entry.requestKey;
            super.end(row, entry, ending);
            entry.requestKey = key;
        }
    }
}
