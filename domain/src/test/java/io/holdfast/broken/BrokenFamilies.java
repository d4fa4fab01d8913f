package io.holdfast.broken;

import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.memory.MemoryRefreshTokens;
import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RotateOutcome;
import io.holdfast.refresh.RotateOutcome.Refused;
import io.holdfast.refresh.RotateOutcome.Why;
import io.holdfast.refresh.TokenKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A family is opened, kept, timed or forgotten wrongly. */
final class BrokenFamilies {
    private BrokenFamilies() {}

    /** Whoever opens it again begins it again. */
    @TurnsRed("G1 G12 R4")
    static final class OpenedAgainBeginsAgain extends MemoryRefreshTokens {
        @Override
        protected void openAgain(Row row, FamilyTerms terms) {
            row.generation = 1;
        }
    }

    /** An upsert of all that the caller knows. */
    @TurnsRed("R4")
    static final class OpenedAgainChangesTerms extends MemoryRefreshTokens {
        @Override
        protected void openAgain(Row row, FamilyTerms terms) {
            row.terms = terms;
        }
    }

    /** Whoever opens it again has logged in, and so it is good again. */
    @TurnsRed("G12")
    static final class OpenedAgainIsGoodAgain extends MemoryRefreshTokens {
        @Override
        protected void openAgain(Row row, FamilyTerms terms) {
            row.revokedAt = 0;
        }
    }

    /** A collision of two creations is an error, as is a row that is locked. */
    @TurnsRed("G9")
    static final class ContentionIsAnError extends MemoryRefreshTokens {
        private final Set<FamilyId> locked = ConcurrentHashMap.newKeySet();

        @Override
        public void revoke(FamilyId family) {
            if (!locked.add(family)) {
                throw new StoreUnavailable(Effect.NOT_APPLIED, "locked", new IllegalStateException("55P03"));
            }
            try {
                Gap.pass();
                super.revoke(family);
            } finally {
                locked.remove(family);
            }
        }
    }

    /** What is not there is a failure. */
    @TurnsRed("G2 G9 G13 R5")
    static final class UnknownIsAnError extends MemoryRefreshTokens {
        @Override
        protected Optional<Row> row(FamilyId family) {
            Optional<Row> row = super.row(family);
            if (row.isEmpty() && isAsked()) {
                throw new StoreUnavailable(Effect.NOT_APPLIED, "no such row", new IllegalStateException("02000"));
            }
            return row;
        }

        private static boolean isAsked() {
            return StackWalker.getInstance()
                    .walk(frames ->
                            frames.anyMatch(frame -> frame.getMethodName().equals("rotate")));
        }
    }

    /** A column of 8 bytes. */
    @TurnsRed("G10")
    static final class HalfOfTheId extends MemoryRefreshTokens {
        @Override
        protected FamilyId key(FamilyId family) {
            return new FamilyId(new UUID(family.value().getMostSignificantBits(), 0));
        }
    }

    /** A driver's old representation of UUIDs, whose halves are sorted. */
    @TurnsRed("G10")
    static final class HalvesChanged extends MemoryRefreshTokens {
        @Override
        protected FamilyId key(FamilyId family) {
            long high = family.value().getMostSignificantBits();
            long low = family.value().getLeastSignificantBits();
            return new FamilyId(new UUID(Math.min(high, low), Math.max(high, low)));
        }
    }

    /** Terms are kept in minutes. */
    @TurnsRed("G11")
    static final class TermsAreRoundedDown extends MemoryRefreshTokens {
        @Override
        public void open(FamilyId family, FamilyTerms terms) {
            super.open(
                    family, new FamilyTerms(terms.familyValid(), rounded(terms.tokenValid()), rounded(terms.grace())));
        }

        private static Duration rounded(Duration duration) {
            return duration.toMinutes() == 0 ? duration : duration.truncatedTo(ChronoUnit.MINUTES);
        }
    }

    /** Milliseconds in 32 bits are good for 24 days. */
    @TurnsRed("G11")
    static final class TermsOverflow extends MemoryRefreshTokens {
        @Override
        public void open(FamilyId family, FamilyTerms terms) {
            Duration most = Duration.ofMillis(Integer.MAX_VALUE);
            boolean fits = terms.tokenValid().compareTo(most) <= 0;
            super.open(family, fits ? terms : new FamilyTerms(terms.familyValid(), most, most));
        }
    }

    /** Says again when it was revoked. */
    @TurnsRed("G12")
    static final class RevokedAgain extends MemoryRefreshTokens {
        @Override
        public synchronized void revoke(FamilyId family) {
            row(family).ifPresent(this::end);
        }
    }

    /** Keeps in mind which families exist. */
    @TurnsRed("G13")
    static final class RemembersFamilies extends MemoryRefreshTokens {
        private final Set<FamilyId> opened = new HashSet<>();

        @Override
        public synchronized void open(FamilyId family, FamilyTerms terms) {
            if (opened.add(family)) {
                super.open(family, terms);
            }
        }
    }

    /** Keeps in mind which families are revoked. */
    @TurnsRed("G13 R5")
    static final class RemembersRevocations extends MemoryRefreshTokens {
        private final Set<FamilyId> revoked = ConcurrentHashMap.newKeySet();

        @Override
        protected void end(Row row) {
            revoked.add(row.family);
            super.end(row);
        }

        @Override
        public RotateOutcome<Generation> rotate(Generation presented) {
            return revoked.contains(presented.family()) ? new Refused<>(Why.REVOKED) : super.rotate(presented);
        }
    }

    /** Who is revoked is deleted. */
    @TurnsRed("G2 G12 R2 R3 R4 R5 R6 R7")
    static final class RevokedRowIsGone extends MemoryRefreshTokens {
        @Override
        protected void end(Row row) {
            deleteByHand(row.family);
        }
    }

    /** The grace is a setting of the server, as it is just now. */
    @TurnsRed("R4")
    static final class CallersGrace extends MemoryRefreshTokens {
        private volatile Duration grace = Duration.ZERO;

        @Override
        public void open(FamilyId family, FamilyTerms terms) {
            grace = terms.grace();
            super.open(family, terms);
        }

        @Override
        protected boolean isWithinGrace(Row row, long usedAt) {
            row.terms = new FamilyTerms(row.terms.familyValid(), row.terms.tokenValid(), grace);
            return super.isWithinGrace(row, usedAt);
        }
    }

    /** What is over by a host's clock is over. */
    @TurnsRed("G2 G11 R5 R7")
    static final class ExpiryByTheHostsClock extends MemoryRefreshTokens {
        private final long opened = now();

        @Override
        protected boolean isOver(Row row) {
            return row.expiresAt <= opened;
        }

        @Override
        protected boolean isExpired(Row row) {
            return false;
        }
    }

    /** The clock on the wall, which goes by the zone. */
    @TurnsRed("G3")
    static final class WallClock extends MemoryRefreshTokens {
        @Override
        protected long now() {
            long zone = ChronoUnit.MICROS.between(
                    LocalDateTime.now(ZoneOffset.UTC), LocalDateTime.now(ZoneId.systemDefault()));
            return super.now() + zone;
        }
    }

    @TurnsRed("R5")
    static final class TokenExpiryIgnored extends MemoryRefreshTokens {
        @Override
        protected boolean isExpired(Row row) {
            return false;
        }
    }

    /** A token's time counts from the login. */
    @TurnsRed("R5")
    static final class TokenExpiryFromTheOpening extends MemoryRefreshTokens {
        @Override
        protected boolean isExpired(Row row) {
            long life = row.terms.familyValid().minus(row.terms.tokenValid()).toNanos() / 1_000;
            return row.expiresAt - life <= now();
        }
    }

    @TurnsRed("G2 G11 R5 R7")
    static final class FamilyExpiryIgnored extends MemoryRefreshTokens {
        @Override
        protected boolean isOver(Row row) {
            return false;
        }
    }

    /** A spent token of a family that is over is held against it. */
    @TurnsRed("G2 R5")
    static final class ReuseBeforeTheEnd extends MemoryRefreshTokens {
        @Override
        protected Optional<Why> refused(Row row, long presented) {
            Optional<Why> why = super.refused(row, presented);
            return isOver(row) && presented < row.generation ? why.filter(Why.REVOKED::equals) : why;
        }
    }

    /** Clean-up of what is no good, be it over or not. */
    @TurnsRed("R5")
    static final class RevokedIsForgotten extends MemoryRefreshTokens {
        @Override
        protected boolean isForgettable(Row row, long end) {
            return row.revokedAt > 0 || super.isForgettable(row, end);
        }
    }

    @TurnsRed("R5")
    static final class LivingIsForgotten extends MemoryRefreshTokens {
        @Override
        protected boolean isForgettable(Row row, long end) {
            return true;
        }
    }

    /** A hand that was in a hurry. */
    @TurnsRed("R5")
    static final class ForgetsWithoutBound extends MemoryRefreshTokens {
        @Override
        public int forget(Duration keep, int atMost) {
            return super.forget(keep, Integer.MAX_VALUE);
        }
    }

    /** The key is where the families are, for all nodes to have it. */
    @TurnsRed("R8")
    static final class KeyInTheDatabase extends MemoryRefreshTokens {
        private static final byte[] KEY = "not so very secret a key, is it?".getBytes(StandardCharsets.US_ASCII);

        @Override
        public TokenKeys keys() {
            return TokenKeys.of(KEY);
        }

        @Override
        public synchronized String dump(FamilyId family) {
            return super.dump(family) + " key=" + HexFormat.of().formatHex(KEY);
        }
    }
}
