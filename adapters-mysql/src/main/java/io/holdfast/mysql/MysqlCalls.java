package io.holdfast.mysql;

import com.mysql.cj.jdbc.JdbcConnection;
import io.holdfast.Budget;
import io.holdfast.Deadline;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls: each on a connection of its own, within the budget, and again when the server asks for that. Thread-safe.
 */
final class MysqlCalls {
    private static final Logger LOG = System.getLogger(MysqlStores.class.getName());

    private final DataSource source;
    private final Budget budget;

    MysqlCalls(DataSource source, Budget budget) {
        this.source = source;
        this.budget = budget;
    }

    /** One try of a call. */
    @FunctionalInterface
    interface Try<R> {
        /** Returns empty if something changed while it looked: it is to be tried again. */
        Optional<R> on(Line line) throws SQLException;
    }

    /** Reads what a statement answered. */
    @FunctionalInterface
    interface Reader<R> {
        R read(ResultSet rows) throws SQLException;
    }

    /** Asks one thing. */
    <R> R ask(String statement, Reader<R> reader, @Nullable Object... values) {
        return call(line -> Optional.of(line.ask(statement, reader, values)));
    }

    /** Tries until there is an answer, or no time left. What a try has changed and not committed is rolled back. */
    <R> R call(Try<R> attempt) {
        Deadline deadline = budget.begin();
        SQLException last = null;
        while (!Thread.currentThread().isInterrupted()) {
            try (Line line = new Line(connection(), deadline)) {
                try {
                    Optional<R> answer = attempt.on(line);
                    if (answer.isPresent()) {
                        return answer.get();
                    }
                    last = null;
                } catch (SQLException e) {
                    if (!MysqlErrors.isRepeatable(e)) {
                        throw MysqlErrors.failed(e, line.commitIsOut);
                    }
                    last = e;
                }
            }
            if (!deadline.pause()) {
                break;
            }
        }
        throw MysqlErrors.outOfTime(last);
    }

    /** What the server calls itself, as it told the driver; for a server that may not even understand our settings. */
    String serverVersion() {
        try (Connection connection = connection()) {
            return connection.getMetaData().getDatabaseProductVersion();
        } catch (SQLException e) {
            throw MysqlErrors.failed(e, false);
        }
    }

    private Connection connection() {
        try {
            return source.getConnection();
        } catch (SQLException | RuntimeException e) {
            // A pool that cannot make its first connection throws an exception of its own.
            throw MysqlErrors.unreachable(e);
        }
    }

    /** A connection that is ours for a while, with a transaction of its own on it, and goes back as it came. */
    final class Line implements AutoCloseable {
        private final Connection connection;
        private final Deadline deadline;
        private final int ownNetworkTimeout;
        private boolean isDirty;
        /** Whether a COMMIT was sent: from then on nobody may say that nothing was changed. */
        private boolean commitIsOut;

        private Line(Connection connection, Deadline deadline) {
            this.connection = connection;
            this.deadline = deadline;
            try {
                refuseCallersTransaction(connection);
                ownNetworkTimeout = connection.getNetworkTimeout();
                execute(MysqlStatements.open(lockWaitSeconds()));
            } catch (SQLException e) {
                abort();
                giveBack();
                throw MysqlErrors.failed(e, false);
            } catch (RuntimeException e) {
                giveBack();
                throw e;
            }
        }

        private static void refuseCallersTransaction(Connection connection) throws SQLException {
            if (connection.isWrapperFor(JdbcConnection.class)
                    && connection
                            .unwrap(JdbcConnection.class)
                            .getSession()
                            .getServerSession()
                            .inTransactionOnServer()) {
                throw new IllegalStateException("the DataSource handed out a connection with an open transaction, and a"
                        + " claim must not depend on whether that commits: pass the plain DataSource, not one that is"
                        + " bound to the caller's transaction");
            }
        }

        /** Asks, within the transaction, for what is committed by now and what it changed itself. */
        <R> R ask(String statement, Reader<R> reader, @Nullable Object... values) throws SQLException {
            try (PreparedStatement prepared = prepare(statement, values);
                    ResultSet rows = prepared.executeQuery()) {
                return reader.read(rows);
            }
        }

        /** Changes something. */
        void change(String statement, @Nullable Object... values) throws SQLException {
            changes(statement, values);
        }

        /**
         * Whether the statement found a row. It must change a column of each row that it finds: by the URL it is decided
         * whether the driver counts rows that were found or rows that were changed (E2).
         */
        boolean changes(String statement, @Nullable Object... values) throws SQLException {
            return changed(statement, values) > 0;
        }

        /** How many rows the statement found; as {@link #changes}. */
        int changed(String statement, @Nullable Object... values) throws SQLException {
            try (PreparedStatement prepared = prepare(statement, values)) {
                return prepared.executeUpdate();
            }
        }

        /** The same, and if there was one, the 64 bits of its {@code LAST_INSERT_ID(expr)}. */
        Optional<Long> changesWithWord(String statement, @Nullable Object... values) throws SQLException {
            try (PreparedStatement prepared = prepare(statement, values)) {
                // The count comes first: where nothing was changed, the word is an old one.
                if (prepared.executeUpdate() == 0) {
                    return Optional.empty();
                }
                try (ResultSet word = prepared.getGeneratedKeys()) {
                    word.next();
                    return Optional.of(Long.parseUnsignedLong(word.getString(1)));
                }
            }
        }

        private PreparedStatement prepare(String statement, @Nullable Object... values) throws SQLException {
            isDirty = true;
            limitSilence();
            PreparedStatement prepared = connection.prepareStatement(statement, Statement.RETURN_GENERATED_KEYS);
            for (int i = 0; i < values.length; i++) {
                bind(prepared, i + 1, values[i]);
            }
            return prepared;
        }

        private static void bind(PreparedStatement prepared, int index, @Nullable Object value) throws SQLException {
            if (value instanceof Long number) {
                prepared.setLong(index, number);
            } else if (value instanceof Boolean flag) {
                prepared.setBoolean(index, flag);
            } else if (value instanceof String ascii) {
                prepared.setString(index, ascii);
            } else {
                prepared.setBytes(index, (byte[]) value);
            }
        }

        /** Makes what was changed so far final, and lets its rows go. */
        void commit() throws SQLException {
            commitIsOut = true;
            execute(MysqlStatements.COMMIT);
            isDirty = false;
        }

        /** Takes back what was changed since the last commit. */
        void rollBack() throws SQLException {
            execute(MysqlStatements.ROLLBACK);
            isDirty = false;
        }

        /** Waits a little, as between two tries. */
        boolean pause() {
            return deadline.pause();
        }

        /** Also COMMIT: the driver's own refuses while it believes in autocommit, which is switched behind its back. */
        private void execute(String statement) throws SQLException {
            limitSilence();
            try (Statement plain = connection.createStatement()) {
                plain.execute(statement);
            }
        }

        /** InnoDB counts in whole seconds, 1 at least. */
        private long lockWaitSeconds() {
            return Math.max(1, budget.value().toSeconds() / 2);
        }

        /**
         * Bounds the wait for the server by what is left; but long enough for it to tell that a lock kept it waiting, for
         * which it may take a second more than it was told.
         */
        private void limitSilence() throws SQLException {
            long millis = Math.max(deadline.left().toMillis(), (lockWaitSeconds() + 2) * 1_000);
            connection.setNetworkTimeout(Runnable::run, (int) Math.min(Integer.MAX_VALUE, millis));
        }

        @Override
        public void close() {
            try {
                if (!connection.isClosed()) {
                    if (isDirty) {
                        rollBack();
                    }
                    execute(MysqlStatements.CLOSE);
                    connection.setNetworkTimeout(Runnable::run, ownNetworkTimeout);
                }
            } catch (SQLException e) {
                abort();
            }
            giveBack();
        }

        /** It is broken, or must not be used again as it is. */
        private void abort() {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.log(Level.DEBUG, "a connection could not be aborted", e);
            }
        }

        private void giveBack() {
            try {
                connection.close();
            } catch (SQLException e) {
                // The answer is known, or another failure is being told: this one must not take its place.
                LOG.log(Level.DEBUG, "a connection could not be given back", e);
            }
        }
    }
}
