package io.holdfast.broken;

import io.holdfast.Fence;
import io.holdfast.Incumbent;
import io.holdfast.memory.MemorySaveTokens;
import io.holdfast.save.Ending;
import io.holdfast.save.Fingerprint;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveResult;
import io.holdfast.save.TokenDigest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** A token is used, in doubt, expired or forgotten wrongly. */
final class BrokenSaveRules {
    private BrokenSaveRules() {}

    /** Whoever comes after the end saves again. */
    @TurnsRed("G5 G7 G10 G12 S1 S2 S4 S5 S6 S7")
    static final class ResultNotReplayed extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> completed(Row row) {
            return Optional.empty();
        }
    }

    /** A result is text, is it not? */
    @TurnsRed("S2")
    static final class ResultIsText extends MemorySaveTokens {
        @Override
        protected Row complete(Row row, SaveResult result) {
            String text = new String(result.bytes(), StandardCharsets.UTF_8);
            return super.complete(row, SaveResult.of(text.getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** A used token is over when it expires, and its result with it. */
    @TurnsRed("S2 S4 S7")
    static final class ResultExpires extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> completed(Row row) {
            return row.overAt <= now() - micros(Duration.ofDays(1))
                    ? Optional.of(new Refusal.Expired())
                    : super.completed(row);
        }
    }

    /** Results are forgotten as soon as somebody cleans up. */
    @TurnsRed("S2 S7")
    static final class ForgetsAtOnce extends MemorySaveTokens {
        @Override
        protected boolean isOver(Row row, long keepMicros) {
            return super.isOver(row, 0);
        }
    }

    /** A silent one is cleaned up as if it were over. */
    @TurnsRed("S6 S7")
    static final class ForgetsTheSilent extends MemorySaveTokens {
        @Override
        protected boolean isOver(Row row, long keepMicros) {
            return row.overAt <= now() - keepMicros && row.freeAt <= now();
        }
    }

    /** Cleans up everything at once, and locks as much. */
    @TurnsRed("S7")
    static final class ForgetsWithoutABound extends MemorySaveTokens {
        @Override
        public synchronized int forget(Duration keep, int atMost) {
            return super.forget(keep, atMost < 1 ? atMost : Integer.MAX_VALUE);
        }
    }

    /** Who has to wait is not told for how long. */
    @TurnsRed("G3 G5 G7 G8 G11 S3")
    static final class WaitOfUnknownLength extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> inProgress(Row row, ReserveRequest wish) {
            return super.inProgress(row, wish)
                    .map(said ->
                            said instanceof Refusal.InProgress told ? new Refusal.InProgress(atOnce(told.by())) : said);
        }

        private static Incumbent atOnce(Incumbent told) {
            return new Incumbent(
                    told.attempt(), told.holder(), told.fence(), told.since(), told.silentFor(), Duration.ZERO);
        }
    }

    /** A token is good for any payload: the second one is told that it was saved. */
    @TurnsRed("G2 S4 S5")
    static final class PayloadNotCompared extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> otherPayload(Row row, ReserveRequest wish) {
            return Optional.empty();
        }
    }

    /** The payload is compared with the result's only. */
    @TurnsRed("G2 S4 S5")
    static final class PayloadComparedOnceUsed extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> otherPayload(Row row, ReserveRequest wish) {
            return row.result == null ? Optional.empty() : super.otherPayload(row, wish);
        }
    }

    /** Whoever takes over may bring another payload. */
    @TurnsRed("S4")
    static final class PayloadOfTheTaker extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> otherPayload(Row row, ReserveRequest wish) {
            return row.held && row.ifInDoubt == IfInDoubt.RUN_AGAIN && silent(row, wish)
                    ? Optional.empty()
                    : super.otherPayload(row, wish);
        }
    }

    /** A token that was given back remembers what it was to be used for. */
    @TurnsRed("S5 S6")
    static final class PayloadKeptWhenGivenBack extends MemorySaveTokens {
        @Override
        protected Row giveBack(Row row) {
            Fingerprint kept = row.payload;
            super.giveBack(row);
            row.payload = kept;
            return row;
        }
    }

    /** Whoever took over wipes the payload of whom it took over. */
    @TurnsRed("S5")
    static final class PayloadWipedByATaker extends MemorySaveTokens {
        @Override
        protected Row giveBack(Row row) {
            super.giveBack(row);
            row.payload = null;
            return row;
        }
    }

    /** A doubt ends with whoever took over: the next one is not told of it. */
    @TurnsRed("S5")
    static final class DoubtEndsWithItsTaker extends MemorySaveTokens {
        @Override
        protected synchronized ReserveOutcome take(ReserveRequest wish) {
            row(wish.token()).filter(row -> !row.held).ifPresent(row -> row.takenOver = null);
            return super.take(wish);
        }
    }

    /** An operator's word is about the last one only, as if he were it. */
    @TurnsRed("S5 S6 S7")
    static final class DoubtOutlivesTheOperator extends MemorySaveTokens {
        @Override
        protected Row clear(Row row) {
            return giveBack(row);
        }
    }

    /** What was given back is not in doubt, whoever had it before. */
    @TurnsRed("S5 S6 S7")
    static final class DoubtOfHoldersOnly extends MemorySaveTokens {
        @Override
        protected boolean isOpen(Row row) {
            return row.held;
        }
    }

    /** Expired is expired: nothing was saved, is said of what may have been. */
    @TurnsRed("S4 S7")
    static final class ExpiryBeforeDoubt extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> inProgress(Row row, ReserveRequest wish) {
            return super.inProgress(row, wish)
                    .filter(said -> said instanceof Refusal.InProgress || row.ifInDoubt == IfInDoubt.REFUSE);
        }
    }

    /** Expiry comes first: who has saved and asks too late is not told so. */
    @TurnsRed("G5 G7 G10 G12 S1 S2 S4 S5 S6 S7")
    static final class ExpiryComesFirst extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> otherPayload(Row row, ReserveRequest wish) {
            return expired(row).or(() -> super.otherPayload(row, wish));
        }
    }

    /** Expiry is looked at before who is at it. */
    @TurnsRed("S4 S7")
    static final class ExpiryBeforeProgress extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> inProgress(Row row, ReserveRequest wish) {
            return expired(row).or(() -> super.inProgress(row, wish));
        }
    }

    /** Tokens do not expire. */
    @TurnsRed("S4 S7")
    static final class NeverExpires extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> expired(Row row) {
            return Optional.empty();
        }
    }

    /** The expiry is looked at once more when it is too late to do anything about it. */
    @TurnsRed("S4 S6 S7")
    static final class ExpiresWhileWriting extends MemorySaveTokens {
        @Override
        public synchronized EndOutcome end(Reservation hold, Ending ending) {
            return row(hold.token())
                            .filter(row -> row.held && names(hold, row) && row.overAt <= now())
                            .isPresent()
                    ? new Lost(Optional.empty())
                    : super.end(hold, ending);
        }
    }

    /** A doubt does not keep anybody from writing again. */
    @TurnsRed("S1 S4 S6 S7")
    static final class DoubtIgnored extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> inProgress(Row row, ReserveRequest wish) {
            return super.inProgress(row, wish).filter(Refusal.InProgress.class::isInstance);
        }
    }

    /** In doubt, nobody may write again, whatever was said when the token was issued. */
    @TurnsRed("G1 G4 G5 G6 G7 G8 G14 S2 S4 S5 S6 S7")
    static final class DoubtForAll extends MemorySaveTokens {
        @Override
        protected Optional<ReserveOutcome> inProgress(Row row, ReserveRequest wish) {
            return row.held && silent(row, wish)
                    ? Optional.of(new Refusal.InDoubt(incumbent(row)))
                    : super.inProgress(row, wish);
        }
    }

    /** Whoever takes over is not told that somebody may have written. */
    @TurnsRed("G5 S5 S6")
    static final class TakeOverUnnamed extends MemorySaveTokens {
        @Override
        protected synchronized ReserveOutcome take(ReserveRequest wish) {
            ReserveOutcome.Reserved taken = (ReserveOutcome.Reserved) super.take(wish);
            return new ReserveOutcome.Reserved(taken.reservation(), taken.remaining(), Optional.empty());
        }
    }

    /** An operator's word ends what is alive. */
    @TurnsRed("S6")
    static final class SettlesTheLiving extends MemorySaveTokens {
        @Override
        protected boolean inDoubt(Row row) {
            return true;
        }
    }

    /** An operator's word ends whatever is there, and not what was seen. */
    @TurnsRed("S6")
    static final class SettlesTheUnseen extends MemorySaveTokens {
        @Override
        protected boolean seen(Fence fence, Row row) {
            return true;
        }
    }

    /** Looks whether the token is in doubt, and then settles it. */
    @TurnsRed("S6")
    static final class CheckThenSettle extends MemorySaveTokens {
        @Override
        public EndOutcome settle(TokenDigest token, Fence seen, Ending ending) {
            Optional<Row> doubtful;
            synchronized (this) {
                doubtful = row(token).filter(row -> row.held && seen(seen, row) && inDoubt(row));
            }
            if (doubtful.isEmpty()) {
                return super.settle(token, seen, ending);
            }
            Gap.until(() -> !doubtful.get().held);
            synchronized (this) {
                ending.fold(result -> complete(doubtful.get(), result), notSaved -> clear(doubtful.get()));
                return ending;
            }
        }
    }

    /** A settled holder is told its own word. */
    @TurnsRed("S6")
    static final class SettledHolderNotTold extends MemorySaveTokens {
        @Override
        public synchronized EndOutcome settle(TokenDigest token, Fence seen, Ending ending) {
            EndOutcome told = super.settle(token, seen, ending);
            if (told instanceof Ending.NotSaved) {
                // Nobody's any more, and so the next packet of its holder is a stranger's.
                row(token).ifPresent(row -> row.attempt = null);
            }
            return told;
        }
    }

    /** Half a digest will do, somebody thought: as if it were there to be short. */
    @TurnsRed("S8")
    static final class HalfADigest extends MemorySaveTokens {
        @Override
        protected TokenDigest key(TokenDigest token) {
            return TokenDigest.ofSha256(Arrays.copyOf(Arrays.copyOf(token.bytes(), 16), 32));
        }
    }
}
