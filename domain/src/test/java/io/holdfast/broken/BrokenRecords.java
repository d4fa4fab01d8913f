package io.holdfast.broken;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.memory.MemorySanctions;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.LiftOutcome;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.SanctionStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** What is kept of an account's sanctions is wrong. */
final class BrokenRecords {
    private BrokenRecords() {}

    /** The last who lifts it is the one who has. */
    @TurnsRed("G1 G2 G5 G8 G10 G12 G13 B1 B2 B3 B4 B5")
    static final class LiftedAgain extends MemorySanctions {
        @Override
        public LiftOutcome lift(Account account, AttemptId seen, Holder by) {
            LiftOutcome told = super.lift(account, seen, by);
            synchronized (this) {
                known(account, seen)
                        .filter(entry -> entry.ended instanceof Sanction.Lifted)
                        .ifPresent(entry -> entry.ended = new Sanction.Lifted(by, instant(now())));
            }
            return told;
        }
    }

    /** Who lifts what has ended is told that there is nothing. */
    @TurnsRed("G12 B3")
    static final class NothingToLiftTwice extends MemorySanctions {
        @Override
        public LiftOutcome lift(Account account, AttemptId seen, Holder by) {
            synchronized (this) {
                return standing(account).filter(entry -> isSeen(seen, entry)).isPresent()
                        ? super.lift(account, seen, by)
                        : new LiftOutcome.Missed(active(account));
            }
        }
    }

    /** Whoever lifts is forgotten. */
    @TurnsRed(value = "G1 G5 G10 G12 B2 B3 B5", byLuck = "B4")
    static final class LiftedByTheFirst extends MemorySanctions {
        @Override
        public LiftOutcome lift(Account account, AttemptId seen, Holder by) {
            synchronized (this) {
                Holder first =
                        known(account, seen).map(entry -> entry.terms.by()).orElse(by);
                return super.lift(account, seen, first);
            }
        }
    }

    /** A lift deletes. */
    @TurnsRed("G1 G2 G5 G8 G10 G12 G13 B1 B2 B3 B4 B5")
    static final class LiftedIsForgotten extends MemorySanctions {
        @Override
        protected List<Entry> entries(Account account) {
            return super.entries(account).stream()
                    .filter(entry -> !(entry.ended instanceof Sanction.Lifted))
                    .toList();
        }
    }

    /** Replacing changes the row of the one that was replaced. */
    @TurnsRed("G5 G12 B2 B3 B4 B5")
    static final class ReplacedIsForgotten extends MemorySanctions {
        @Override
        public synchronized List<Sanction> history(Account account, int atMost) {
            return super.history(account, 1_000).stream()
                    .filter(each -> !(each.state() instanceof Sanction.Replaced))
                    .limit(SanctionStore.atLeastOne(atMost))
                    .toList();
        }
    }

    /** In the order in which they were written. */
    @TurnsRed("G2 G3 G10 G11 B1 B2 B3 B4 B5")
    static final class OldestFirst extends MemorySanctions {
        @Override
        public synchronized List<Sanction> history(Account account, int atMost) {
            List<Sanction> history = new ArrayList<>(super.history(account, atMost));
            Collections.reverse(history);
            return history;
        }
    }

    /** In the order of a clock. */
    @TurnsRed("B5")
    static final class ByTheClock extends MemorySanctions {
        @Override
        public synchronized List<Sanction> history(Account account, int atMost) {
            return super.history(account, atMost).stream()
                    .sorted(Comparator.comparing(Sanction::since).reversed())
                    .toList();
        }
    }

    /** Never tidied. */
    @TurnsRed("B5")
    static final class Endless extends MemorySanctions {
        @Override
        protected void prune(List<Entry> newestFirst) {}
    }

    /** Tidied one too early. */
    @TurnsRed("B5")
    static final class TidiedTooEarly extends MemorySanctions {
        @Override
        protected void prune(List<Entry> newestFirst) {
            super.prune(newestFirst);
            if (newestFirst.size() == HISTORY) {
                newestFirst.remove(HISTORY - 1);
            }
        }
    }

    /** Tidied from the wrong end. */
    @TurnsRed(value = "B5", byLuck = "G2")
    static final class NewestIsTidiedAway extends MemorySanctions {
        @Override
        protected void prune(List<Entry> newestFirst) {
            while (newestFirst.size() > HISTORY) {
                newestFirst.remove(0);
            }
        }
    }
}
