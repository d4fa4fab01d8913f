package io.holdfast.contract.interleaving;

import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.Ports;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/** A server with an adapter on it, as whoever lets its sessions take turns must know it. */
public interface SteppedServer {
    /** Name and version, such as "PostgreSQL 18.6". */
    String met();

    /** The stores, reached without stops, and the hands on them. */
    EngineSubject subject();

    /** The adapter on these connections; its budget so long that whoever waits for a turn is never late. */
    Ports on(DataSource source);

    Connection connect() throws SQLException;

    /** What the server calls this session. */
    long id(Connection session) throws SQLException;

    /** Whether the open transaction has changed or locked a row. If not, its end is nothing to anybody. */
    boolean isFelt(Connection session) throws SQLException;

    /** The sessions that wait for a lock just now, and for whom. */
    Map<Long, Set<Long>> waits() throws SQLException;

    /** How often two that are at once are interrupted at most; so that all orders have time. */
    int interruptions();

    /** Errors, as "SQLSTATE/code", that a call of two may meet and nobody is told of: no line in the server's log (E6). */
    Set<String> quiet();

    /**
     * Weakens the statement that takes a lease, and the one that lifts a sanction: what decides is looked at when the statement
     * begins, and not again after a wait. One by one nobody can tell. Others it returns as they are.
     */
    String lookedAtOnce(String statement);

    /**
     * Whether a sign of life is one statement and its answer another, which is read when others may go on. It then counts from
     * the first, and that the hold has been lost since is told by the second: two calls in one, of which each must be like one.
     */
    default boolean looksAfterBeating() {
        return false;
    }
}
