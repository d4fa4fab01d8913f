package io.holdfast.mysql;

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
import java.util.Arrays;
import java.util.Optional;

/** Families of refresh tokens: each rotation and each revocation is decided by one statement. */
final class MysqlRefreshTokens implements RefreshTokenStore {
    private final MysqlCalls work;
    private final MysqlRefreshStatements statements;

    MysqlRefreshTokens(MysqlCalls work, MysqlRefreshStatements statements) {
        this.work = work;
        this.statements = statements;
    }

    @Override
    public void open(FamilyId family, FamilyTerms terms) {
        work.call(line -> {
            try {
                line.change(
                        statements.open,
                        MysqlRows.bytes(family.value()),
                        MysqlRows.micros(terms.tokenValid()),
                        MysqlRows.micros(terms.grace()),
                        MysqlRows.micros(terms.familyValid()));
                line.commit();
            } catch (SQLException e) {
                if (!MysqlErrors.isDuplicate(e)) {
                    throw e;
                }
            }
            return Optional.of(family);
        });
    }

    @Override
    public RotateOutcome<Generation> rotate(Generation presented) {
        Generation successor = presented.next();
        return work.call(line -> {
            Optional<Long> changed = line.changesWithWord(statements.rotate, asked(statements.rotate, 2, presented));
            if (changed.isEmpty()) {
                // Who had to wait for another tab has the row locked, and must not keep others waiting while it reads
                // (G2).
                line.rollBack();
                return line.ask(
                        statements.verdict, rows -> verdict(rows, successor), asked(statements.verdict, 1, presented));
            }
            line.commit();
            return Optional.of(
                    changed.get() == MysqlRefreshStatements.ROTATED
                            ? new Rotated<>(successor)
                            : new Reused<>(presented.family()));
        });
    }

    /** The values of a statement that ends with {@code families} times the family. */
    private static Object[] asked(String statement, int families, Generation presented) {
        Object[] values =
                new Object[(int) statement.chars().filter(c -> c == '?').count()];
        Arrays.fill(values, presented.number());
        Arrays.fill(
                values,
                values.length - families,
                values.length,
                MysqlRows.bytes(presented.family().value()));
        return values;
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
        work.call(line -> {
            line.change(statements.revoke, (Object) MysqlRows.bytes(family.value()));
            line.commit();
            return Optional.of(family);
        });
    }

    @Override
    public int forget(Duration keep, int atMost) {
        long kept = MysqlRows.micros(RefreshTokenStore.kept(keep, atMost));
        return work.call(line -> {
            int forgotten = line.changed(statements.forget, kept, (long) atMost);
            line.commit();
            return Optional.of(forgotten);
        });
    }
}
