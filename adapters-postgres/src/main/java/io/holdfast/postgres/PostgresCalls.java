package io.holdfast.postgres;

import io.holdfast.Budget;
import io.holdfast.Deadline;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * Makes calls: each on a connection of its own, within the budget, and again when the server asks for that. Thread-safe.
 */
final class PostgresCalls {
    private static final Logger LOG = System.getLogger(PostgresStores.class.getName());

    private final DataSource source;
    private final Budget budget;

    PostgresCalls(DataSource source, Budget budget) {
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

    /** Tries until there is an answer, or no time left. */
    <R> R call(Try<R> attempt) {
        Deadline deadline = budget.begin();
        SQLException last;
        do {
            last = null;
            try (Line line = connect(deadline)) {
                Optional<R> answer = attempt.on(line);
                if (answer.isPresent()) {
                    return answer.get();
                }
            } catch (SQLException e) {
                if (!PostgresErrors.isRepeatable(e)) {
                    throw PostgresErrors.failed(e);
                }
                last = e;
            }
        } while (deadline.pause());
        throw PostgresErrors.outOfTime(last);
    }

    private Line connect(Deadline deadline) throws SQLException {
        Connection connection;
        try {
            connection = source.getConnection();
        } catch (SQLException | RuntimeException e) {
            throw PostgresErrors.unreachable(e);
        }
        return new Line(connection, deadline);
    }

    /** A connection that is ours for a while, and goes back as it came. */
    final class Line implements AutoCloseable {
        private final Connection connection;
        private final Deadline deadline;
        private final boolean autoCommit;
        private final int ownNetworkTimeout;

        private Line(Connection connection, Deadline deadline) throws SQLException {
            this.connection = connection;
            this.deadline = deadline;
            try {
                refuseCallersTransaction(connection);
                autoCommit = connection.getAutoCommit();
                ownNetworkTimeout = connection.getNetworkTimeout();
                // Our statements bring their own BEGIN and COMMIT; the driver must not add its.
                connection.setAutoCommit(true);
            } catch (SQLException | RuntimeException e) {
                giveBack();
                throw e;
            }
        }

        private static void refuseCallersTransaction(Connection connection) throws SQLException {
            if (connection.isWrapperFor(BaseConnection.class)
                    && connection.unwrap(BaseConnection.class).getTransactionState() != TransactionState.IDLE) {
                throw new IllegalStateException("the DataSource handed out a connection with an open transaction, and a"
                        + " claim must not depend on whether that commits: pass the plain DataSource, not one that is"
                        + " bound to the caller's transaction; if it is the pool's own test query that began it, set"
                        + " isolateInternalQueries (HikariCP), or use autocommit, or no test query");
            }
        }

        /**
         * One round trip: the bounds, the statement, its commit.
         *
         * @param statement as {@link PostgresStatements#statement} makes it
         */
        <R> R ask(String statement, Reader<R> reader, @Nullable Object... values) throws SQLException {
            connection.setNetworkTimeout(Runnable::run, networkTimeout());
            try (PreparedStatement prepared = connection.prepareStatement(statement)) {
                for (int i = 0; i < values.length; i++) {
                    bind(prepared, i + 1, values[i]);
                }
                R answer = reader.read(answer(prepared));
                PostgresErrors.refuseUnconfirmed(prepared.getWarnings());
                return answer;
            } catch (SQLException e) {
                rollBack(e);
                throw e;
            }
        }

        /** What is left; or a little more, lest a late repetition is given up before it could be answered. */
        private int networkTimeout() {
            long millis = Math.max(deadline.left().toMillis(), budget.value().toMillis() / 4);
            return (int) Math.min(Integer.MAX_VALUE, Math.max(1, millis));
        }

        private void bind(PreparedStatement prepared, int index, @Nullable Object value) throws SQLException {
            if (value == null) {
                prepared.setNull(index, Types.VARCHAR);
            } else if (value instanceof String[] texts) {
                prepared.setArray(index, connection.createArrayOf("text", texts));
            } else if (value instanceof byte[] bytes) {
                prepared.setString(index, text(bytes));
            } else if (value instanceof byte[][] digests) {
                prepared.setArray(index, connection.createArrayOf("bytea", digests));
            } else if (value instanceof UUID[] uuids) {
                prepared.setArray(index, connection.createArrayOf("uuid", uuids));
            } else if (value instanceof Long[] numbers) {
                prepared.setArray(index, connection.createArrayOf("int8", numbers));
            } else {
                prepared.setObject(index, value);
            }
        }

        /**
         * As text. Bytes the driver writes into a simple query as if {@code standard_conforming_strings} were on, and a server
         * where that is off takes them for others; text it escapes as the session wants it.
         */
        private static String text(byte[] bytes) {
            return "\\x" + HexFormat.of().formatHex(bytes);
        }

        /** The rows of the one statement that has any. */
        private static ResultSet answer(PreparedStatement prepared) throws SQLException {
            boolean isRows = prepared.execute();
            while (!isRows && prepared.getUpdateCount() >= 0) {
                isRows = prepared.getMoreResults();
            }
            return prepared.getResultSet();
        }

        private void rollBack(SQLException reason) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("ROLLBACK");
            } catch (SQLException e) {
                reason.addSuppressed(e);
            }
        }

        @Override
        public void close() {
            try {
                connection.setNetworkTimeout(Runnable::run, ownNetworkTimeout);
                connection.setAutoCommit(autoCommit);
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
