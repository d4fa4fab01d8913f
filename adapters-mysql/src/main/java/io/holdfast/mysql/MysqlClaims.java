package io.holdfast.mysql;

import static io.holdfast.mysql.MysqlRows.bytes;

import io.holdfast.AttemptId;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.Succession;
import io.holdfast.mysql.MysqlCalls.Line;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Deployments;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal;
import io.holdfast.publish.RequestKey;
import io.holdfast.publish.Slug;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides who publishes: a conditional UPDATE takes, and what it found is told in the same transaction. */
final class MysqlClaims implements ClaimStore {
    private final MysqlCalls work;
    private final MysqlRenewals<Claim> renewals;
    private final MysqlStatements statements;

    MysqlClaims(MysqlCalls work, MysqlCalls beats, MysqlStatements statements) {
        this.work = work;
        this.renewals = new MysqlRenewals<>(beats, statements.renew, statements.renewed, MysqlClaims::key);
        this.statements = statements;
    }

    private static byte[] key(Claim claim) {
        return bytes(claim.app().value());
    }

    @Override
    public ClaimOutcome claim(ClaimRequest wish) {
        return work.call(line -> decide(line, wish));
    }

    private Optional<ClaimOutcome> decide(Line line, ClaimRequest wish) throws SQLException {
        byte[] app = bytes(wish.app().value());
        Optional<ClaimOutcome> taken = take(line, wish);
        if (taken.isPresent()) {
            line.change(statements.forget, app, app);
            line.commit();
            return taken;
        }
        // Who had to wait for the winner has the row locked, and must not keep others waiting while it reads (G2).
        line.rollBack();
        Truth truth = line.ask(
                statements.truth,
                Truth::of,
                bytes(wish.attempt()),
                app,
                bytes(wish.slug().value()),
                requestKey(wish));
        if (truth.isHeldBy(wish)) {
            Fence fence = truth.incumbent().orElseThrow().fence();
            return repeat(line, new Claim(wish.app(), wish.attempt(), fence), truth.takenOverFrom());
        }
        Optional<ClaimOutcome> refusal = truth.refusal(wish);
        return refusal.isPresent() || truth.isKnown() ? refusal : takeNew(line, wish);
    }

    /** There is nothing to forget yet. */
    private Optional<ClaimOutcome> takeNew(Line line, ClaimRequest wish) throws SQLException {
        create(line, wish.app());
        Optional<ClaimOutcome> taken = take(line, wish);
        if (taken.isPresent()) {
            line.commit();
        }
        return taken;
    }

    /** Takes the app and records its deployment; not yet committed. */
    private Optional<ClaimOutcome> take(Line line, ClaimRequest wish) throws SQLException {
        Optional<Long> word = takeRow(line, wish);
        if (word.isEmpty()) {
            return Optional.empty();
        }
        Fence fence = new Fence(word.get() >>> 1);
        boolean wasBuilding = (word.get() & 1) == 1;
        Optional<AttemptId> takenOver = wasBuilding ? Optional.of(abandon(line, wish)) : Optional.empty();
        line.change(statements.record, requestKey(wish), bytes(wish.app().value()));
        // Counted from before the statement was sent, the whole limit is within what the row says (G3).
        return Optional.of(new Claimed(
                new Claim(wish.app(), wish.attempt(), fence), wish.limit().value(), takenOver));
    }

    private Optional<Long> takeRow(Line line, ClaimRequest wish) throws SQLException {
        byte[] app = bytes(wish.app().value());
        byte[] attempt = bytes(wish.attempt());
        byte[] slug = bytes(wish.slug().value());
        byte[] holder = bytes(wish.holder().label());
        long limit = MysqlRows.micros(wish.limit().value());
        @Nullable
        Object[] values = {attempt, holder, limit, slug, app, slug, app, slug, attempt, app, requestKey(wish), slug, app
        };
        try {
            return line.changesWithWord(statements.take, values);
        } catch (SQLException e) {
            if (MysqlErrors.isExhausted(e)) {
                throw ClaimStore.fenceExhausted(wish.app());
            }
            throw e;
        }
    }

    private AttemptId abandon(Line line, ClaimRequest wish) throws SQLException {
        AttemptId old = line.ask(
                statements.takenOver,
                rows -> {
                    rows.next();
                    return MysqlRows.attempt(rows, "taken_over").orElseThrow();
                },
                (Object) bytes(wish.app().value()));
        line.change(statements.abandon, bytes(wish.attempt()), bytes(old));
        return old;
    }

    /**
     * A transaction of its own, and over at once when the row was there: who runs into a duplicate holds a shared lock on it,
     * and two of these wait for each other as soon as both want to take.
     */
    private void create(Line line, AppId app) throws SQLException {
        try {
            line.change(statements.create, (Object) bytes(app.value()));
            line.commit();
        } catch (SQLException e) {
            if (!MysqlErrors.isDuplicate(e)) {
                throw e;
            }
            line.rollBack();
        }
    }

    /** The same attempt again: a renewal (G5). Empty if it had no word, or was lost in between. */
    private Optional<ClaimOutcome> repeat(Line line, Claim claim, Optional<AttemptId> takenOver) throws SQLException {
        return renewals.renew(line, claim)
                .flatMap(renewal -> renewal.fold(
                        held -> Optional.of(new Claimed(claim, held.remaining(), takenOver)),
                        lost -> Optional.empty()));
    }

    private static byte @Nullable [] requestKey(ClaimRequest wish) {
        return wish.requestKey().map(RequestKey::value).map(MysqlRows::bytes).orElse(null);
    }

    /**
     * Why an app could not be taken, by one read.
     *
     * @param isKnown whether the app has a row
     * @param deployment what this attempt became, else what this request key became
     * @param isMine whether it is by the attempt that it was found
     * @param incumbent who holds the app
     * @param inTheWay who holds it, or was the last to, if it may not be taken yet
     * @param fixed the slug that the app is live under, if another one was asked for
     */
    private record Truth(
            boolean isKnown,
            Optional<Deployment> deployment,
            boolean isMine,
            Optional<Incumbent> incumbent,
            Optional<Incumbent> inTheWay,
            Optional<Slug> fixed,
            boolean isSlugTaken) {
        static Truth of(ResultSet row) throws SQLException {
            row.next();
            return new Truth(
                    row.getBoolean("known"),
                    row.getBytes("id") == null ? Optional.empty() : Optional.of(MysqlRows.deployment(row)),
                    row.getBoolean("mine"),
                    MysqlRows.incumbent(row),
                    MysqlRows.remaining(row).isZero() ? Optional.empty() : Optional.of(MysqlRows.holder(row)),
                    MysqlRows.text(row, "fixed").map(Slug::new),
                    row.getBoolean("slug_taken"));
        }

        boolean isHeldBy(ClaimRequest wish) {
            return incumbent.filter(now -> now.attempt().equals(wish.attempt())).isPresent();
        }

        /** Whom this attempt took over; empty also if its deployment was deleted by hand. */
        Optional<AttemptId> takenOverFrom() {
            return deployment.filter(known -> isMine).flatMap(Deployment::takenOverFrom);
        }

        /** The reasons in their order (C12); empty if there is none any more. */
        Optional<ClaimOutcome> refusal(ClaimRequest wish) {
            if (deployment.isPresent()) {
                return Optional.of(refusal(wish, deployment.get()));
            }
            if (inTheWay.isPresent()) {
                return Optional.of(new Refusal.InProgress(inTheWay.get()));
            }
            if (fixed.isPresent()) {
                return Optional.of(new Refusal.SlugFixed(fixed.get()));
            }
            return isSlugTaken ? Optional.of(new Refusal.SlugTaken(wish.slug())) : Optional.empty();
        }

        private Refusal refusal(ClaimRequest wish, Deployment known) {
            if (isMine && !known.app().equals(wish.app())) {
                throw ClaimStore.ofAnotherApp(wish.attempt());
            }
            return isMine || known.slug().equals(wish.slug())
                    ? new Refusal.AlreadyRun(known)
                    : new Refusal.OtherRequest(known);
        }
    }

    @Override
    public Map<Claim, Renewal> renew(Collection<Claim> holds) {
        return renewals.renew(holds);
    }

    @Override
    public FinishOutcome finish(Claim claim, Ending ending) {
        return work.call(line -> Optional.of(finish(line, claim, ending)));
    }

    private FinishOutcome finish(Line line, Claim claim, Ending ending) throws SQLException {
        byte[] app = bytes(claim.app().value());
        byte[] attempt = bytes(claim.attempt());
        long fence = claim.fence().value();
        boolean isLive = ending instanceof Ending.Live;
        boolean isNotStarted = ending instanceof Ending.NotStarted;
        byte[] detail = bytes(MysqlRows.detail(ending));
        if (line.changes(
                statements.finish, isLive, isNotStarted, MysqlRows.state(ending), detail, app, attempt, fence)) {
            line.commit();
            return new FinishOutcome.Ended(ending);
        }
        // The row that it looked at stays locked otherwise, and is the winner's now (G2).
        line.rollBack();
        return line.ask(statements.ending, MysqlClaims::endedOrLost, app, attempt, fence);
    }

    private static FinishOutcome endedOrLost(ResultSet row) throws SQLException {
        row.next();
        Optional<Ending> first = MysqlRows.ending(row);
        return first.isPresent()
                ? new FinishOutcome.Ended(first.get())
                : new FinishOutcome.Lost(MysqlRows.incumbent(row));
    }

    @Override
    public Eviction evict(AppId app, Fence seen, Succession succession) {
        return work.call(line -> evict(line, app, seen, succession == Succession.AT_ONCE));
    }

    private Optional<Eviction> evict(Line line, AppId app, Fence seen, boolean isAtOnce) throws SQLException {
        byte[] key = bytes(app.value());
        if (takeAway(line, app, seen, isAtOnce)) {
            Eviction evicted = line.ask(statements.evicted, MysqlRows::evicted, (Object) key);
            line.commit();
            return Optional.of(evicted);
        }
        // As for a finish (G2).
        line.rollBack();
        return line.ask(statements.holder, rows -> MysqlRows.moved(rows, seen), (Object) key);
    }

    private boolean takeAway(Line line, AppId app, Fence seen, boolean isAtOnce) throws SQLException {
        try {
            return line.changes(statements.evict, isAtOnce, bytes(app.value()), seen.value());
        } catch (SQLException e) {
            if (MysqlErrors.isExhausted(e)) {
                throw ClaimStore.fenceExhausted(app);
            }
            throw e;
        }
    }

    @Override
    public List<Claim> endSilent(int atMost, Duration inContact) {
        long longest = MysqlRows.micros(ClaimStore.longestLimit(inContact));
        int most = Math.min(MysqlStatements.BATCH, Deployments.atLeastOne(atMost));
        return work.call(line -> Optional.of(endSilent(line, most, longest)));
    }

    private List<Claim> endSilent(Line line, int atMost, long longest) throws SQLException {
        List<Claim> dead = line.ask(statements.silent, MysqlRows::claims, longest, (long) atMost, longest);
        if (!dead.isEmpty()) {
            line.change(statements.endSilent, MysqlRows.json(dead, MysqlClaims::key));
        }
        line.commit();
        return dead;
    }
}
