package io.holdfast.postgres;

import io.holdfast.Budget;
import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.Ports;
import io.holdfast.contract.interleaving.SteppedServer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/** PostgreSQL, where sessions take turns. */
final class PostgresSteps implements SteppedServer, AutoCloseable {
    private static final Budget LONG = Budget.of(Duration.ofMinutes(2));

    private final PostgresServer server;
    private final EngineSubject subject;
    private final Connection watch;

    PostgresSteps(PostgresServer server) throws SQLException {
        this.server = server;
        subject = new PostgresSubject(server.pool());
        watch = server.connect();
    }

    @Override
    public String met() {
        return server.engine();
    }

    @Override
    public EngineSubject subject() {
        return subject;
    }

    @Override
    public Ports on(DataSource source) {
        return new PostgresPorts(PostgresStores.of(source).within(LONG));
    }

    @Override
    public Connection connect() throws SQLException {
        return server.connect();
    }

    @Override
    public long id(Connection session) throws SQLException {
        return session.unwrap(PGConnection.class).getBackendPID();
    }

    /** Whoever locks a row or changes one has a number as a transaction. */
    @Override
    public boolean isFelt(Connection session) throws SQLException {
        try (Statement statement = session.createStatement();
                ResultSet rows = statement.executeQuery("SELECT pg_current_xact_id_if_assigned() IS NOT NULL")) {
            rows.next();
            return rows.getBoolean(1);
        }
    }

    @Override
    public Map<Long, Set<Long>> waits() throws SQLException {
        Map<Long, Set<Long>> waits = new HashMap<>();
        try (PreparedStatement statement = watch.prepareStatement("""
                        SELECT pid, pg_blocking_pids(pid)::bigint[]
                          FROM pg_stat_activity
                         WHERE datname = current_database() AND wait_event_type = 'Lock'""");
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                Array blockers = rows.getArray(2);
                waits.put(
                        rows.getLong(1),
                        Arrays.stream((Long[]) blockers.getArray()).collect(Collectors.toSet()));
            }
        }
        return waits;
    }

    /** None is too many: a call has two statements at most. */
    @Override
    public int interruptions() {
        return Integer.MAX_VALUE;
    }

    @Override
    public Set<String> quiet() {
        return Set.of();
    }

    /** A row that a wait has found changed is looked at again, but not what a subquery has seen of it. */
    @Override
    public String lookedAtOnce(String statement) {
        return statement
                .replaceFirst("(?s)(WHERE l.name = asked.name AND )l.free_at <= (.*?::bigint)", """
                        $1EXISTS (SELECT FROM holdfast_lease o WHERE o.name = asked.name AND o.free_at <= $2)""")
                .replaceFirst("(?s)(SET state = 'lifted'.*?AND )s.state = 'active'", """
                        $1EXISTS (SELECT FROM holdfast_sanction o WHERE o.id = s.id AND o.state = 'active')""");
    }

    @Override
    public void close() throws SQLException {
        watch.close();
    }
}
