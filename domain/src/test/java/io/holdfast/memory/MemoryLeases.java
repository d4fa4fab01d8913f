package io.holdfast.memory;

import io.holdfast.AttemptId;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.SilenceLimit;
import io.holdfast.Succession;
import io.holdfast.contract.LeaseSubject;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.lease.LeaseOutcome.Over;
import io.holdfast.lease.LeaseOutcome.Taken;
import io.holdfast.lease.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A store of leases in memory, and the model of what the rules mean; made and opened as {@link MemoryPublishes} is. */
public class MemoryLeases implements LeaseSubject, LeaseStore {
    private final Map<LeaseName, Row> rows = new HashMap<>();
    private Duration passed = Duration.ZERO;

    /** A wish for a lease. */
    public record Wish(LeaseName name, AttemptId attempt, Holder holder, SilenceLimit limit) {}

    /** One lease. Others may take it from {@code freeAt} on, held or not. */
    protected static final class Row {
        public final LeaseName name;
        public AttemptId attempt;
        public Holder holder;
        public Duration limit;
        public long fence;
        public boolean held;
        public long since;
        public long beat;
        public long freeAt;

        Row(Wish first) {
            this.name = first.name;
            this.attempt = first.attempt;
            this.holder = first.holder;
            this.limit = first.limit.value();
        }

        @Override
        public String toString() {
            return "%s attempt=%s holder=%s limit=%s fence=%d held=%s since=%d beat=%d freeAt=%d"
                    .formatted(name, attempt, holder, limit, fence, held, since, beat, freeAt);
        }
    }

    // Deciding.

    @Override
    public LeaseOutcome acquire(LeaseName name, AttemptId attempt, Holder holder, SilenceLimit limit) {
        Wish wish = new Wish(name, attempt, holder, limit);
        synchronized (this) {
            return answered(wish).orElseGet(() -> take(wish));
        }
    }

    /** What is said instead of taking; empty if the lease is to be taken. */
    protected synchronized Optional<LeaseOutcome> answered(Wish wish) {
        return thisAttempt(wish).or(() -> taken(wish));
    }

    protected Optional<LeaseOutcome> thisAttempt(Wish wish) {
        return row(wish.name())
                .filter(row -> row.attempt.equals(wish.attempt()))
                .map(row -> {
                    if (!row.held) {
                        return new Over();
                    }
                    prolong(row);
                    return new Acquired(lease(row), remaining(row));
                });
    }

    protected Optional<LeaseOutcome> taken(Wish wish) {
        return row(wish.name()).filter(row -> !takeable(row, wish)).map(row -> new Taken(incumbent(row)));
    }

    /** The holder's own limit is over, or what it left behind when it let go (G7, L3). */
    protected boolean takeable(Row row, Wish taker) {
        return row.freeAt <= now();
    }

    protected synchronized LeaseOutcome take(Wish wish) {
        Row row = row(wish.name()).orElseGet(() -> insert(wish));
        row.fence = nextFence(row).value();
        row.held = true;
        row.attempt = wish.attempt();
        row.holder = wish.holder();
        row.limit = wish.limit().value();
        row.since = now();
        row.beat = row.since;
        row.freeAt = row.since + micros(row.limit);
        return new Acquired(lease(row), remaining(row));
    }

    private Row insert(Wish wish) {
        Row row = new Row(wish);
        rows.put(key(wish.name()), row);
        return row;
    }

    protected Fence nextFence(Row row) {
        if (row.fence == Long.MAX_VALUE) {
            throw LeaseStore.fenceExhausted(row.name);
        }
        return new Fence(Math.max(row.fence + 1, now()));
    }

    @Override
    public Map<Lease, Renewal> renew(Collection<Lease> leases) {
        synchronized (this) {
            Map<Lease, Renewal> said = new HashMap<>();
            leases.forEach(lease -> said.put(lease, renew(lease)));
            return said;
        }
    }

    protected Renewal renew(Lease lease) {
        Optional<Row> held = row(lease.name()).filter(row -> row.held && isOf(lease, row));
        held.ifPresent(this::prolong);
        return held.<Renewal>map(row -> new Renewal.Held(remaining(row)))
                .orElseGet(() -> new Renewal.Lost(find(lease.name())));
    }

    /** Only the holder's writes count: key, attempt and fence (G6). */
    protected boolean isOf(Lease lease, Row row) {
        return row.attempt.equals(lease.attempt()) && row.fence == lease.fence().value();
    }

    protected void prolong(Row row) {
        row.beat = Math.max(row.beat, now());
        row.freeAt = Math.max(row.freeAt, now() + micros(row.limit));
    }

    @Override
    public Release release(Lease lease, Duration minimum) {
        long micros = micros(LeaseStore.checkedMinimum(minimum));
        synchronized (this) {
            Optional<Row> mine = row(lease.name()).filter(row -> isOf(lease, row));
            mine.filter(row -> row.held).ifPresent(row -> letGo(row, micros));
            return mine.<Release>map(row -> new Release.Released())
                    .orElseGet(() -> new Release.Lost(find(lease.name())));
        }
    }

    /** What is free at once is free whatever the clock says; what is not counts from the take, as far as the clock admits. */
    protected void letGo(Row row, long minimum) {
        row.held = false;
        row.freeAt = minimum == 0 ? 0 : Math.min(row.since, now()) + minimum;
    }

    @Override
    public Eviction evict(LeaseName name, Fence seen, Succession succession) {
        synchronized (this) {
            return row(name)
                    .filter(row -> row.fence == seen.value() && (row.held || row.freeAt > now()))
                    .<Eviction>map(row -> {
                        evict(row, succession);
                        return new Eviction.Evicted(new Fence(row.fence), remaining(row));
                    })
                    .orElseGet(() -> new Eviction.Moved(find(name)));
        }
    }

    protected void evict(Row row, Succession succession) {
        row.fence = nextFence(row).value();
        row.held = false;
        if (succession == Succession.AT_ONCE) {
            row.freeAt = 0;
        }
    }

    // Telling.

    @Override
    public synchronized Optional<Incumbent> find(LeaseName name) {
        return row(name).filter(row -> row.held).map(this::incumbent);
    }

    protected Incumbent incumbent(Row row) {
        return new Incumbent(
                row.attempt,
                row.holder,
                new Fence(row.fence),
                Instant.EPOCH.plus(row.since, ChronoUnit.MICROS),
                duration(now() - row.beat),
                remaining(row));
    }

    protected Duration remaining(Row row) {
        return duration(Math.max(0, row.freeAt - now()));
    }

    private static Lease lease(Row row) {
        return new Lease(row.name, row.attempt, new Fence(row.fence));
    }

    protected Optional<Row> row(LeaseName name) {
        return Optional.ofNullable(rows.get(key(name)));
    }

    /** As rows are found by. */
    protected LeaseName key(LeaseName name) {
        return name;
    }

    // Time: microseconds since 1970.

    protected long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now().plus(passed));
    }

    /** A duration as it is stored. */
    protected long micros(Duration duration) {
        return TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
    }

    private static Duration duration(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    // What befalls a store.

    @Override
    public LeaseStore leases() {
        return this;
    }

    @Override
    public synchronized void letPass(Duration time) {
        passed = passed.plus(time);
    }

    @Override
    public synchronized void wipe() {
        rows.clear();
    }

    @Override
    public synchronized void deleteByHand(LeaseName name) {
        rows.remove(key(name));
    }

    @Override
    public synchronized void setFence(LeaseName name, Fence fence) {
        row(name).orElseThrow().fence = fence.value();
    }

    @Override
    public synchronized String dump(LeaseName name) {
        return row(name).map(Row::toString).orElse("");
    }
}
