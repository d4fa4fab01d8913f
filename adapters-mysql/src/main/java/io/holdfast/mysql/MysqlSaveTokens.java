package io.holdfast.mysql;

import static io.holdfast.mysql.MysqlRows.bytes;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.mysql.MysqlCalls.Line;
import io.holdfast.save.Ending;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveOutcome.Over;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveTokenStore;
import io.holdfast.save.TokenDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides who saves: a conditional UPDATE takes, and what it found is told in the same call. */
final class MysqlSaveTokens implements SaveTokenStore {
    private final MysqlCalls work;
    private final MysqlRenewals<Reservation> renewals;
    private final MysqlSaveStatements statements;

    MysqlSaveTokens(MysqlCalls work, MysqlCalls beats, MysqlSaveStatements statements) {
        this.work = work;
        this.renewals = new MysqlRenewals<>(
                beats,
                statements.renew,
                statements.renewed,
                hold -> hold.token().bytes());
        this.statements = statements;
    }

    @Override
    public void issue(TokenDigest token, Duration validFor, IfInDoubt ifInDoubt) {
        long micros = MysqlRows.micros(SaveTokenStore.validity(validFor));
        work.call(line -> {
            try {
                line.change(statements.issue, token.bytes(), ifInDoubt == IfInDoubt.REFUSE, micros);
                line.commit();
            } catch (SQLException e) {
                if (!MysqlErrors.isDuplicate(e)) {
                    throw e;
                }
                // Who runs into a duplicate holds a shared lock on it.
                line.rollBack();
            }
            return Optional.of(true);
        });
    }

    @Override
    public ReserveOutcome reserve(ReserveRequest wish) {
        return work.call(line -> decide(line, wish));
    }

    private Optional<ReserveOutcome> decide(Line line, ReserveRequest wish) throws SQLException {
        Optional<ReserveOutcome> taken = take(line, wish);
        if (taken.isPresent()) {
            return taken;
        }
        Truth truth = line.ask(
                statements.truth,
                Truth::of,
                wish.token().bytes(),
                bytes(wish.attempt()),
                wish.payload().bytes());
        return truth.isHeldByAsker() ? repeat(line, wish, truth) : truth.refusal();
    }

    private Optional<ReserveOutcome> take(Line line, ReserveRequest wish) throws SQLException {
        byte[] token = wish.token().bytes();
        byte[] attempt = bytes(wish.attempt());
        byte[] payload = wish.payload().bytes();
        byte[] holder = bytes(wish.holder().label());
        long limit = MysqlRows.micros(wish.limit().value());
        Optional<Long> word;
        try {
            word = line.changesWithWord(
                    statements.reserve,
                    attempt,
                    holder,
                    limit,
                    payload,
                    token,
                    attempt,
                    payload,
                    token,
                    attempt,
                    payload);
        } catch (SQLException e) {
            if (MysqlErrors.isExhausted(e)) {
                throw SaveTokenStore.fenceExhausted(wish.token());
            }
            throw e;
        }
        if (word.isEmpty()) {
            return Optional.empty();
        }
        Fence fence = new Fence(word.get() >>> 1);
        boolean isDoubtful = (word.get() & 1) == 1;
        Optional<AttemptId> takenOver = isDoubtful
                ? line.ask(statements.takenOver, MysqlSaveTokens::takenOver, (Object) token)
                : Optional.empty();
        line.commit();
        // Counted from before the statement was sent, the whole limit is within what the row says (G3).
        return Optional.of(new Reserved(
                new Reservation(wish.token(), wish.attempt(), fence),
                wish.limit().value(),
                takenOver));
    }

    private static Optional<AttemptId> takenOver(ResultSet row) throws SQLException {
        row.next();
        return MysqlRows.attempt(row, "taken_over");
    }

    /** The same attempt again: a renewal (G5). Empty if it had no word, or was lost in between. */
    private Optional<ReserveOutcome> repeat(Line line, ReserveRequest wish, Truth truth) throws SQLException {
        Reservation hold = new Reservation(
                wish.token(), wish.attempt(), truth.last().orElseThrow().fence());
        return renewals.renew(line, hold)
                .flatMap(renewal -> renewal.fold(
                        held -> Optional.of(new Reserved(hold, held.remaining(), truth.takenOver())),
                        lost -> Optional.empty()));
    }

    /**
     * Why a token could not be taken, by one read.
     *
     * @param isOther whether it is, or was, for another payload
     * @param isMine whether this attempt was the last to take it
     * @param takenOver whom the last one took over
     * @param isHeld whether somebody has it
     * @param last who has it; or had it last, if somebody was taken over who may have written
     * @param isSilent whether its holder may be taken over, as far as the time goes
     * @param isRefused whether nobody may take it from a silent holder
     */
    private record Truth(
            boolean isKnown,
            boolean isOther,
            Optional<SaveResult> result,
            boolean isMine,
            Optional<AttemptId> takenOver,
            boolean isHeld,
            Optional<Incumbent> last,
            boolean isSilent,
            boolean isRefused,
            boolean isExpired) {
        static Truth of(ResultSet row) throws SQLException {
            row.next();
            return new Truth(
                    row.getBoolean("known"),
                    row.getBoolean("other"),
                    Optional.ofNullable(row.getBytes("result")).map(SaveResult::of),
                    row.getBoolean("mine"),
                    MysqlRows.attempt(row, "taken_over"),
                    row.getBoolean("held"),
                    MysqlRows.incumbent(row),
                    MysqlRows.remaining(row).isZero(),
                    row.getBoolean("refuse"),
                    row.getBoolean("expired"));
        }

        boolean isHeldByAsker() {
            return isHeld && isMine && !isOther;
        }

        /** The reasons in their order (S4); empty if there is none any more. */
        Optional<ReserveOutcome> refusal() {
            if (!isKnown) {
                return Optional.of(new Refusal.Unknown());
            }
            if (isOther) {
                return Optional.of(new Refusal.OtherPayload());
            }
            if (result.isPresent()) {
                return Optional.of(new Refusal.Completed(result.get()));
            }
            if (isMine) {
                return Optional.of(new Over());
            }
            if (last.isPresent()) {
                if (!isSilent) {
                    return Optional.of(new Refusal.InProgress(last.get()));
                }
                return isExpired || isRefused ? Optional.of(new Refusal.InDoubt(last.get())) : Optional.empty();
            }
            return isExpired ? Optional.of(new Refusal.Expired()) : Optional.empty();
        }
    }

    @Override
    public Map<Reservation, Renewal> renew(Collection<Reservation> holds) {
        return renewals.renew(holds);
    }

    @Override
    public EndOutcome end(Reservation reservation, Ending ending) {
        byte[] attempt = bytes(reservation.attempt());
        return work.call(line -> end(line, reservation.token().bytes(), attempt, reservation.fence(), ending));
    }

    @Override
    public EndOutcome settle(TokenDigest token, Fence seen, Ending ending) {
        return work.call(line -> end(line, token.bytes(), null, seen, ending));
    }

    /** Without an attempt it is an operator's word, and counts if there is a doubt. */
    private Optional<EndOutcome> end(Line line, byte[] token, byte @Nullable [] attempt, Fence fence, Ending ending)
            throws SQLException {
        byte @Nullable [] result = ending.fold(SaveResult::bytes, notSaved -> null);
        boolean isSaved = result != null;
        boolean isOperators = attempt == null;
        if (line.changes(
                statements.end,
                isSaved,
                isSaved || !isOperators,
                isSaved,
                result,
                token,
                fence.value(),
                attempt,
                isOperators)) {
            line.commit();
            return Optional.of(ending);
        }
        // The row that it looked at stays locked otherwise, and is the winner's now (G2).
        line.rollBack();
        return line.ask(statements.standing, MysqlSaveTokens::endedOrLost, token, attempt, fence.value());
    }

    /** Empty if a doubt has come up since it was found that there was none: it is still to be settled. */
    private static Optional<EndOutcome> endedOrLost(ResultSet row) throws SQLException {
        row.next();
        if (row.getBoolean("in_doubt")) {
            return Optional.empty();
        }
        if (!row.getBoolean("ended")) {
            return Optional.of(new Lost(MysqlRows.incumbent(row)));
        }
        byte[] result = row.getBytes("result");
        return Optional.of(result == null ? new Ending.NotSaved() : SaveResult.of(result));
    }

    @Override
    public int forget(Duration keep, int atMost) {
        SaveTokenStore.clearing(keep, atMost);
        long micros = MysqlRows.micros(keep);
        return work.call(line -> {
            int forgotten = line.changed(statements.forget, micros, (long) atMost);
            line.commit();
            return Optional.of(forgotten);
        });
    }
}
