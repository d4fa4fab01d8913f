package io.holdfast.mysql;

import static io.holdfast.mysql.MysqlRows.bytes;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.mysql.MysqlCalls.Line;
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
import org.jspecify.annotations.Nullable;

/** Sanctions, decided by a unique index: one short transaction each. */
final class MysqlSanctions implements SanctionStore {
    private final MysqlCalls calls;
    private final MysqlSanctionStatements statements;

    MysqlSanctions(MysqlCalls calls, MysqlSanctionStatements statements) {
        this.calls = calls;
        this.statements = statements;
    }

    @Override
    public ImposeOutcome impose(AttemptId id, Terms terms) {
        return calls.call(line -> {
            Truth truth = truth(line, id, terms.account());
            Optional<ImposeOutcome> told = truth.imposing(id, terms.account());
            if (told.isPresent()) {
                return told;
            }
            Optional<Sanction> ranOut = truth.standing();
            return ranOut.isEmpty()
                            || line.changes(statements.runOut, (Object)
                                    bytes(ranOut.get().id()))
                    ? Optional.of(insert(line, id, terms, truth.number() + 1))
                    : Optional.empty();
        });
    }

    @Override
    public ReplaceOutcome replace(AttemptId seen, AttemptId id, Terms terms) {
        return calls.call(line -> {
            Truth truth = truth(line, id, terms.account());
            Optional<ReplaceOutcome> told = truth.replacing(seen, id, terms.account());
            if (told.isPresent()) {
                return told;
            }
            return line.changes(statements.replace, bytes(id), bytes(seen))
                    ? Optional.of(insert(line, id, terms, truth.number() + 1))
                    : Optional.empty();
        });
    }

    /** A rival who was quicker makes this a duplicate, which undoes what was changed before it, and the call begins anew. */
    private ImposeOutcome.Imposed insert(Line line, AttemptId id, Terms terms, long number) throws SQLException {
        byte[] account = bytes(terms.account().value());
        @Nullable
        Object[] values = {
            bytes(id),
            account,
            number,
            bytes(terms.reason()),
            bytes(terms.by().label()),
            terms.lasting().map(MysqlRows::micros).orElse(null)
        };
        long since = line.changesWithWord(statements.impose, values).orElseThrow();
        if (number > SanctionStore.HISTORY) {
            line.change(statements.forget, account, number);
        }
        line.commit();
        // Counted from before the statement was sent, the whole time is within what the row says (G3).
        return new ImposeOutcome.Imposed(
                new Sanction(id, terms, MysqlRows.instant(since), new Sanction.Active(terms.lasting())));
    }

    @Override
    public LiftOutcome lift(Account account, AttemptId seen, Holder by) {
        return calls.call(line -> {
            Truth truth = truth(line, seen, account);
            Optional<LiftOutcome> told = truth.lifting(account);
            return told.isPresent() ? told : lift(line, truth.own().orElseThrow(), by);
        });
    }

    private Optional<LiftOutcome> lift(Line line, Sanction seen, Holder by) throws SQLException {
        Optional<Long> at = line.changesWithWord(statements.lift, bytes(by.label()), bytes(seen.id()));
        line.commit();
        return at.map(now -> new ImposeOutcome.Over(
                new Sanction(seen.id(), seen.terms(), seen.since(), new Sanction.Lifted(by, MysqlRows.instant(now)))));
    }

    @Override
    public Optional<Sanction> active(Account account) {
        return calls.ask(
                        statements.active,
                        rows -> rows.next() ? Optional.of(sanction(rows)) : Optional.<Sanction>empty(),
                        (Object) bytes(account.value()))
                .filter(MysqlSanctions::isActive);
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
                bytes(account.value()),
                (long) SanctionStore.atLeastOne(atMost));
    }

    private Truth truth(Line line, AttemptId id, Account account) throws SQLException {
        byte[] key = bytes(account.value());
        return line.ask(statements.truth, Truth::of, bytes(id), key, key);
    }

    /**
     * What there is, and so what is to be told. Each answer is empty if something is to be done instead.
     *
     * @param own what has the id that was asked about
     * @param standing what is in the account's place in the index; its time may be over
     * @param number of the account's newest; 0 if it has none
     */
    private record Truth(Optional<Sanction> own, Optional<Sanction> standing, long number) {
        static Truth of(ResultSet rows) throws SQLException {
            Optional<Sanction> own = Optional.empty();
            Optional<Sanction> standing = Optional.empty();
            long number = 0;
            while (rows.next()) {
                switch (rows.getString("part")) {
                    case "own" -> own = Optional.of(sanction(rows));
                    case "standing" -> standing = Optional.of(sanction(rows));
                    default -> number = rows.getLong("number");
                }
            }
            return new Truth(own, standing, number);
        }

        Optional<ImposeOutcome> imposing(AttemptId id, Account account) {
            return own.isPresent() ? Optional.of(repeated(id, account)) : active().map(ImposeOutcome.Another::new);
        }

        Optional<ReplaceOutcome> replacing(AttemptId seen, AttemptId id, Account account) {
            if (own.isPresent()) {
                return Optional.of(repeated(id, account).fold(imposed -> imposed, another -> another, over -> over));
            }
            if (active().isEmpty()) {
                return Optional.of(new ReplaceOutcome.NoneActive());
            }
            return active().filter(other -> !other.id().equals(seen)).map(ImposeOutcome.Another::new);
        }

        Optional<LiftOutcome> lifting(Account account) {
            Optional<Sanction> seen =
                    own.filter(known -> known.terms().account().equals(account));
            if (seen.filter(MysqlSanctions::isActive).isPresent()) {
                return Optional.empty();
            }
            return Optional.of(
                    seen.isPresent() && active().isEmpty()
                            ? new ImposeOutcome.Over(seen.get())
                            : new LiftOutcome.Missed(active()));
        }

        private Optional<Sanction> active() {
            return standing.filter(MysqlSanctions::isActive);
        }

        private ImposeOutcome repeated(AttemptId id, Account account) {
            Sanction sanction = own.orElseThrow();
            if (!sanction.terms().account().equals(account)) {
                throw SanctionStore.ofAnotherAccount(id);
            }
            return isActive(sanction) ? new ImposeOutcome.Imposed(sanction) : new ImposeOutcome.Over(sanction);
        }
    }

    private static boolean isActive(Sanction sanction) {
        return sanction.state() instanceof Sanction.Active;
    }

    private static Sanction sanction(ResultSet row) throws SQLException {
        return new Sanction(
                MysqlRows.attempt(row, "id").orElseThrow(),
                new Terms(
                        new Account(text(row, "account")),
                        text(row, "reason"),
                        new Holder(text(row, "imposed_by")),
                        time(row, "lasting")),
                MysqlRows.instant(row.getLong("since")),
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
                new Sanction.Lifted(new Holder(text(row, "lifted_by")), MysqlRows.instant(row.getLong("lifted_at")));
            case "replaced" ->
                new Sanction.Replaced(MysqlRows.attempt(row, "replaced_by").orElseThrow());
            case "ran_out" -> new Sanction.RanOut();
            default -> throw new IllegalStateException("sanction is in no state that this version knows: " + state);
        };
    }

    private static String text(ResultSet row, String column) throws SQLException {
        return MysqlRows.text(row, column).orElseThrow();
    }

    private static Optional<Duration> time(ResultSet row, String column) throws SQLException {
        return row.getObject(column) == null ? Optional.empty() : Optional.of(MysqlRows.duration(row.getLong(column)));
    }
}
