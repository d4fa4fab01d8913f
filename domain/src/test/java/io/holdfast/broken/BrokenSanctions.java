package io.holdfast.broken;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.memory.MemorySanctions;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.ImposeOutcome.Another;
import io.holdfast.sanction.ImposeOutcome.Imposed;
import io.holdfast.sanction.LiftOutcome;
import io.holdfast.sanction.ReplaceOutcome;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.sanction.Terms;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Which sanction an account has is decided or told wrongly. */
final class BrokenSanctions {
    private BrokenSanctions() {}

    /** No unique index: each insert succeeds. */
    @TurnsRed("G1 G2 G3 G5 G8 G10 G12 G13 B1 B2 B3 B4 B5")
    static final class NoUniqueIndex extends MemorySanctions {
        @Override
        protected Optional<Entry> standing(Account account) {
            return Optional.empty();
        }
    }

    /** Looks whether there is one, and then inserts. */
    @TurnsRed("G1 G2 G5 B1 B2")
    static final class CheckThenInsert extends MemorySanctions {
        private final Gap looked = new Gap();
        private final Gap inserted = new Gap();

        @Override
        public ImposeOutcome impose(AttemptId id, Terms terms) {
            return answered(id, terms).orElseGet(() -> {
                boolean two = looked.meet();
                ImposeOutcome imposed = new Imposed(add(id, terms));
                if (two) {
                    inserted.meet();
                }
                return imposed;
            });
        }
    }

    /** A unique index over all of an account's, so that who was sanctioned once can never be again. */
    @TurnsRed("G1 G2 G3 G5 G8 G10 G11 G12 B1 B2 B3 B4 B5")
    static final class UniqueOverEndedOnes extends MemorySanctions {
        @Override
        protected Optional<ImposeOutcome> thisId(AttemptId id, Terms terms) {
            return super.thisId(id, terms)
                    .or(() -> entries(terms.account()).stream()
                            .findFirst()
                            .filter(entry -> !isActive(entry))
                            .map(entry -> new Another(sanction(entry))));
        }
    }

    /** Whoever runs into the unique index gets the engine's error. */
    @TurnsRed("G1 G2 G5 G9 B1 B2")
    static final class DuplicateIsAnError extends MemorySanctions {
        private final ReentrantLock one = new ReentrantLock();
        private final Gap gap = new Gap();

        @Override
        public ImposeOutcome impose(AttemptId id, Terms terms) {
            if (!one.tryLock()) {
                gap.meet();
                throw new StoreUnavailable(Effect.NOT_APPLIED, "duplicate key", new IllegalStateException("23505"));
            }
            try {
                gap.meet();
                return super.impose(id, terms);
            } finally {
                one.unlock();
            }
        }
    }

    /** A loser leaves its reason behind. */
    @TurnsRed("G2")
    static final class LoserWrites extends MemorySanctions {
        private final Map<Account, String> last = new HashMap<>();

        @Override
        protected synchronized Optional<ImposeOutcome> answered(AttemptId id, Terms terms) {
            Optional<ImposeOutcome> told = super.answered(id, terms);
            told.filter(Another.class::isInstance).ifPresent(another -> last.put(terms.account(), terms.reason()));
            return told;
        }

        @Override
        public synchronized String dump(Account account) {
            return super.dump(account) + last.get(account);
        }
    }

    /** Losers hold locks: once several have come at once, nothing can be replaced. */
    @TurnsRed(value = "G2", byLuck = "G9")
    static final class LosersLock extends MemorySanctions {
        private static final long LONG = TimeUnit.SECONDS.toNanos(10);

        private final Gap gap = new Gap();
        private volatile long lockedAt = System.nanoTime() - LONG;

        @Override
        public ImposeOutcome impose(AttemptId id, Terms terms) {
            ImposeOutcome outcome = super.impose(id, terms);
            if (outcome instanceof Another && gap.meet()) {
                lockedAt = System.nanoTime();
            }
            return outcome;
        }

        @Override
        public ReplaceOutcome replace(AttemptId seen, AttemptId id, Terms terms) {
            if (System.nanoTime() - lockedAt < LONG) {
                throw new StoreUnavailable(Effect.NOT_APPLIED, "locked", new IllegalStateException("55P03"));
            }
            return super.replace(seen, id, terms);
        }
    }

    /** One that has the id loses to itself. */
    @TurnsRed("G3 G5")
    static final class ARepeatLosesToItself extends MemorySanctions {
        @Override
        protected Optional<ImposeOutcome> thisId(AttemptId id, Terms terms) {
            return super.thisId(id, terms).filter(told -> !(told instanceof Imposed));
        }
    }

    /** An id that has ended is imposed again. */
    @TurnsRed("G5 B2")
    static final class AnEndedIdIsImposedAgain extends MemorySanctions {
        @Override
        protected Optional<ImposeOutcome> thisId(AttemptId id, Terms terms) {
            return super.thisId(id, terms).filter(Imposed.class::isInstance);
        }
    }

    /** An id may be several accounts'. */
    @TurnsRed("G5")
    static final class AnIdOfSeveralAccounts extends MemorySanctions {
        @Override
        protected Optional<ImposeOutcome> thisId(AttemptId id, Terms terms) {
            return known(terms.account(), id).isPresent() ? super.thisId(id, terms) : Optional.empty();
        }
    }

    /** The loser gets its own words back. */
    @TurnsRed("G2 G3 G8 G10 G13 B1 B2 B3")
    static final class Invented extends MemorySanctions {
        @Override
        public ImposeOutcome impose(AttemptId id, Terms terms) {
            ImposeOutcome told = super.impose(id, terms);
            return told instanceof Another another
                    ? new Another(new Sanction(
                            another.active().id(),
                            terms,
                            another.active().since(),
                            new Sanction.Active(terms.lasting())))
                    : told;
        }
    }

    /** The loser is told what the losers before it were told. */
    @TurnsRed("G8 B2")
    static final class Cached extends MemorySanctions {
        private final Map<Account, ImposeOutcome> cache = new HashMap<>();

        @Override
        protected synchronized Optional<ImposeOutcome> answered(AttemptId id, Terms terms) {
            return super.answered(id, terms)
                    .map(told -> told instanceof Another ? cache.computeIfAbsent(terms.account(), key -> told) : told);
        }
    }

    /** What was deleted by hand is remembered as known. */
    @TurnsRed("G13")
    static final class RemembersIds extends MemorySanctions {
        private final Map<AttemptId, Account> known = new HashMap<>();

        @Override
        protected Optional<ImposeOutcome> thisId(AttemptId id, Terms terms) {
            if (!known.computeIfAbsent(id, x -> terms.account()).equals(terms.account())) {
                throw SanctionStore.ofAnotherAccount(id);
            }
            return super.thisId(id, terms);
        }
    }

    /** The old one ends in one write, and the new one begins in the next. */
    @TurnsRed(value = "G5 B4", byLuck = "G2")
    static final class ReplacingLeavesAGap extends MemorySanctions {
        @Override
        public ReplaceOutcome replace(AttemptId seen, AttemptId id, Terms terms) {
            synchronized (this) {
                Optional<Entry> standing = standing(terms.account()).filter(entry -> isSeen(seen, entry));
                if (thisId(id, terms).isPresent() || standing.isEmpty()) {
                    return super.replace(seen, id, terms);
                }
                standing.get().ended = new Sanction.Replaced(id);
            }
            Gap.pass();
            return new Imposed(add(id, terms));
        }
    }

    /** Whatever stands is replaced. */
    @TurnsRed("G2 G8 B1 B4")
    static final class ReplacingIgnoresWhatWasSeen extends MemorySanctions {
        @Override
        public ReplaceOutcome replace(AttemptId seen, AttemptId id, Terms terms) {
            synchronized (this) {
                return super.replace(
                        standing(terms.account()).map(entry -> entry.id).orElse(seen), id, terms);
            }
        }
    }

    /** Whatever stands is lifted. */
    @TurnsRed("G2 G8 G13 B1 B2 B4")
    static final class LiftingIgnoresWhatWasSeen extends MemorySanctions {
        @Override
        public LiftOutcome lift(Account account, AttemptId seen, Holder by) {
            synchronized (this) {
                return super.lift(
                        account, standing(account).map(entry -> entry.id).orElse(seen), by);
            }
        }
    }

    /** Who replaces what has ended imposes all the same. */
    @TurnsRed("G12 G13 B1 B3 B4")
    static final class ReplacingNothingImposes extends MemorySanctions {
        @Override
        public ReplaceOutcome replace(AttemptId seen, AttemptId id, Terms terms) {
            ReplaceOutcome told = super.replace(seen, id, terms);
            return told instanceof ReplaceOutcome.NoneActive
                    ? impose(id, terms).fold(imposed -> imposed, another -> another, over -> over)
                    : told;
        }
    }
}
