package io.holdfast.broken;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.StoreUnavailable;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.memory.MemoryLeases;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A lease is renewed, told of or remembered wrongly. */
final class BrokenLeaseHolds {
    private BrokenLeaseHolds() {}

    /** Whoever knows the fence holds. */
    @TurnsRed("G6 G14 L4")
    static final class AttemptNotChecked extends MemoryLeases {
        @Override
        protected boolean isOf(Lease lease, Row row) {
            return row.fence == lease.fence().value();
        }
    }

    /** Whoever knows the attempt holds. */
    @TurnsRed("G4 G6 G14 G15")
    static final class FenceNotChecked extends MemoryLeases {
        @Override
        protected boolean isOf(Lease lease, Row row) {
            return row.attempt.equals(lease.attempt());
        }
    }

    /** Whoever knows the name holds. */
    @TurnsRed(value = "G4 G6 G8 G12 G14 G15 L2 L4", byLuck = "G9")
    static final class NameAlone extends MemoryLeases {
        @Override
        protected boolean isOf(Lease lease, Row row) {
            return true;
        }
    }

    /** Time alone ends a hold: a renewal that comes late is refused. */
    @TurnsRed("G7")
    static final class LateRenewalRefused extends MemoryLeases {
        @Override
        protected Renewal renew(Lease lease) {
            return row(lease.name()).filter(row -> row.freeAt <= now()).isPresent()
                    ? new Renewal.Lost(Optional.empty())
                    : super.renew(lease);
        }
    }

    /** A renewal that overtook another one takes time away. */
    @TurnsRed("G7")
    static final class RenewalMovesBackwards extends MemoryLeases {
        @Override
        protected void prolong(Row row) {
            row.beat = now();
            row.freeAt = now() + micros(row.limit);
        }
    }

    /** Who takes a lease gets the limit of the one before. */
    @TurnsRed("G7")
    static final class LimitOfTheOneBefore extends MemoryLeases {
        @Override
        protected synchronized LeaseOutcome take(Wish wish) {
            Optional<Duration> before = row(wish.name()).map(row -> row.limit);
            LeaseOutcome taken = super.take(wish);
            before.ifPresent(limit -> row(wish.name()).orElseThrow().limit = limit);
            return taken;
        }
    }

    /** Who takes a lease is said to have it since the first one took it. */
    @TurnsRed("G8")
    static final class SinceTheFirstTake extends MemoryLeases {
        private final Map<LeaseName, Instant> first = new HashMap<>();

        @Override
        protected Incumbent incumbent(Row row) {
            Incumbent told = super.incumbent(row);
            return new Incumbent(
                    told.attempt(),
                    told.holder(),
                    told.fence(),
                    first.getOrDefault(row.name, told.since()),
                    told.silentFor(),
                    told.takeableIn());
        }

        @Override
        protected synchronized LeaseOutcome take(Wish wish) {
            LeaseOutcome taken = super.take(wish);
            first.putIfAbsent(
                    wish.name(), super.incumbent(row(wish.name()).orElseThrow()).since());
            return taken;
        }
    }

    /** The loser is told of somebody, whoever it is. */
    @TurnsRed("G1 G2 G3 G4 G5 G6 G7 G8 G10 G11 G12 G13 G14 G15 L1 L2")
    static final class InventedHolder extends MemoryLeases {
        @Override
        protected Incumbent incumbent(Row row) {
            return new Incumbent(
                    AttemptId.random(),
                    new Holder("somebody"),
                    new Fence(row.fence),
                    Instant.EPOCH,
                    Duration.ZERO,
                    remaining(row));
        }
    }

    /** Also who has let go is told to hold. */
    @TurnsRed("G6 G7 G8 G12 G14 G15 L2 L4")
    static final class LastHolderHoldsForEver extends MemoryLeases {
        @Override
        public synchronized Optional<Incumbent> find(LeaseName name) {
            return row(name).map(this::incumbent);
        }
    }

    /** Limits and minimums in whole seconds, rounded down. */
    @TurnsRed("G11")
    static final class WholeSeconds extends MemoryLeases {
        @Override
        protected long micros(Duration duration) {
            return super.micros(Duration.ofSeconds(duration.toSeconds()));
        }
    }

    /** Times in 32 bits. */
    @TurnsRed("G11")
    static final class ShortTimes extends MemoryLeases {
        @Override
        protected long micros(Duration duration) {
            return (int) (super.micros(duration) / 1_000) * 1_000L;
        }
    }

    /** Remembers rows that it has seen, also when they are gone. */
    @TurnsRed("G13")
    static final class RemembersRows extends MemoryLeases {
        private final Map<LeaseName, Row> seen = new HashMap<>();

        @Override
        protected synchronized Optional<Row> row(LeaseName name) {
            super.row(name).ifPresent(row -> seen.putIfAbsent(name, row));
            return Optional.ofNullable(seen.get(name));
        }
    }

    /** One of a batch that is lost spoils all. */
    @TurnsRed("G14")
    static final class OneSpoilsTheBatch extends MemoryLeases {
        @Override
        public synchronized Map<Lease, Renewal> renew(Collection<Lease> leases) {
            Map<Lease, Renewal> said = super.renew(leases);
            Optional<Renewal> lost = said.values().stream()
                    .filter(Renewal.Lost.class::isInstance)
                    .findFirst();
            lost.ifPresent(all -> said.replaceAll((lease, renewal) -> all));
            return said;
        }
    }

    /** A statement has room for a thousand. */
    @TurnsRed("G14")
    static final class BatchIsCut extends MemoryLeases {
        @Override
        public synchronized Map<Lease, Renewal> renew(Collection<Lease> leases) {
            return super.renew(leases.stream().limit(1_000).toList());
        }
    }

    /** The same hold twice is an error. */
    @TurnsRed("G14")
    static final class DoubledElementsFail extends MemoryLeases {
        @Override
        public synchronized Map<Lease, Renewal> renew(Collection<Lease> leases) {
            Map<Lease, Renewal> said = new HashMap<>();
            for (Lease lease : leases) {
                if (said.put(lease, renew(lease)) != null) {
                    throw new StoreUnavailable(
                            StoreUnavailable.Effect.NOT_APPLIED, "doubled row", new IllegalStateException());
                }
            }
            return said;
        }
    }
}
