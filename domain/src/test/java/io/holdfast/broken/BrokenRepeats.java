package io.holdfast.broken;

import io.holdfast.memory.MemoryPublishes;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimRequest;
import java.util.Optional;

/** An attempt that asks again is answered wrongly. */
final class BrokenRepeats {
    private BrokenRepeats() {}

    /** An attempt that has ended takes a second time. */
    @TurnsRed("G5 C12")
    static final class AnEndedAttemptTakesAgain extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> thisAttempt(ClaimRequest wish) {
            return super.thisAttempt(wish).filter(ClaimOutcome.Claimed.class::isInstance);
        }
    }

    /** An attempt that holds is told that it lost to itself. */
    @TurnsRed("G3 G5 G7 C9 C12")
    static final class ARepeatLosesToItself extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> thisAttempt(ClaimRequest wish) {
            return super.thisAttempt(wish).filter(told -> !(told instanceof ClaimOutcome.Claimed));
        }
    }

    /** A repeat gets the hold, and no more time. */
    @TurnsRed("G5 C9")
    static final class ARepeatIsNoRenewal extends MemoryPublishes {
        private boolean repeating;

        @Override
        protected Optional<ClaimOutcome> thisAttempt(ClaimRequest wish) {
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

    /** A repeat forgets what was taken over. */
    @TurnsRed("G5")
    static final class ARepeatForgetsWhomItTookOver extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> thisAttempt(ClaimRequest wish) {
            return super.thisAttempt(wish)
                    .map(told -> told instanceof ClaimOutcome.Claimed again
                            ? new ClaimOutcome.Claimed(again.claim(), again.remaining(), Optional.empty())
                            : told);
        }
    }

    /** An attempt may be used for several apps. */
    @TurnsRed("G5 G13")
    static final class AnAttemptOfSeveralApps extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> thisAttempt(ClaimRequest wish) {
            return find(wish.attempt())
                            .filter(run -> run.app().equals(wish.app()))
                            .isPresent()
                    ? super.thisAttempt(wish)
                    : Optional.empty();
        }
    }

    /** The attempt that was taken over takes the app back. */
    @TurnsRed("G5")
    static final class WhoWasTakenOverMayTakeAgain extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> thisAttempt(ClaimRequest wish) {
            return find(wish.attempt())
                            .filter(run -> run.fold(building -> false, abandoned -> true, ended -> false))
                            .isPresent()
                    ? Optional.empty()
                    : super.thisAttempt(wish);
        }
    }
}
