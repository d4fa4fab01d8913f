package io.holdfast.broken;

import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.StoreUnavailable;
import io.holdfast.memory.MemoryPublishes;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.Ending;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A hold is renewed, ended or remembered wrongly. */
final class BrokenHolds {
    private BrokenHolds() {}

    /** Whoever knows the fence holds. */
    @TurnsRed("G6 G14")
    static final class AttemptNotChecked extends MemoryPublishes {
        @Override
        protected boolean holds(Claim claim, Row row) {
            return row.building()
                    .filter(entry -> entry.fence.equals(claim.fence()))
                    .isPresent();
        }
    }

    /** Whoever knows the attempt holds. */
    @TurnsRed("G4 G6 G14")
    static final class FenceNotChecked extends MemoryPublishes {
        @Override
        protected boolean holds(Claim claim, Row row) {
            return row.building()
                    .filter(entry -> entry.id.equals(claim.attempt()))
                    .isPresent();
        }
    }

    /** Whoever knows the key holds: a hold that was taken over is renewed, and ends its taker's. */
    @TurnsRed(value = "G4 G6 G8 G12 G14 G15 C8", byLuck = "G9")
    static final class KeyAlone extends MemoryPublishes {
        @Override
        protected boolean holds(Claim claim, Row row) {
            return row.building().isPresent();
        }
    }

    /** Time alone ends a hold: a renewal that comes late is refused. */
    @TurnsRed("G7 G14")
    static final class LateRenewalRefused extends MemoryPublishes {
        @Override
        protected Renewal renew(Claim claim) {
            return row(claim.app()).filter(row -> row.freeAt <= now()).isPresent()
                    ? new Renewal.Lost(Optional.empty())
                    : super.renew(claim);
        }
    }

    /** Time alone ends a hold: an end that comes late is refused. */
    @TurnsRed("G7 C8 C11")
    static final class LateFinishRefused extends MemoryPublishes {
        @Override
        public synchronized FinishOutcome finish(Claim claim, Ending ending) {
            return row(claim.app())
                            .filter(row -> row.freeAt <= now() && holds(claim, row))
                            .isPresent()
                    ? new FinishOutcome.Lost(Optional.empty())
                    : super.finish(claim, ending);
        }
    }

    /** A renewal that overtook another one takes time away. */
    @TurnsRed("G7")
    static final class RenewalMovesBackwards extends MemoryPublishes {
        @Override
        protected void prolong(Row row) {
            row.beat = now();
            row.freeAt = now() + limitMicros(row.limit);
        }
    }

    /** Who takes an app gets the limit of the one before. */
    @TurnsRed("G7")
    static final class LimitOfTheOneBefore extends MemoryPublishes {
        @Override
        protected synchronized ClaimOutcome take(ClaimRequest wish) {
            Optional<Duration> before = row(wish.app()).map(row -> row.limit);
            ClaimOutcome taken = super.take(wish);
            before.ifPresent(limit -> row(wish.app()).orElseThrow().limit = limit);
            return taken;
        }
    }

    /** Who takes an app is said to have it since the first one took it. */
    @TurnsRed("G8")
    static final class SinceTheFirstTake extends MemoryPublishes {
        @Override
        protected Incumbent incumbent(Row row) {
            Incumbent told = super.incumbent(row);
            long heldSoFar = row.last().orElseThrow().startedAt - row.history.get(0).startedAt;
            return new Incumbent(
                    told.attempt(),
                    told.holder(),
                    told.fence(),
                    told.since().minus(heldSoFar, ChronoUnit.MICROS),
                    told.silentFor(),
                    told.takeableIn());
        }
    }

    /** A build may take three hours, however alive it is. */
    @TurnsRed("C7")
    static final class SlowBuildsEnd extends MemoryPublishes {
        @Override
        protected void prolong(Row row) {
            if (now() < row.building().orElseThrow().startedAt + limitMicros(Duration.ofHours(3))) {
                super.prolong(row);
            }
        }
    }

    /** Looks whether it still holds, and then ends what it held. */
    @TurnsRed("G12 C8")
    static final class CheckThenFinish extends MemoryPublishes {
        @Override
        public FinishOutcome finish(Claim claim, Ending ending) {
            Optional<Entry> held;
            synchronized (this) {
                held = row(claim.app()).filter(row -> holds(claim, row)).flatMap(Row::building);
            }
            if (held.isEmpty()) {
                return super.finish(claim, ending);
            }
            Gap.until(() -> held.get().state != null);
            synchronized (this) {
                end(row(claim.app()).orElseThrow(), held.get(), ending);
                return new FinishOutcome.Ended(ending);
            }
        }
    }

    /** The last ending stands. */
    @TurnsRed("G12 C8 C10")
    static final class LastEndingStands extends MemoryPublishes {
        @Override
        public synchronized FinishOutcome finish(Claim claim, Ending ending) {
            FinishOutcome said = super.finish(claim, ending);
            return said.fold(
                    ended -> {
                        entry(claim).ifPresent(entry -> entry.state = ending);
                        return new FinishOutcome.Ended(ending);
                    },
                    lost -> lost);
        }

        private Optional<Entry> entry(Claim claim) {
            return row(claim.app())
                    .flatMap(row -> row.history.stream()
                            .filter(entry -> entry.id.equals(claim.attempt()))
                            .findFirst());
        }
    }

    /** A second end is told that the hold was lost. */
    @TurnsRed("G9 G12 C8 C10")
    static final class SecondEndIsLost extends MemoryPublishes {
        @Override
        public synchronized FinishOutcome finish(Claim claim, Ending ending) {
            boolean held = row(claim.app()).filter(row -> holds(claim, row)).isPresent();
            FinishOutcome said = super.finish(claim, ending);
            return held || said instanceof FinishOutcome.Lost ? said : new FinishOutcome.Lost(Optional.empty());
        }
    }

    /** Says that it was ended, whether or not a row was changed. */
    @TurnsRed("G6 G8 G12 G13 G15 C8 C9 C10")
    static final class CountIgnored extends MemoryPublishes {
        @Override
        public synchronized FinishOutcome finish(Claim claim, Ending ending) {
            super.finish(claim, ending);
            return new FinishOutcome.Ended(ending);
        }
    }

    /** Remembers rows that it has seen, also when they are gone. */
    @TurnsRed("G13")
    static final class RemembersRows extends MemoryPublishes {
        private final Map<AppId, Row> seen = new HashMap<>();

        @Override
        protected synchronized Optional<Row> row(AppId app) {
            super.row(app).ifPresent(row -> seen.putIfAbsent(app, row));
            return Optional.ofNullable(seen.get(app));
        }
    }

    /** One of a batch that is lost spoils all. */
    @TurnsRed("G14")
    static final class OneSpoilsTheBatch extends MemoryPublishes {
        @Override
        public synchronized Map<Claim, Renewal> renew(Collection<Claim> claims) {
            Map<Claim, Renewal> said = super.renew(claims);
            Optional<Renewal> lost = said.values().stream()
                    .filter(Renewal.Lost.class::isInstance)
                    .findFirst();
            lost.ifPresent(all -> said.replaceAll((claim, renewal) -> all));
            return said;
        }
    }

    /** The same hold twice is an error. */
    @TurnsRed("G14")
    static final class DoubledElementsFail extends MemoryPublishes {
        @Override
        public synchronized Map<Claim, Renewal> renew(Collection<Claim> claims) {
            Map<Claim, Renewal> said = new LinkedHashMap<>();
            for (Claim claim : claims) {
                if (said.put(claim, renew(claim)) != null) {
                    throw new StoreUnavailable(
                            StoreUnavailable.Effect.NOT_APPLIED, "doubled row", new IllegalStateException());
                }
            }
            return said;
        }
    }

    /** A statement has room for a thousand. */
    @TurnsRed("G14")
    static final class BatchIsCut extends MemoryPublishes {
        @Override
        public synchronized Map<Claim, Renewal> renew(Collection<Claim> claims) {
            return super.renew(claims.stream().limit(1_000).toList());
        }
    }

    /** The one that is taken over is written off as failed. */
    @TurnsRed("G5 G6 G8 C6 C8 C11")
    static final class FailThenStart extends MemoryPublishes {
        @Override
        protected synchronized ClaimOutcome take(ClaimRequest wish) {
            Optional<Entry> silent = row(wish.app()).flatMap(Row::building);
            ClaimOutcome taken = super.take(wish);
            silent.ifPresent(entry -> entry.state = new Ending.Failed("superseded"));
            return taken;
        }
    }
}
