package io.holdfast.postgres;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Save tokens, decided by one statement each. */
final class PostgresSaveTokens implements SaveTokenStore {
    private final PostgresCalls work;
    private final PostgresCalls beats;
    private final PostgresSaveStatements statements;

    PostgresSaveTokens(PostgresCalls work, PostgresCalls beats, PostgresSaveStatements statements) {
        this.work = work;
        this.beats = beats;
        this.statements = statements;
    }

    @Override
    public void issue(TokenDigest token, Duration validFor, IfInDoubt ifInDoubt) {
        work.ask(
                statements.issue,
                ResultSet::next,
                token.bytes(),
                ifInDoubt == IfInDoubt.REFUSE,
                PostgresRows.micros(SaveTokenStore.validity(validFor)));
    }

    @Override
    public ReserveOutcome reserve(ReserveRequest request) {
        return work.call(line -> {
            Optional<ReserveOutcome> taken = take(line, request);
            return taken.isPresent()
                    ? taken
                    : line.ask(
                            statements.truth,
                            rows -> truth(rows, request),
                            request.token().bytes(),
                            request.attempt().value(),
                            request.payload().bytes());
        });
    }

    private Optional<ReserveOutcome> take(PostgresCalls.Line line, ReserveRequest request) throws SQLException {
        try {
            return line.ask(
                    statements.reserve,
                    rows -> rows.next()
                            ? Optional.of(reserved(rows, request, "fence", "taken_over"))
                            : Optional.empty(),
                    request.token().bytes(),
                    request.attempt().value(),
                    request.payload().bytes(),
                    request.holder().label(),
                    PostgresRows.micros(request.limit().value()));
        } catch (SQLException e) {
            if (PostgresErrors.isExhausted(e)) {
                throw SaveTokenStore.fenceExhausted(request.token());
            }
            throw e;
        }
    }

    private static Reserved reserved(ResultSet row, ReserveRequest request, String fence, String takenOver)
            throws SQLException {
        return new Reserved(
                new Reservation(request.token(), request.attempt(), new Fence(row.getLong(fence))),
                PostgresRows.duration(row, "remaining"),
                PostgresRows.attempt(row, takenOver));
    }

    /** Why it was not taken, in the order of S4; empty if what stood in the way is gone. */
    private static Optional<ReserveOutcome> truth(ResultSet row, ReserveRequest request) throws SQLException {
        row.next();
        if (row.getObject("remaining") != null) {
            return Optional.of(reserved(row, request, "re_fence", "re_taken_over"));
        }
        if (!row.getBoolean("known")) {
            return Optional.of(new Refusal.Unknown());
        }
        if (row.getBoolean("other")) {
            return Optional.of(new Refusal.OtherPayload());
        }
        byte[] result = row.getBytes("result");
        if (result != null) {
            return Optional.of(new Refusal.Completed(SaveResult.of(result)));
        }
        if (row.getBoolean("mine")) {
            // It has it by the snapshot, and yet was not renewed: it was ended or taken over in this very moment.
            return row.getBoolean("held") ? Optional.empty() : Optional.of(new Over());
        }
        boolean expired = row.getBoolean("expired");
        Optional<Incumbent> last = PostgresRows.incumbent(row);
        if (last.isPresent()) {
            if (!row.getBoolean("takeable")) {
                return Optional.of(new Refusal.InProgress(last.get()));
            }
            return expired || row.getBoolean("refuse")
                    ? Optional.of(new Refusal.InDoubt(last.get()))
                    : Optional.empty();
        }
        return expired ? Optional.of(new Refusal.Expired()) : Optional.empty();
    }

    @Override
    public Map<Reservation, Renewal> renew(Collection<Reservation> holds) {
        List<Reservation> reservations = List.copyOf(holds);
        if (reservations.isEmpty()) {
            return Map.of();
        }
        return beats.ask(
                statements.renew,
                PostgresSaveTokens::renewals,
                reservations.stream().map(hold -> hold.token().bytes()).toArray(byte[][]::new),
                reservations.stream().map(hold -> hold.attempt().value()).toArray(UUID[]::new),
                reservations.stream().map(hold -> hold.fence().value()).toArray(Long[]::new));
    }

    private static Map<Reservation, Renewal> renewals(ResultSet rows) throws SQLException {
        Map<Reservation, Renewal> renewals = new HashMap<>();
        while (rows.next()) {
            Reservation hold = new Reservation(
                    TokenDigest.ofSha256(rows.getBytes("token")),
                    new AttemptId(rows.getObject("attempt", UUID.class)),
                    new Fence(rows.getLong("fence")));
            Optional<Renewal> renewal = PostgresRows.renewal(rows, hold);
            renewal.ifPresent(said -> renewals.put(hold, said));
        }
        return renewals;
    }

    @Override
    public EndOutcome end(Reservation reservation, Ending ending) {
        return end(reservation.token(), reservation.attempt().value(), reservation.fence(), ending);
    }

    @Override
    public EndOutcome settle(TokenDigest token, Fence seen, Ending ending) {
        return end(token, null, seen, ending);
    }

    /** Without an attempt it is an operator's word, and counts if there is a doubt. */
    private EndOutcome end(TokenDigest token, @Nullable UUID attempt, Fence fence, Ending ending) {
        byte[] digest = token.bytes();
        byte @Nullable [] result = ending.fold(SaveResult::bytes, notSaved -> null);
        return work.call(line -> {
            boolean ended = line.ask(statements.end, ResultSet::next, digest, attempt, fence.value(), result);
            return ended
                    ? Optional.of(ending)
                    : line.ask(statements.standing, PostgresSaveTokens::endedOrLost, digest, attempt, fence.value());
        });
    }

    /** Empty if a doubt has come up since it was found that there was none: it is still to be settled. */
    private static Optional<EndOutcome> endedOrLost(ResultSet row) throws SQLException {
        row.next();
        if (row.getBoolean("in_doubt")) {
            return Optional.empty();
        }
        if (!row.getBoolean("ended")) {
            return Optional.of(new Lost(PostgresRows.incumbent(row)));
        }
        byte[] result = row.getBytes("result");
        return Optional.of(result == null ? new Ending.NotSaved() : SaveResult.of(result));
    }

    @Override
    public int forget(Duration keep, int atMost) {
        SaveTokenStore.clearing(keep, atMost);
        return work.ask(
                statements.forget,
                rows -> {
                    rows.next();
                    return rows.getInt(1);
                },
                PostgresRows.micros(keep),
                (long) atMost);
    }
}
