package io.holdfast.postgres;

import io.holdfast.AttemptId;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.SilenceLimit;
import io.holdfast.Succession;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Leases, decided by one statement each. */
final class PostgresLeases implements LeaseStore {
    private final PostgresCalls work;
    private final PostgresCalls beats;
    private final PostgresLeaseStatements statements;

    PostgresLeases(PostgresCalls work, PostgresCalls beats, PostgresLeaseStatements statements) {
        this.work = work;
        this.beats = beats;
        this.statements = statements;
    }

    @Override
    public LeaseOutcome acquire(LeaseName name, AttemptId attempt, Holder holder, SilenceLimit limit) {
        return work.call(line -> {
            Optional<LeaseOutcome> taken = moveFence(
                    line,
                    name,
                    statements.take,
                    rows -> acquired(rows, name, attempt),
                    attempt.value(),
                    holder.label(),
                    PostgresRows.micros(limit.value()));
            return taken.isPresent()
                    ? taken
                    : line.ask(statements.truth, rows -> truth(rows, name, attempt), name.value(), attempt.value());
        });
    }

    /** Asks what gives the lease a higher fence, if its guard is true. Empty if it is not. */
    private static <R> Optional<R> moveFence(
            PostgresCalls.Line line,
            LeaseName name,
            String statement,
            PostgresCalls.Reader<? extends R> granted,
            Object... values)
            throws SQLException {
        Object[] all = new Object[values.length + 1];
        all[0] = name.value();
        System.arraycopy(values, 0, all, 1, values.length);
        try {
            return line.ask(statement, rows -> rows.next() ? Optional.of(granted.read(rows)) : Optional.empty(), all);
        } catch (SQLException e) {
            if (PostgresErrors.isExhausted(e)) {
                throw LeaseStore.fenceExhausted(name);
            }
            throw e;
        }
    }

    private static LeaseOutcome acquired(ResultSet row, LeaseName name, AttemptId attempt) throws SQLException {
        return new LeaseOutcome.Acquired(
                new Lease(name, attempt, new Fence(row.getLong("fence"))), PostgresRows.duration(row, "remaining"));
    }

    /** Why it was not taken; empty if what stood in the way is gone. */
    private static Optional<LeaseOutcome> truth(ResultSet row, LeaseName name, AttemptId attempt) throws SQLException {
        row.next();
        if (row.getObject("remaining") != null) {
            return Optional.of(acquired(row, name, attempt));
        }
        if (row.getBoolean("mine")) {
            // Held by the snapshot, and yet not renewed: it was let go or taken over in this very moment.
            return row.getBoolean("in_held") ? Optional.empty() : Optional.of(new LeaseOutcome.Over());
        }
        return row.getObject("in_attempt") == null || row.getBoolean("takeable")
                ? Optional.empty()
                : Optional.of(new LeaseOutcome.Taken(PostgresRows.holder(row)));
    }

    @Override
    public Map<Lease, Renewal> renew(Collection<Lease> holds) {
        List<Lease> leases = List.copyOf(holds);
        if (leases.isEmpty()) {
            return Map.of();
        }
        return beats.ask(
                statements.renew,
                PostgresLeases::renewals,
                leases.stream().map(lease -> lease.name().value()).toArray(String[]::new),
                leases.stream().map(lease -> lease.attempt().value()).toArray(UUID[]::new),
                leases.stream().map(lease -> lease.fence().value()).toArray(Long[]::new));
    }

    private static Map<Lease, Renewal> renewals(ResultSet rows) throws SQLException {
        Map<Lease, Renewal> renewals = new HashMap<>();
        while (rows.next()) {
            Lease lease = new Lease(
                    LeaseName.of(rows.getString("name")),
                    new AttemptId(rows.getObject("attempt", UUID.class)),
                    new Fence(rows.getLong("fence")));
            Optional<Renewal> renewal = PostgresRows.renewal(rows, lease);
            renewal.ifPresent(said -> renewals.put(lease, said));
        }
        return renewals;
    }

    @Override
    public Release release(Lease lease, Duration minimum) {
        long micros = PostgresRows.micros(LeaseStore.checkedMinimum(minimum));
        Object[] hold = {
            lease.name().value(), lease.attempt().value(), lease.fence().value()
        };
        return work.call(line -> {
            boolean released = line.ask(statements.release, ResultSet::next, hold[0], hold[1], hold[2], micros);
            return released
                    ? Optional.of(new Release.Released())
                    : line.ask(statements.ending, PostgresLeases::releasedOrLost, hold);
        });
    }

    private static Optional<Release> releasedOrLost(ResultSet row) throws SQLException {
        row.next();
        Optional<Incumbent> incumbent = PostgresRows.incumbent(row);
        if (!row.getBoolean("mine")) {
            return Optional.of(new Release.Lost(incumbent));
        }
        // If it is held, it was made so by hand in this very moment.
        return incumbent.isPresent() ? Optional.empty() : Optional.of(new Release.Released());
    }

    @Override
    public Optional<Incumbent> find(LeaseName name) {
        return work.ask(
                statements.holder, rows -> rows.next() ? PostgresRows.incumbent(rows) : Optional.empty(), name.value());
    }

    @Override
    public Eviction evict(LeaseName name, Fence seen, Succession succession) {
        return work.call(line -> {
            Optional<Eviction> evicted = moveFence(
                    line,
                    name,
                    statements.evict,
                    PostgresRows::evicted,
                    seen.value(),
                    succession == Succession.AT_ONCE);
            return evicted.isPresent()
                    ? evicted
                    : line.ask(statements.holder, rows -> PostgresRows.moved(rows, seen), name.value());
        });
    }
}
