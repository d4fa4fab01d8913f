package io.holdfast.broken;

import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.memory.MemoryPublishes;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What is decided is right, and what is told is not. */
final class BrokenAnswers {
    private BrokenAnswers() {}

    /** Times are kept as this host's local time. */
    @TurnsRed("G3")
    static final class LocalTime extends MemoryPublishes {
        @Override
        protected long now() {
            long zone = LocalDateTime.now(ZoneId.systemDefault())
                            .atZone(ZoneId.systemDefault())
                            .getOffset()
                            .getTotalSeconds()
                    * 1_000_000L;
            return super.now() + zone;
        }
    }

    /** The holder is told a quarter more than the row says. */
    @TurnsRed("G3 G5 G7 G8 G11 G14 G15")
    static final class TellsTooMuchTime extends MemoryPublishes {
        @Override
        protected Duration remaining(Row row) {
            return super.remaining(row).multipliedBy(5).dividedBy(4);
        }
    }

    /** The loser's answer is made up of what it knows itself. */
    @TurnsRed("G3 G8 G11")
    static final class Invented extends MemoryPublishes {
        @Override
        protected Incumbent incumbent(Row row) {
            Incumbent told = super.incumbent(row);
            return new Incumbent(told.attempt(), told.holder(), told.fence(), Instant.now(), Duration.ZERO, row.limit);
        }
    }

    /** The loser is told whom the losers before it were told, as a cache has it. */
    @TurnsRed("G8 C2 C6")
    static final class Cached extends MemoryPublishes {
        private final Map<AppId, Incumbent> cache = new HashMap<>();

        @Override
        protected Optional<ClaimOutcome> inProgress(ClaimRequest wish) {
            return super.inProgress(wish)
                    .map(told -> new Refusal.InProgress(
                            cache.computeIfAbsent(wish.app(), app -> ((Refusal.InProgress) told).running())));
        }
    }

    /** Who lost is not told to whom. */
    @TurnsRed("G6 G8 G14")
    static final class LostToNobody extends MemoryPublishes {
        @Override
        protected Renewal renew(Claim claim) {
            return super.renew(claim).<Renewal>fold(held -> held, lost -> new Renewal.Lost(Optional.empty()));
        }
    }

    /** A take-over is not told whom it took over. */
    @TurnsRed("C6 C8")
    static final class TakeOverUnnamed extends MemoryPublishes {
        @Override
        protected synchronized ClaimOutcome take(ClaimRequest wish) {
            ClaimOutcome.Claimed taken = (ClaimOutcome.Claimed) super.take(wish);
            return new ClaimOutcome.Claimed(taken.claim(), taken.remaining(), Optional.empty());
        }
    }

    /** The request key is looked at after the running deployment. */
    @TurnsRed("C11 C12")
    static final class ProgressBeforeRequestKey extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> thisRequestKey(ClaimRequest wish) {
            return inProgress(wish).or(() -> super.thisRequestKey(wish));
        }
    }

    /** The request key is looked at before the attempt. */
    @TurnsRed("G5 C12")
    static final class RequestKeyBeforeAttempt extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> thisAttempt(ClaimRequest wish) {
            return thisRequestKey(wish).or(() -> super.thisAttempt(wish));
        }
    }

    /** Slugs are looked at before the running deployment. */
    @TurnsRed("C3 C12")
    static final class SlugsBeforeProgress extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> inProgress(ClaimRequest wish) {
            return slugFixed(wish).or(() -> slugTaken(wish)).or(() -> super.inProgress(wish));
        }
    }

    /** A taken slug is told before a fixed one. */
    @TurnsRed("C4 C12")
    static final class TakenBeforeFixed extends MemoryPublishes {
        @Override
        protected Optional<ClaimOutcome> slugFixed(ClaimRequest wish) {
            return slugTaken(wish).or(() -> super.slugFixed(wish));
        }
    }
}
