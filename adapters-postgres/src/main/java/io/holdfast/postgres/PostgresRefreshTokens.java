package io.holdfast.postgres;

import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.refresh.RotateOutcome;
import io.holdfast.refresh.RotateOutcome.Refused;
import io.holdfast.refresh.RotateOutcome.Replayed;
import io.holdfast.refresh.RotateOutcome.Reused;
import io.holdfast.refresh.RotateOutcome.Rotated;
import io.holdfast.refresh.RotateOutcome.Why;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** Families of refresh tokens: each rotation and each revocation is decided by one statement. */
final class PostgresRefreshTokens implements RefreshTokenStore {
    private final PostgresCalls work;
    private final PostgresRefreshStatements statements;

    PostgresRefreshTokens(PostgresCalls work, PostgresRefreshStatements statements) {
        this.work = work;
        this.statements = statements;
    }

    @Override
    public void open(FamilyId family, FamilyTerms terms) {
        work.ask(
                statements.open,
                rows -> true,
                family.value(),
                PostgresRows.micros(terms.tokenValid()),
                PostgresRows.micros(terms.grace()),
                PostgresRows.micros(terms.familyValid()));
    }

    @Override
    public RotateOutcome<Generation> rotate(Generation presented) {
        Generation successor = presented.next();
        Object[] asked = {presented.family().value(), presented.number()};
        return work.call(line -> {
            Optional<RotateOutcome<Generation>> changed =
                    line.ask(statements.rotate, rows -> changed(rows, successor), asked);
            return changed.isPresent()
                    ? changed
                    : line.ask(statements.verdict, rows -> verdict(rows, successor), asked);
        });
    }

    private static Optional<RotateOutcome<Generation>> changed(ResultSet rows, Generation successor)
            throws SQLException {
        if (!rows.next()) {
            return Optional.empty();
        }
        return Optional.of(rows.getBoolean("reused") ? new Reused<>(successor.family()) : new Rotated<>(successor));
    }

    /** Empty if the row has changed since: now it would be rotated, or revoked. */
    private static Optional<RotateOutcome<Generation>> verdict(ResultSet rows, Generation successor)
            throws SQLException {
        String verdict = rows.next() ? rows.getString("verdict") : Why.UNKNOWN.name();
        return switch (verdict) {
            case "rotated", "reused" -> Optional.empty();
            case "replayed" -> Optional.of(new Replayed<>(successor));
            default -> Optional.of(new Refused<>(Why.valueOf(verdict)));
        };
    }

    @Override
    public void revoke(FamilyId family) {
        work.ask(statements.revoke, rows -> true, family.value());
    }

    @Override
    public int forget(Duration keep, int atMost) {
        return work.ask(
                statements.forget,
                rows -> rows.next() ? rows.getInt(1) : 0,
                PostgresRows.micros(RefreshTokenStore.kept(keep, atMost)),
                (long) atMost);
    }
}
