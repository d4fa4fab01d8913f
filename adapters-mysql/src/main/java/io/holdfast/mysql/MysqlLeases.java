package io.holdfast.mysql;

import static io.holdfast.mysql.MysqlRows.bytes;

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
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.lease.LeaseOutcome.Over;
import io.holdfast.lease.LeaseOutcome.Taken;
import io.holdfast.lease.LeaseStore;
import io.holdfast.mysql.MysqlCalls.Line;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** Decides who has a lease: a conditional UPDATE takes, and what it found is told in the same call. */
final class MysqlLeases implements LeaseStore {
    private final MysqlCalls work;
    private final MysqlRenewals<Lease> renewals;
    private final MysqlLeaseStatements statements;

    MysqlLeases(MysqlCalls work, MysqlCalls beats, MysqlLeaseStatements statements) {
        this.work = work;
        this.renewals = new MysqlRenewals<>(
                beats,
                statements.renew,
                statements.renewed,
                lease -> bytes(lease.name().value()));
        this.statements = statements;
    }

    /** One wish, as long as its call lasts. */
    private record Wish(LeaseName name, AttemptId attempt, Holder holder, SilenceLimit limit) {
        byte[] key() {
            return bytes(name.value());
        }

        Lease lease(Fence fence) {
            return new Lease(name, attempt, fence);
        }
    }

    @Override
    public LeaseOutcome acquire(LeaseName name, AttemptId attempt, Holder holder, SilenceLimit limit) {
        Wish wish = new Wish(name, attempt, holder, limit);
        return work.call(line -> decide(line, wish));
    }

    private Optional<LeaseOutcome> decide(Line line, Wish wish) throws SQLException {
        Optional<LeaseOutcome> taken = take(line, wish);
        if (taken.isPresent()) {
            return taken;
        }
        // Who had to wait for the winner has the row locked, and must not keep others waiting while it reads (G2).
        line.rollBack();
        Truth truth = line.ask(statements.truth, Truth::of, wish.key(), bytes(wish.attempt));
        if (!truth.isKnown) {
            create(line, wish);
            return take(line, wish);
        }
        if (!truth.isMine) {
            return truth.inTheWay.map(Taken::new);
        }
        return truth.incumbent.isPresent()
                ? repeat(line, wish.lease(truth.incumbent.get().fence()))
                : Optional.of(new Over());
    }

    private Optional<LeaseOutcome> take(Line line, Wish wish) throws SQLException {
        byte[] attempt = bytes(wish.attempt);
        byte[] holder = bytes(wish.holder.label());
        long limit = MysqlRows.micros(wish.limit.value());
        Optional<Long> fence;
        try {
            fence = line.changesWithWord(
                    statements.take, attempt, holder, limit, wish.key(), attempt, wish.key(), attempt);
        } catch (SQLException e) {
            throw exhaustedOr(e, wish.name);
        }
        if (fence.isPresent()) {
            line.commit();
        }
        // Counted from before the statement was sent, the whole limit is within what the row says (G3).
        return fence.map(granted -> new Acquired(wish.lease(new Fence(granted)), wish.limit.value()));
    }

    private static SQLException exhaustedOr(SQLException e, LeaseName name) {
        if (MysqlErrors.isExhausted(e)) {
            throw LeaseStore.fenceExhausted(name);
        }
        return e;
    }

    /** As for an app: a transaction of its own, and over at once when the row was there. */
    private void create(Line line, Wish wish) throws SQLException {
        try {
            line.change(statements.create, (Object) wish.key());
            line.commit();
        } catch (SQLException e) {
            if (!MysqlErrors.isDuplicate(e)) {
                throw e;
            }
            line.rollBack();
        }
    }

    /** The same attempt again: a renewal (G5). Empty if it had no word, or was lost in between. */
    private Optional<LeaseOutcome> repeat(Line line, Lease lease) throws SQLException {
        return renewals.renew(line, lease)
                .flatMap(renewal -> renewal.fold(
                        held -> Optional.of(new Acquired(lease, held.remaining())), lost -> Optional.empty()));
    }

    /**
     * Why a lease could not be taken, by one read.
     *
     * @param isKnown whether the name has a row
     * @param isMine whether this attempt was the last to take it
     * @param incumbent who holds it
     * @param inTheWay who holds it, or was the last to, if it may not be taken yet
     */
    private record Truth(boolean isKnown, boolean isMine, Optional<Incumbent> incumbent, Optional<Incumbent> inTheWay) {
        static Truth of(ResultSet row) throws SQLException {
            row.next();
            return new Truth(
                    row.getBoolean("known"),
                    row.getBoolean("mine"),
                    MysqlRows.incumbent(row),
                    MysqlRows.remaining(row).isZero() ? Optional.empty() : Optional.of(MysqlRows.holder(row)));
        }
    }

    @Override
    public Map<Lease, Renewal> renew(Collection<Lease> holds) {
        return renewals.renew(holds);
    }

    @Override
    public Release release(Lease lease, Duration minimum) {
        long micros = MysqlRows.micros(LeaseStore.checkedMinimum(minimum));
        return work.call(line -> release(line, lease, micros));
    }

    private Optional<Release> release(Line line, Lease lease, long minimum) throws SQLException {
        byte[] name = bytes(lease.name().value());
        byte[] attempt = bytes(lease.attempt());
        long fence = lease.fence().value();
        if (line.changes(statements.release, minimum, minimum, name, attempt, fence)) {
            line.commit();
            return Optional.of(new Release.Released());
        }
        // The row that it looked at stays locked otherwise, and is the winner's now (G2).
        line.rollBack();
        return line.ask(statements.ending, MysqlLeases::releasedOrLost, name, attempt, fence);
    }

    private static Optional<Release> releasedOrLost(ResultSet row) throws SQLException {
        row.next();
        Optional<Incumbent> incumbent = MysqlRows.incumbent(row);
        if (!row.getBoolean("mine")) {
            return Optional.of(new Release.Lost(incumbent));
        }
        // If it is held, it was made so by hand in this very moment.
        return incumbent.isPresent() ? Optional.empty() : Optional.of(new Release.Released());
    }

    @Override
    public Optional<Incumbent> find(LeaseName name) {
        return work.ask(statements.holder, rows -> rows.next() ? MysqlRows.incumbent(rows) : Optional.empty(), (Object)
                bytes(name.value()));
    }

    @Override
    public Eviction evict(LeaseName name, Fence seen, Succession succession) {
        return work.call(line -> evict(line, name, seen, succession == Succession.AT_ONCE));
    }

    private Optional<Eviction> evict(Line line, LeaseName name, Fence seen, boolean isAtOnce) throws SQLException {
        byte[] key = bytes(name.value());
        boolean isEvicted;
        try {
            isEvicted = line.changes(statements.evict, isAtOnce, key, seen.value());
        } catch (SQLException e) {
            throw exhaustedOr(e, name);
        }
        if (isEvicted) {
            Eviction evicted = line.ask(statements.evicted, MysqlRows::evicted, (Object) key);
            line.commit();
            return Optional.of(evicted);
        }
        // As for a release (G2).
        line.rollBack();
        return line.ask(statements.holder, rows -> MysqlRows.moved(rows, seen), (Object) key);
    }
}
