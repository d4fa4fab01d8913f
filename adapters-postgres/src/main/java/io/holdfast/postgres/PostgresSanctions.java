package io.holdfast.postgres;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.LiftOutcome;
import io.holdfast.sanction.ReplaceOutcome;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.sanction.Terms;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sanctions, decided by one statement each. */
final class PostgresSanctions implements SanctionStore {
    private final PostgresCalls calls;
    private final PostgresSanctionStatements statements;

    PostgresSanctions(PostgresCalls calls, PostgresSanctionStatements statements) {
        this.calls = calls;
        this.statements = statements;
    }

    @Override
    public ImposeOutcome impose(AttemptId id, Terms terms) {
        Account account = terms.account();
        return calls.call(line -> {
            Optional<Sanction> imposed = line.ask(
                    statements.impose,
                    PostgresSanctions::ifAny,
                    id.value(),
                    account.value(),
                    terms.reason(),
                    terms.by().label(),
                    lasting(terms));
            return imposed.isPresent()
                    ? imposed.map(ImposeOutcome.Imposed::new)
                    : truth(line, id, account).imposing(id, account);
        });
    }

    @Override
    public ReplaceOutcome replace(AttemptId seen, AttemptId id, Terms terms) {
        Account account = terms.account();
        return calls.call(line -> {
            Optional<Sanction> imposed = line.ask(
                    statements.replace,
                    PostgresSanctions::ifAny,
                    seen.value(),
                    id.value(),
                    account.value(),
                    terms.reason(),
                    terms.by().label(),
                    lasting(terms));
            return imposed.isPresent()
                    ? imposed.map(ImposeOutcome.Imposed::new)
                    : truth(line, id, account).replacing(seen, id, account);
        });
    }

    @Override
    public LiftOutcome lift(Account account, AttemptId seen, Holder by) {
        return calls.call(line -> {
            Optional<Sanction> lifted =
                    line.ask(statements.lift, PostgresSanctions::ifAny, by.label(), seen.value(), account.value());
            return lifted.isPresent()
                    ? lifted.map(ImposeOutcome.Over::new)
                    : truth(line, seen, account).lifting(account);
        });
    }

    @Override
    public Optional<Sanction> active(Account account) {
        return calls.ask(statements.active, PostgresSanctions::ifAny, account.value())
                .filter(PostgresSanctions::isActive);
    }

    @Override
    public List<Sanction> history(Account account, int atMost) {
        return calls.ask(
                statements.history,
                rows -> {
                    List<Sanction> history = new ArrayList<>();
                    while (rows.next()) {
                        history.add(sanction(rows));
                    }
                    return history;
                },
                account.value(),
                SanctionStore.atLeastOne(atMost));
    }

    private Truth truth(PostgresCalls.Line line, AttemptId id, Account account) throws SQLException {
        return line.ask(statements.truth, Truth::of, id.value(), account.value());
    }

    /**
     * Why nothing was written. Each answer is empty if there is no reason any more: what was in the way has gone meanwhile, or
     * was not there yet.
     *
     * @param own what has the id that was asked about
     * @param active what the account has, if its time is not over
     */
    private record Truth(Optional<Sanction> own, Optional<Sanction> active) {
        static Truth of(ResultSet rows) throws SQLException {
            Optional<Sanction> own = Optional.empty();
            Optional<Sanction> active = Optional.empty();
            while (rows.next()) {
                Optional<Sanction> sanction = Optional.of(sanction(rows));
                if (rows.getBoolean("own")) {
                    own = sanction;
                } else {
                    active = sanction.filter(PostgresSanctions::isActive);
                }
            }
            return new Truth(own, active);
        }

        Optional<ImposeOutcome> imposing(AttemptId id, Account account) {
            return own.isPresent() ? Optional.of(repeated(id, account)) : active.map(ImposeOutcome.Another::new);
        }

        Optional<ReplaceOutcome> replacing(AttemptId seen, AttemptId id, Account account) {
            if (own.isPresent()) {
                return Optional.of(repeated(id, account).fold(imposed -> imposed, another -> another, over -> over));
            }
            if (active.isEmpty()) {
                return Optional.of(new ReplaceOutcome.NoneActive());
            }
            return active.filter(standing -> !standing.id().equals(seen)).map(ImposeOutcome.Another::new);
        }

        Optional<LiftOutcome> lifting(Account account) {
            Optional<Sanction> seen =
                    own.filter(known -> known.terms().account().equals(account));
            if (seen.filter(PostgresSanctions::isActive).isPresent()) {
                return Optional.empty();
            }
            return Optional.of(
                    seen.isPresent() && active.isEmpty()
                            ? new ImposeOutcome.Over(seen.get())
                            : new LiftOutcome.Missed(active));
        }

        private ImposeOutcome repeated(AttemptId id, Account account) {
            Sanction sanction = own.orElseThrow();
            if (!sanction.terms().account().equals(account)) {
                throw SanctionStore.ofAnotherAccount(id);
            }
            return isActive(sanction) ? new ImposeOutcome.Imposed(sanction) : new ImposeOutcome.Over(sanction);
        }
    }

    /** 0: without an end. */
    private static long lasting(Terms terms) {
        return terms.lasting().map(PostgresRows::micros).orElse(0L);
    }

    private static boolean isActive(Sanction sanction) {
        return sanction.state() instanceof Sanction.Active;
    }

    private static Optional<Sanction> ifAny(ResultSet rows) throws SQLException {
        return rows.next() ? Optional.of(sanction(rows)) : Optional.empty();
    }

    private static Sanction sanction(ResultSet row) throws SQLException {
        return new Sanction(
                PostgresRows.attempt(row, "id").orElseThrow(),
                new Terms(
                        new Account(row.getString("account")),
                        row.getString("reason"),
                        new Holder(row.getString("imposed_by")),
                        time(row, "lasting")),
                PostgresRows.instant(row, "since"),
                state(row));
    }

    private static Sanction.State state(ResultSet row) throws SQLException {
        String state = row.getString("state");
        return switch (state) {
            case "active" -> {
                // Until the next one is imposed, nobody has written down that its time is over.
                Optional<Duration> endsIn = time(row, "ends_in");
                yield endsIn.filter(left -> left.isNegative() || left.isZero()).isPresent()
                        ? new Sanction.RanOut()
                        : new Sanction.Active(endsIn);
            }
            case "lifted" ->
                new Sanction.Lifted(new Holder(row.getString("lifted_by")), PostgresRows.instant(row, "lifted_at"));
            case "replaced" ->
                new Sanction.Replaced(PostgresRows.attempt(row, "replaced_by").orElseThrow());
            case "ran_out" -> new Sanction.RanOut();
            default -> throw new IllegalStateException("sanction is in no state that this version knows: " + state);
        };
    }

    private static Optional<Duration> time(ResultSet row, String column) throws SQLException {
        return row.getObject(column) == null ? Optional.empty() : Optional.of(PostgresRows.duration(row, column));
    }
}
