package io.holdfast.mysql;

import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What MySQL's and the driver's errors mean. The only place that knows their numbers; SQLSTATEs mislead here: a lock
 * time-out, which undoes its statement only, has the one of a deadlock, which undoes the transaction.
 */
final class MysqlErrors {
    private static final int DUPLICATE = 1062;
    private static final int DENIED_TABLE = 1142;
    private static final int DENIED_COLUMN = 1143;
    private static final int NUMBER_OUT_OF_RANGE = 1690;

    /** The SQLSTATEs of a connection that is broken, or over. */
    private static final String CONNECTION_CLASS = "08";

    private static final String RIVALS = "rivals were in the way until the time was over: ask again";

    /**
     * Somebody else's doing, and over when it is done again: a rival that was quicker to use a key, a deadlock, a row that
     * changed since the snapshot, a group that refused to certify the commit. The last one is the only one that a COMMIT can
     * fail with, and then it is surely rolled back.
     */
    private static final Set<Integer> REPEATABLE = Set.of(DUPLICATE, 1213, 1020, 3101);

    private static final Map<Integer, String> NOT_APPLIED = Map.ofEntries(
            Map.entry(DUPLICATE, RIVALS),
            Map.entry(1213, RIVALS),
            Map.entry(1020, RIVALS),
            Map.entry(3101, RIVALS),
            Map.entry(
                    1205,
                    "a row that it needs is locked by another session, or its table is being altered: ask again, and see"
                            + " performance_schema.data_locks if that goes on"),
            Map.entry(3572, "a row that it needs is locked by another session: ask again"),
            Map.entry(1317, "the statement was cancelled: ask again"),
            Map.entry(3024, "the statement took too long: ask again"),
            Map.entry(1040, "the server has too many connections: ask again"),
            Map.entry(1290, "the server is read-only: connect to the primary"),
            Map.entry(1836, "the server is read-only: connect to the primary"),
            Map.entry(1792, "the session is read-only: let the pool hand out connections that may write"),
            Map.entry(1046, "the URL names no database: add its name"),
            Map.entry(1049, "the database is missing: create it, or correct the URL"),
            Map.entry(1146, "a table is missing: run migrate(), or check the prefix of the tables"),
            Map.entry(1054, "a column is missing: run check()"),
            Map.entry(1044, "the user may not use that database: grant it"),
            Map.entry(DENIED_TABLE, "the user may not do that to that table: grant it"),
            Map.entry(DENIED_COLUMN, "the user may not do that to that column: grant it"),
            Map.entry(1064, "the server does not understand what MySQL 8.4 does: run check()"),
            Map.entry(1193, "the server does not know a setting that MySQL 8.4 has: run check()"),
            Map.entry(1665, "the binary log is kept as statements: set binlog_format=ROW"));

    private MysqlErrors() {}

    static boolean isRepeatable(SQLException e) {
        return REPEATABLE.contains(e.getErrorCode());
    }

    static boolean isDuplicate(SQLException e) {
        return e.getErrorCode() == DUPLICATE;
    }

    /** Whether the user may not do that to that table, or to a column of it. */
    static boolean isDenied(SQLException e) {
        return e.getErrorCode() == DENIED_TABLE || e.getErrorCode() == DENIED_COLUMN;
    }

    /** Whether a number had no room for one more. The only number that grows is the fence. */
    static boolean isExhausted(SQLException e) {
        return e.getErrorCode() == NUMBER_OUT_OF_RANGE;
    }

    /**
     * A statement that failed, and that is not repeated.
     *
     * @param commitIsOut whether it was the COMMIT, or came after one
     */
    static StoreUnavailable failed(SQLException e, boolean commitIsOut) {
        String state = e.getSQLState();
        // Lost before the COMMIT, it was surely not done. But who is told UNKNOWN asks again on another connection,
        // which is
        // what a broken one calls for.
        if (commitIsOut || (state != null && state.startsWith(CONNECTION_CLASS))) {
            return new StoreUnavailable(
                    Effect.UNKNOWN,
                    "MySQL was asked and has not answered: it may have been done, ask again with the same attempt",
                    e);
        }
        String why = NOT_APPLIED.getOrDefault(
                e.getErrorCode(), "MySQL or its driver refused it: error " + e.getErrorCode() + ", SQLSTATE " + state);
        return new StoreUnavailable(Effect.NOT_APPLIED, "nothing was changed: " + why, e);
    }

    /** No connection: nothing was sent. */
    static StoreUnavailable unreachable(Exception e) {
        String why = Thread.currentThread().isInterrupted()
                ? "the thread was interrupted"
                : "no connection to MySQL could be had; see whether the server is up, and whether the pool is exhausted";
        return new StoreUnavailable(Effect.NOT_APPLIED, "nothing was changed: " + why, e);
    }

    /** Rivals, and then no time left. */
    static StoreUnavailable outOfTime(@Nullable SQLException last) {
        if (last != null) {
            return failed(last, false);
        }
        String why = Thread.currentThread().isInterrupted()
                ? "the thread was interrupted"
                : "until the time was over the app was taken and let go again by others, or its row was locked by another"
                        + " session: ask again, and see performance_schema.data_locks if that goes on";
        return new StoreUnavailable(Effect.NOT_APPLIED, "nothing was changed: " + why, new TimeoutException(why));
    }
}
