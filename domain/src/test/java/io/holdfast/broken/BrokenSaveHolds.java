package io.holdfast.broken;

import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.StoreUnavailable;
import io.holdfast.memory.MemorySaveTokens;
import io.holdfast.save.Ending;
import io.holdfast.save.Refusal;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveResult;
import io.holdfast.save.TokenDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A reservation is renewed, ended or told of wrongly. */
final class BrokenSaveHolds {
    private BrokenSaveHolds() {}

    /** Whoever knows the fence holds. */
    @TurnsRed("G6 G14")
    static final class AttemptNotChecked extends MemorySaveTokens {
        @Override
        protected boolean names(Reservation hold, Row row) {
            return hold.fence().value() == row.fence;
        }
    }

    /** Whoever knows the attempt holds. */
    @TurnsRed("G4 G6 G14")
    static final class FenceNotChecked extends MemorySaveTokens {
        @Override
        protected boolean names(Reservation hold, Row row) {
            return hold.attempt().equals(row.attempt);
        }
    }

    /** Whoever knows the token holds. */
    @TurnsRed(value = "G4 G6 G8 G14 S6", byLuck = "G9")
    static final class TokenAlone extends MemorySaveTokens {
        @Override
        protected boolean names(Reservation hold, Row row) {
            return true;
        }
    }

    /** Fences are compared as floating-point numbers. */
    @TurnsRed("G4")
    static final class FloatingPoint extends MemorySaveTokens {
        @Override
        protected boolean names(Reservation hold, Row row) {
            return hold.attempt().equals(row.attempt) && (double) hold.fence().value() == (double) row.fence;
        }
    }

    /** Time alone ends a hold: a renewal that comes late is refused. */
    @TurnsRed("G7 G14 S6 S7")
    static final class LateRenewalRefused extends MemorySaveTokens {
        @Override
        protected Renewal renew(Reservation hold) {
            return row(hold.token()).filter(row -> row.freeAt <= now()).isPresent()
                    ? new Renewal.Lost(Optional.empty())
                    : super.renew(hold);
        }
    }

    /** Time alone ends a hold: an end that comes late is refused. */
    @TurnsRed("G7 S1 S4 S6")
    static final class LateEndRefused extends MemorySaveTokens {
        @Override
        public synchronized EndOutcome end(Reservation hold, Ending ending) {
            return row(hold.token())
                            .filter(row -> row.held && row.freeAt <= now() && names(hold, row))
                            .isPresent()
                    ? new Lost(Optional.empty())
                    : super.end(hold, ending);
        }
    }

    /** A renewal that overtook another one takes time away. */
    @TurnsRed("G7")
    static final class RenewalMovesBackwards extends MemorySaveTokens {
        @Override
        protected void prolong(Row row) {
            row.beat = now();
            row.freeAt = now() + limitMicros(row.limit);
        }
    }

    /** Who takes a token gets the limit of the one before. */
    @TurnsRed("G7")
    static final class LimitOfTheOneBefore extends MemorySaveTokens {
        @Override
        protected synchronized ReserveOutcome take(ReserveRequest wish) {
            Row row = row(wish.token()).orElseThrow();
            Duration before = row.limit;
            ReserveOutcome taken = super.take(wish);
            row.limit = before.isZero() ? row.limit : before;
            return taken;
        }
    }

    /** Who takes a token is said to have it since the first one took it. */
    @TurnsRed("G8")
    static final class SinceTheFirstTake extends MemorySaveTokens {
        @Override
        protected synchronized ReserveOutcome take(ReserveRequest wish) {
            Row row = row(wish.token()).orElseThrow();
            long before = row.since;
            ReserveOutcome taken = super.take(wish);
            row.since = before == 0 ? row.since : before;
            return taken;
        }
    }

    /** The last ending stands. */
    @TurnsRed("G12 S6")
    static final class LastEndingStands extends MemorySaveTokens {
        @Override
        public synchronized EndOutcome end(Reservation hold, Ending ending) {
            row(hold.token())
                    .filter(row -> !row.held && names(hold, row))
                    .ifPresent(row -> row.result = ending.fold(result -> result, notSaved -> null));
            return super.end(hold, ending);
        }
    }

    /** Looks whether it still holds, and then ends what it held. */
    @TurnsRed("G12 S6")
    static final class CheckThenEnd extends MemorySaveTokens {
        private final Gap looked = new Gap();

        @Override
        public EndOutcome end(Reservation hold, Ending ending) {
            Optional<Row> held;
            synchronized (this) {
                held = row(hold.token()).filter(row -> row.held && names(hold, row));
            }
            if (held.isEmpty() || ending instanceof Ending.NotSaved) {
                return super.end(hold, ending);
            }
            looked.meet();
            synchronized (this) {
                ending.fold(result -> complete(held.get(), result), notSaved -> giveBack(held.get()));
                return ending;
            }
        }
    }

    /** An end that is repeated has lost. */
    @TurnsRed("G12 S6")
    static final class RepeatedEndLost extends MemorySaveTokens {
        @Override
        public synchronized EndOutcome end(Reservation hold, Ending ending) {
            return row(hold.token())
                            .filter(row -> !row.held && names(hold, row))
                            .isPresent()
                    ? new Lost(Optional.empty())
                    : super.end(hold, ending);
        }
    }

    /** One bad element spoils the batch. */
    @TurnsRed("G14")
    static final class OneSpoilsTheBatch extends MemorySaveTokens {
        @Override
        public synchronized Map<Reservation, Renewal> renew(Collection<Reservation> holds) {
            Map<Reservation, Renewal> said = new LinkedHashMap<>();
            for (Reservation hold : holds) {
                Renewal word = super.renew(hold);
                said.put(hold, word);
                if (word instanceof Renewal.Lost) {
                    break;
                }
            }
            return said;
        }
    }

    /** Times are kept as this host's local time. */
    @TurnsRed("G3")
    static final class LocalTime extends MemorySaveTokens {
        @Override
        protected long now() {
            long zone = LocalDateTime.now(ZoneId.systemDefault())
                    .atZone(ZoneId.systemDefault())
                    .getOffset()
                    .getTotalSeconds();
            return super.now() + TimeUnit.SECONDS.toMicros(zone);
        }
    }

    /** The holder is told a quarter more than the row says. */
    @TurnsRed("G3 G5 G7 G8 G11 G14 S3")
    static final class TellsTooMuchTime extends MemorySaveTokens {
        @Override
        protected Duration remaining(Row row) {
            return super.remaining(row).multipliedBy(5).dividedBy(4);
        }
    }

    /** The loser's answer is made up of what it knows itself. */
    @TurnsRed("G3 G8 G11 S3 S6")
    static final class Invented extends MemorySaveTokens {
        @Override
        protected Incumbent incumbent(Row row) {
            Incumbent told = super.incumbent(row);
            return new Incumbent(told.attempt(), told.holder(), told.fence(), Instant.now(), Duration.ZERO, row.limit);
        }
    }

    /** The loser is told whom the losers before it were told, as a cache has it. */
    @TurnsRed("G1 G8")
    static final class Cached extends MemorySaveTokens {
        private final Map<TokenDigest, Incumbent> cache = new HashMap<>();

        @Override
        protected Optional<ReserveOutcome> inProgress(Row row, ReserveRequest wish) {
            return super.inProgress(row, wish)
                    .map(said -> said instanceof Refusal.InProgress told
                            ? new Refusal.InProgress(cache.computeIfAbsent(row.token, token -> told.by()))
                            : said);
        }
    }

    /** Who lost is not told to whom. */
    @TurnsRed("G6 G8 G14 S6")
    static final class LostToNobody extends MemorySaveTokens {
        @Override
        protected Renewal renew(Reservation hold) {
            return super.renew(hold).<Renewal>fold(held -> held, lost -> new Renewal.Lost(Optional.empty()));
        }
    }

    /** Labels are kept in lower case. */
    @TurnsRed("G10")
    static final class LabelsFolded extends MemorySaveTokens {
        @Override
        protected synchronized ReserveOutcome take(ReserveRequest wish) {
            ReserveOutcome taken = super.take(wish);
            row(wish.token()).orElseThrow().holder =
                    new Holder(wish.holder().label().toLowerCase(Locale.ROOT));
            return taken;
        }
    }

    /** Limits are kept in seconds, the rest cut off. */
    @TurnsRed("G11")
    static final class LimitsCut extends MemorySaveTokens {
        @Override
        protected long limitMicros(Duration limit) {
            return TimeUnit.SECONDS.toMicros(limit.toSeconds());
        }
    }

    /** What was once not there is remembered as not being there. */
    @TurnsRed("G13 S1 S4")
    static final class UnknownRemembered extends MemorySaveTokens {
        private final Set<TokenDigest> unknown = new HashSet<>();

        @Override
        protected synchronized Optional<ReserveOutcome> answered(ReserveRequest wish) {
            if (row(wish.token()).isEmpty()) {
                unknown.add(wish.token());
            }
            return unknown.contains(wish.token()) ? Optional.of(new Refusal.Unknown()) : super.answered(wish);
        }
    }

    /** What was once used is remembered as used, whatever the store says. */
    @TurnsRed("G13 S2")
    static final class ResultsRemembered extends MemorySaveTokens {
        private final Map<TokenDigest, SaveResult> results = new HashMap<>();

        @Override
        protected Row complete(Row row, SaveResult result) {
            results.put(row.token, result);
            return super.complete(row, result);
        }

        @Override
        protected synchronized Optional<ReserveOutcome> answered(ReserveRequest wish) {
            return row(wish.token()).isEmpty() && results.containsKey(wish.token())
                    ? Optional.of(new Refusal.Completed(results.get(wish.token())))
                    : super.answered(wish);
        }
    }

    /** A row that is not there is an error. */
    @TurnsRed("G13 S2")
    static final class MissingRowThrows extends MemorySaveTokens {
        @Override
        public synchronized EndOutcome end(Reservation hold, Ending ending) {
            if (row(hold.token()).isEmpty()) {
                throw new StoreUnavailable(
                        StoreUnavailable.Effect.NOT_APPLIED, "no row was changed", new IllegalStateException("0"));
            }
            return super.end(hold, ending);
        }
    }
}
