package io.holdfast.postgres;

import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/** What PostgreSQL's and the driver's errors mean. The only place that knows SQLSTATEs. */
final class PostgresErrors {
    /**
     * Somebody else's doing, and over when it is done again: a deadlock, a serialization failure (by a trigger or an extension;
     * our own transactions are READ COMMITTED), a unique index that a rival was quicker to use.
     */
    private static final Set<String> REPEATABLE = Set.of("40P01", "40001", "23505");

    private static final String NUMBER_OUT_OF_RANGE = "22003";

    private static final String CONNECTION_CLASS = "08";

    /** What a server says that is going away; 40003 is the standard's "completion unknown". */
    private static final Set<String> COMPLETION_UNKNOWN = Set.of("40003", "57P01", "57P02", "57P05");

    /** A wait for a synchronous standby that was cancelled: committed here, and perhaps nowhere else. */
    private static final String PLAIN_WARNING = "01000";

    private static final String LENT_SESSION =
            "the driver's prepared statement is another session's: behind a pooler that lends sessions for transactions, set prepareThreshold=0 in the URL";

    private static final Map<String, String> NOT_APPLIED = Map.ofEntries(
            Map.entry(
                    "55P03",
                    "a row that it needs is locked by another session: ask again, and see pg_locks if that goes on"),
            Map.entry("57014", "the statement took too long or was cancelled: ask again"),
            Map.entry(
                    "25006", "the server or the session is read-only: connect to the primary, by a user who may write"),
            Map.entry(
                    "42P01",
                    "a table is missing: run migrate(), or check the search_path and the prefix of the tables"),
            Map.entry("42703", "a column is missing: run check()"),
            Map.entry("42501", "the user may not do that: run check()"),
            Map.entry("23505", "rivals were quicker until the time was over: ask again"),
            Map.entry("40001", "rivals were in the way until the time was over: ask again"),
            Map.entry("40P01", "rivals were in the way until the time was over: ask again"),
            Map.entry("26000", LENT_SESSION),
            Map.entry("42P05", LENT_SESSION));

    private PostgresErrors() {}

    static boolean isRepeatable(SQLException e) {
        return e.getSQLState() != null && REPEATABLE.contains(e.getSQLState());
    }

    /** Whether a number had no room for one more. The only number that grows is the fence. */
    static boolean isExhausted(SQLException e) {
        return NUMBER_OUT_OF_RANGE.equals(e.getSQLState());
    }

    /** A statement that failed. Whatever the server refuses, it has rolled back. */
    static StoreUnavailable failed(SQLException e) {
        String state = e.getSQLState();
        if (isUnbound(e)) {
            return new StoreUnavailable(Effect.NOT_APPLIED, "nothing was changed: " + LENT_SESSION, e);
        }
        if (state == null || state.startsWith(CONNECTION_CLASS) || COMPLETION_UNKNOWN.contains(state)) {
            return new StoreUnavailable(
                    Effect.UNKNOWN,
                    "PostgreSQL was asked and has not answered: it may have been done, ask again with the same attempt",
                    e);
        }
        String why = NOT_APPLIED.getOrDefault(state, "PostgreSQL refused it with SQLSTATE " + state);
        return new StoreUnavailable(Effect.NOT_APPLIED, "nothing was changed: " + why, e);
    }

    /**
     * Whether the server has another statement by that name, with other parameters, and so did not begin. The state of that is
     * one of a broken connection, and a pooler says it of those; only the server says in which of its functions.
     */
    private static boolean isUnbound(SQLException e) {
        return e instanceof PSQLException told
                && told.getServerErrorMessage() != null
                && "exec_bind_message".equals(told.getServerErrorMessage().getRoutine());
    }

    /** No connection: nothing was sent. */
    static StoreUnavailable unreachable(Exception e) {
        String why = Thread.currentThread().isInterrupted()
                ? "the thread was interrupted"
                : "no connection to PostgreSQL could be had; see whether the server is up, and whether the pool is exhausted";
        return new StoreUnavailable(Effect.NOT_APPLIED, "nothing was changed: " + why, e);
    }

    /** Rivals, and then no time left. */
    static StoreUnavailable outOfTime(@Nullable SQLException last) {
        if (last != null) {
            return failed(last);
        }
        String why = Thread.currentThread().isInterrupted()
                ? "the thread was interrupted"
                : "the app was taken and let go again by others until the time was over: ask again";
        return new StoreUnavailable(Effect.NOT_APPLIED, "nothing was changed: " + why, new TimeoutException(why));
    }

    /**
     * Refuses an answer that came with a warning of this kind.
     *
     * @param first the first of the warnings, if there were any
     */
    static void refuseUnconfirmed(@Nullable SQLWarning first) {
        for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
            if (PLAIN_WARNING.equals(warning.getSQLState())) {
                throw new StoreUnavailable(
                        Effect.UNKNOWN,
                        "PostgreSQL has committed with a warning, perhaps on no standby yet: ask again with the same attempt",
                        warning);
            }
        }
    }
}
