package io.holdfast.broken;

import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.memory.MemoryRefreshTokens;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RotateOutcome;
import io.holdfast.refresh.RotateOutcome.Refused;
import io.holdfast.refresh.RotateOutcome.Replayed;
import io.holdfast.refresh.RotateOutcome.Rotated;
import io.holdfast.refresh.RotateOutcome.Why;
import java.util.Optional;

/** A generation is spent, replayed or held against its family wrongly. */
final class BrokenRotations {
    private BrokenRotations() {}

    /** Looks whether it is the current one, and then writes. */
    @TurnsRed("G1 G2 R2 R7")
    static final class ReadThenWrite extends MemoryRefreshTokens {
        private final Gap gap = new Gap();

        @Override
        public RotateOutcome<Generation> rotate(Generation presented) {
            Optional<Row> seen = row(presented.family())
                    .filter(row -> refused(row, presented.number()).isEmpty() && presented.number() >= row.generation);
            if (seen.isEmpty()) {
                return super.rotate(presented);
            }
            gap.meet();
            synchronized (this) {
                return rotated(seen.get(), presented.next());
            }
        }
    }

    /** Spends it, and then writes down its successor. Whoever dies in between has neither. */
    @TurnsRed("R1 R6")
    static final class TwoWrites extends MemoryRefreshTokens {
        private static final long DIES_AT = 40;

        @Override
        protected RotateOutcome<Generation> rotated(Row row, Generation successor) {
            if (successor.number() == DIES_AT) {
                row.generation = successor.number();
                row.born = 0;
                throw new StoreUnavailable(Effect.UNKNOWN, "no answer", new IllegalStateException("08006"));
            }
            return super.rotated(row, successor);
        }
    }

    /** Whoever loses is told that the token was spent, as a strict server does. */
    @TurnsRed("G1 G2 G3 G11 R2 R3 R4 R5 R6 R7 R8")
    static final class NoGrace extends MemoryRefreshTokens {
        @Override
        protected boolean isWithinGrace(Row row, long usedAt) {
            return false;
        }
    }

    @TurnsRed("R2 R3 R4 R7")
    static final class GraceWithoutEnd extends MemoryRefreshTokens {
        @Override
        protected boolean isWithinGrace(Row row, long usedAt) {
            return true;
        }
    }

    /** Two tabs go on side by side. */
    @TurnsRed("G2 R3 R6 R7")
    static final class GraceForTwoGenerations extends MemoryRefreshTokens {
        @Override
        protected RotateOutcome<Generation> overtaken(Row row, Generation successor) {
            return new Replayed<>(successor);
        }
    }

    /** Whoever is late gets a generation of its own. */
    @TurnsRed("G1 G2 G3 G11 R2 R3 R4 R5 R6 R7 R8")
    static final class ReplayRotates extends MemoryRefreshTokens {
        @Override
        protected RotateOutcome<Generation> replayed(Row row, Generation successor) {
            return rotated(row, new Generation(row.family, row.generation + 1));
        }
    }

    /** Whoever replays once may replay for ever. */
    @TurnsRed("G2 R2 R4")
    static final class ReplayProlongsTheGrace extends MemoryRefreshTokens {
        @Override
        protected RotateOutcome<Generation> replayed(Row row, Generation successor) {
            row.born = now();
            return super.replayed(row, successor);
        }
    }

    /** The grace counts from the birth of what was spent. */
    @TurnsRed("R2 R3 R5")
    static final class GraceFromTheBirth extends MemoryRefreshTokens {
        @Override
        protected boolean isWithinGrace(Row row, long usedAt) {
            return super.isWithinGrace(row, Math.min(usedAt, row.bornBefore));
        }
    }

    /** Who was two behind is a thief. */
    @TurnsRed("G2 R3 R6 R7")
    static final class OvertakenRevokes extends MemoryRefreshTokens {
        @Override
        protected RotateOutcome<Generation> overtaken(Row row, Generation successor) {
            return reused(row);
        }
    }

    /** Counts the grace of the one before the last from the use of the last. */
    @TurnsRed("R3")
    static final class OvertakenForTooLong extends MemoryRefreshTokens {
        @Override
        protected boolean isWithinGrace(Row row, long usedAt) {
            return super.isWithinGrace(row, row.born);
        }
    }

    /** An old token is no good, and that is all. */
    @TurnsRed("R2 R3 R4 R6 R7")
    static final class ReuseIsRefusedOnly extends MemoryRefreshTokens {
        @Override
        protected RotateOutcome<Generation> reused(Row row) {
            return new Refused<>(Why.OVERTAKEN);
        }
    }

    /** The token that was reused is revoked, and what came of it lives on. */
    @TurnsRed("G2 G12 R2 R3 R4 R5 R6 R7")
    static final class ReuseRevokesNothing extends MemoryRefreshTokens {
        @Override
        protected void end(Row row) {}
    }

    /** Revokes the generation that it has seen, and one that was born meanwhile stays. */
    @TurnsRed("R3")
    static final class RevocationMissesARotation extends MemoryRefreshTokens {
        private final Gap gap = new Gap();

        @Override
        public RotateOutcome<Generation> rotate(Generation presented) {
            Optional<Row> row = row(presented.family());
            long seen = row.map(there -> there.generation).orElse(0L);
            if (presented.number() == seen) {
                gap.meet();
                return super.rotate(presented);
            }
            if (presented.number() < seen - 2 && row.orElseThrow().revokedAt == 0) {
                gap.meet();
                Gap.until(() -> row.orElseThrow().generation != seen);
                synchronized (this) {
                    return row.orElseThrow().generation == seen
                            ? super.rotate(presented)
                            : new RotateOutcome.Reused<>(presented.family());
                }
            }
            return super.rotate(presented);
        }
    }

    /** Revokes by writing back the row as it was read, or has it written over. */
    @TurnsRed("G2 R3")
    static final class RotationUndoesARevocation extends MemoryRefreshTokens {
        @Override
        public RotateOutcome<Generation> rotate(Generation presented) {
            Optional<Row> row = row(presented.family());
            boolean isCurrent = row.filter(there -> there.generation == presented.number() && there.revokedAt == 0)
                    .isPresent();
            if (isCurrent) {
                Gap.until(() -> row.orElseThrow().revokedAt != 0);
            }
            RotateOutcome<Generation> outcome = super.rotate(presented);
            if (isCurrent && outcome instanceof Refused<Generation>) {
                synchronized (this) {
                    row.orElseThrow().revokedAt = 0;
                    return super.rotate(presented);
                }
            }
            return outcome;
        }
    }

    /** A generation that the row does not know is none. */
    @TurnsRed("R6 R7")
    static final class AheadRefused extends MemoryRefreshTokens {
        @Override
        protected RotateOutcome<Generation> ahead(Row row, Generation successor) {
            return new Refused<>(Why.UNKNOWN);
        }
    }

    /** A generation that the row does not know is a forgery. */
    @TurnsRed("R6 R7")
    static final class AheadRevoked extends MemoryRefreshTokens {
        @Override
        protected RotateOutcome<Generation> ahead(Row row, Generation successor) {
            return reused(row);
        }
    }

    /** It is accepted, and the row goes on from where it was. */
    @TurnsRed("R6 R7")
    static final class AheadStartsAgain extends MemoryRefreshTokens {
        @Override
        protected RotateOutcome<Generation> ahead(Row row, Generation successor) {
            return rotated(row, new Generation(row.family, row.generation + 1));
        }
    }

    /** The one before it was used when nobody knows, and so too long ago. */
    @TurnsRed("R7")
    static final class BeforeAheadIsReused extends MemoryRefreshTokens {
        @Override
        protected RotateOutcome<Generation> ahead(Row row, Generation successor) {
            return rotated(row, successor);
        }
    }

    /** Numbers that grow by themselves; two in one millisecond are one. */
    @TurnsRed("G1 G2 G3 G10 G11 G12 G13 R1 R2 R3 R4 R5 R6 R7 R8")
    static final class GenerationFromAClock extends MemoryRefreshTokens {
        @Override
        protected RotateOutcome<Generation> rotated(Row row, Generation successor) {
            return super.rotated(row, new Generation(row.family, Math.max(row.generation, now() / 1_000)));
        }
    }

    /** Numbers of a document store, or of JavaScript. */
    @TurnsRed("R6")
    static final class GenerationIsADouble extends MemoryRefreshTokens {
        @Override
        protected RotateOutcome<Generation> rotated(Row row, Generation successor) {
            super.rotated(row, successor);
            row.generation = (long) (double) successor.number();
            return new Rotated<>(new Generation(row.family, row.generation));
        }
    }

    /** A column of 32 bits. */
    @TurnsRed("R6")
    static final class GenerationOverflows extends MemoryRefreshTokens {
        @Override
        protected RotateOutcome<Generation> rotated(Row row, Generation successor) {
            super.rotated(row, successor);
            row.generation = (int) successor.number();
            return new Rotated<>(successor);
        }
    }

    /** The last one is followed by the first. */
    @TurnsRed("R6")
    static final class GenerationWraps extends MemoryRefreshTokens {
        @Override
        public RotateOutcome<Generation> rotate(Generation presented) {
            return super.rotate(
                    presented.number() == Long.MAX_VALUE ? Generation.first(presented.family()) : presented);
        }
    }

    /** Writes down when it was asked. */
    @TurnsRed("G2")
    static final class LosersWrite extends MemoryRefreshTokens {
        @Override
        protected RotateOutcome<Generation> replayed(Row row, Generation successor) {
            row.bornBefore++;
            return super.replayed(row, successor);
        }
    }
}
