package io.holdfast.broken;

import io.holdfast.AttemptId;
import io.holdfast.memory.MemoryPublishes;
import io.holdfast.publish.AppId;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Ending;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The deployments of an app are recorded wrongly. */
final class BrokenHistories {
    private BrokenHistories() {}

    /** The error of the attempt before is still in its column. */
    @TurnsRed("G10 G12 C5")
    static final class ErrorInherited extends MemoryPublishes {
        @Override
        protected void end(Row row, Entry entry, Ending ending) {
            Optional<String> old = row.history.stream()
                    .filter(earlier -> earlier.state instanceof Ending.Failed)
                    .reduce((older, newer) -> newer)
                    .map(earlier -> ((Ending.Failed) earlier.state).error());
            super.end(
                    row,
                    entry,
                    ending instanceof Ending.Failed ? new Ending.Failed(old.orElse(error(ending))) : ending);
        }

        private static String error(Ending ending) {
            return ending.fold(live -> "", Ending.Failed::error, notStarted -> "");
        }
    }

    /** A republish takes down what is live. */
    @TurnsRed("G7 C4 C5 C8 C10")
    static final class LiveLostOnRepublish extends MemoryPublishes {
        @Override
        protected synchronized ClaimOutcome take(ClaimRequest wish) {
            row(wish.app()).ifPresent(row -> row.live = null);
            return super.take(wish);
        }
    }

    /** A republish that fails takes down what is live. */
    @TurnsRed("C4 C5 C10")
    static final class LiveLostOnFailure extends MemoryPublishes {
        @Override
        protected void end(Row row, Entry entry, Ending ending) {
            row.live = null;
            super.end(row, entry, ending);
        }
    }

    /** The claim is one write and its deployment the next. */
    @TurnsRed("G5 C10")
    static final class WrittenAfterTheClaim extends MemoryPublishes {
        private final Set<AttemptId> unwritten = new HashSet<>();

        @Override
        public ClaimOutcome claim(ClaimRequest wish) {
            ClaimOutcome outcome = super.claim(wish);
            Gap.pass();
            synchronized (this) {
                unwritten.remove(wish.attempt());
            }
            return outcome;
        }

        @Override
        protected synchronized ClaimOutcome take(ClaimRequest wish) {
            unwritten.add(wish.attempt());
            return super.take(wish);
        }

        @Override
        public synchronized Optional<Deployment> find(AttemptId id) {
            return super.find(id).filter(run -> !unwritten.contains(id));
        }
    }

    /** In the order in which they were written. */
    @TurnsRed("C10")
    static final class OldestFirst extends MemoryPublishes {
        @Override
        public synchronized List<Deployment> recent(AppId app, int atMost) {
            List<Deployment> recent = new ArrayList<>(super.recent(app, atMost));
            if (recent.size() > 1) {
                Collections.reverse(recent);
            }
            return recent;
        }
    }

    /** Never tidied. */
    @TurnsRed("C10")
    static final class Endless extends MemoryPublishes {
        @Override
        protected void prune(Row row) {}
    }

    /** Tidied without a look at what is live. */
    @TurnsRed("C10")
    static final class LiveIsTidiedAway extends MemoryPublishes {
        @Override
        protected void prune(Row row) {
            while (row.history.size() > HISTORY + 1) {
                row.history.remove(0);
            }
        }
    }

    /** Tidied one too early. */
    @TurnsRed("C10")
    static final class TidiedTooEarly extends MemoryPublishes {
        @Override
        protected void prune(Row row) {
            super.prune(row);
            List<Entry> kept = row.history.stream()
                    .filter(entry -> entry.state != null && entry != row.live)
                    .toList();
            if (kept.size() == HISTORY) {
                row.history.remove(kept.get(0));
            }
        }
    }
}
