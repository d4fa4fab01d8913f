package io.holdfast.broken;

import io.holdfast.memory.MemoryPublishes;
import io.holdfast.publish.Claim;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Ending;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The clean-up buries the living, or does not bury the dead. */
final class BrokenCleanUps {
    private BrokenCleanUps() {}

    /** Whoever builds is ended. */
    @TurnsRed("C8 C9")
    static final class OfTheLiving extends MemoryPublishes {
        @Override
        protected boolean isDead(Row row, Duration longest) {
            return row.fence < Long.MAX_VALUE;
        }
    }

    /** Who was judged dead by a read is ended by key. */
    @TurnsRed(value = "C9", byLuck = "C8")
    static final class GuardNotRepeated extends MemoryPublishes {
        @Override
        public List<Claim> endSilent(int atMost, Duration inContact) {
            List<Row> dead;
            List<Claim> ended;
            synchronized (this) {
                dead = dead(atMost, inContact);
                ended = dead.stream().map(MemoryPublishes::claim).toList();
            }
            if (dead.isEmpty()) {
                return super.endSilent(atMost, inContact);
            }
            Gap.pass();
            synchronized (this) {
                dead.forEach(row -> abandon(row, 0));
                return ended;
            }
        }
    }

    /** Silence is measured by what the caller thinks a limit is. */
    @TurnsRed("C9")
    static final class CallersLimit extends MemoryPublishes {
        @Override
        protected boolean isDead(Row row, Duration longest) {
            return row.fence < Long.MAX_VALUE && row.beat + 2 * limitMicros(Duration.ofMinutes(1)) <= now();
        }
    }

    /** Whoever may be taken over is ended, and has no time left to come back. */
    @TurnsRed("C9")
    static final class OneLimitOnly extends MemoryPublishes {
        @Override
        protected boolean isDead(Row row, Duration longest) {
            return super.isDead(row, longest) || (row.limit.compareTo(longest) <= 0 && row.freeAt <= now());
        }
    }

    /** Silence is measured from the take. */
    @TurnsRed("C9")
    static final class SilentSinceTheTake extends MemoryPublishes {
        @Override
        protected boolean isDead(Row row, Duration longest) {
            long beat = row.beat;
            row.beat = row.building().orElseThrow().startedAt;
            boolean dead = super.isDead(row, longest);
            row.beat = beat;
            return dead;
        }
    }

    /** After an outage everybody looks dead. */
    @TurnsRed("C9")
    static final class FreshInContact extends MemoryPublishes {
        @Override
        protected boolean isDead(Row row, Duration longest) {
            return super.isDead(row, row.limit);
        }
    }

    /** Who was in contact for exactly a limit is not trusted with it. */
    @TurnsRed("C9")
    static final class NeverLongEnoughInContact extends MemoryPublishes {
        @Override
        protected boolean isDead(Row row, Duration longest) {
            return row.limit.compareTo(longest) < 0 && super.isDead(row, longest);
        }
    }

    /** All at once, however many there are. */
    @TurnsRed("C9")
    static final class Unbounded extends MemoryPublishes {
        @Override
        protected synchronized List<Row> dead(int atMost, Duration longest) {
            return super.dead(Integer.MAX_VALUE, longest);
        }
    }

    /** One that cannot be ended fails them all. */
    @TurnsRed("C9")
    static final class TheLastFenceSpoilsAll extends MemoryPublishes {
        @Override
        protected boolean isDead(Row row, Duration longest) {
            return row.fence == Long.MAX_VALUE || super.isDead(row, longest);
        }
    }

    /** Nobody told an ending, and one is recorded. */
    @TurnsRed("G5 G15 C8 C9 C11")
    static final class RecordedAsFailed extends MemoryPublishes {
        @Override
        protected void abandon(Row row, long freeAt) {
            super.abandon(row, freeAt);
            row.last().orElseThrow().state = new Ending.Failed("timed out");
        }
    }

    /** Ended, and still in its app's way. */
    @TurnsRed("G4 G5 C8 C9 C11")
    static final class AppNotLetGo extends MemoryPublishes {
        @Override
        protected void abandon(Row row, long freeAt) {
            super.abandon(row, freeAt == 0 && isDead(row, row.limit) ? now() + limitMicros(row.limit) : freeAt);
        }
    }

    /** The dead one is said to have been taken over by itself. */
    @TurnsRed("G5 G15 C8 C9 C11")
    static final class AbandonedByItself extends MemoryPublishes {
        @Override
        protected void abandon(Row row, long freeAt) {
            super.abandon(row, freeAt);
            row.last().ifPresent(entry -> entry.state = new Deployment.Abandoned(Optional.of(entry.id)));
        }
    }
}
