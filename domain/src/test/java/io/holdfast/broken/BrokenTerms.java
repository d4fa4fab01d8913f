package io.holdfast.broken;

import io.holdfast.AttemptId;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.memory.MemorySanctions;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.Terms;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;

/** Text is not compared exactly or not kept whole, or time is not the database's. */
final class BrokenTerms {
    private BrokenTerms() {}

    /** A collation that does not see case. */
    @TurnsRed("G10")
    static final class AccountFoldedToLowerCase extends MemorySanctions {
        @Override
        protected Account key(Account account) {
            return Account.of(account.value().toLowerCase(Locale.ROOT));
        }
    }

    /** A collation that pads with blanks. */
    @TurnsRed("G10")
    static final class TrailingBlanksIgnored extends MemorySanctions {
        @Override
        protected Account key(Account account) {
            return Account.of(account.value().stripTrailing());
        }
    }

    /** A column that is too short, and is cut. */
    @TurnsRed("G10")
    static final class ReasonIsCut extends MemorySanctions {
        @Override
        protected Sanction sanction(Entry entry) {
            Sanction whole = super.sanction(entry);
            Terms terms = whole.terms();
            String cut =
                    terms.reason().substring(0, Math.min(200, terms.reason().length()));
            return new Sanction(
                    whole.id(),
                    new Terms(terms.account(), cut, terms.by(), terms.lasting()),
                    whole.since(),
                    whole.state());
        }
    }

    /** A column that is too short, and is an error. */
    @TurnsRed("G10")
    static final class ReasonRefused extends MemorySanctions {
        @Override
        public ImposeOutcome impose(AttemptId id, Terms terms) {
            if (terms.reason().length() > 255) {
                throw new StoreUnavailable(Effect.NOT_APPLIED, "data too long", new IllegalStateException("22001"));
            }
            return super.impose(id, terms);
        }
    }

    /** Times are kept in minutes. */
    @TurnsRed("G11")
    static final class FractionRoundedDown extends MemorySanctions {
        @Override
        protected long micros(Duration lasting) {
            return super.micros(Duration.ofMinutes(lasting.toMinutes()));
        }
    }

    /** Milliseconds in 32 bits are good for 24 days. */
    @TurnsRed("G11")
    static final class TimeOverflows extends MemorySanctions {
        @Override
        protected long micros(Duration lasting) {
            int millis = (int) lasting.toMillis();
            return super.micros(Duration.ofMillis(millis));
        }
    }

    /** Times are kept as this host's local time. */
    @TurnsRed("G3")
    static final class LocalTime extends MemorySanctions {
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

    /** The operator is told a quarter more than the row says. */
    @TurnsRed("G3 G5 G8 G11 B3")
    static final class TellsTooMuchTime extends MemorySanctions {
        @Override
        protected Duration remaining(Entry entry) {
            return super.remaining(entry).multipliedBy(5).dividedBy(4);
        }
    }

    /** Whether it is over is asked of this host's clock, which is two minutes ahead. */
    @TurnsRed("G3 G11 B3")
    static final class ClientClock extends MemorySanctions {
        @Override
        protected boolean isActive(Entry entry) {
            return entry.ended == null && now() + micros(Duration.ofMinutes(2)) < entry.endsAt;
        }
    }

    /** One without an end has one all the same. */
    @TurnsRed("B3")
    static final class NoEndIsTenYears extends MemorySanctions {
        @Override
        protected boolean isActive(Entry entry) {
            return super.isActive(entry) && now() < entry.since + micros(Duration.ofDays(3_652));
        }
    }

    /** Over for readers; but until a job has run it keeps the next one out. */
    @TurnsRed("G1 G3 G5 G8 G11 G12 B3 B4 B5")
    static final class BlocksUntilAJobRuns extends MemorySanctions {
        @Override
        protected Optional<Entry> standing(Account account) {
            return entries(account).stream()
                    .filter(entry -> entry.ended == null)
                    .findFirst();
        }
    }

    /** The guard knows that it is over, and readers do not. */
    @TurnsRed("G3 G5 G11 G12 B3 B4")
    static final class ReadsAsActiveUntilTheNext extends MemorySanctions {
        @Override
        protected Sanction.State state(Entry entry) {
            Sanction.State state = super.state(entry);
            return entry.ended == null && state instanceof Sanction.RanOut
                    ? new Sanction.Active(Optional.of(Duration.ZERO))
                    : state;
        }
    }

    /** It never ends by itself. */
    @TurnsRed("G1 G3 G5 G8 G11 G12 B3 B4 B5")
    static final class NoEnd extends MemorySanctions {
        @Override
        protected boolean isActive(Entry entry) {
            return entry.ended == null;
        }
    }

    /** The replacement ends when the one before it would have. */
    @TurnsRed("G3 B3")
    static final class ReplacementInheritsTheTime extends MemorySanctions {
        @Override
        protected boolean isActive(Entry entry) {
            return super.isActive(entry)
                    && entries(entry.terms.account()).stream()
                            .filter(other -> other.ended instanceof Sanction.Replaced by
                                    && by.by().equals(entry.id))
                            .allMatch(other -> now() < other.endsAt);
        }
    }
}
