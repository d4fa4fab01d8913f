package io.holdfast.mysql;

import com.mysql.cj.jdbc.JdbcConnection;
import io.holdfast.Budget;
import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.Ports;
import io.holdfast.contract.interleaving.SteppedServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/** MySQL, where sessions take turns. */
final class MysqlSteps implements SteppedServer, AutoCloseable {
    private static final Budget LONG = Budget.of(Duration.ofMinutes(2));

    private final MysqlServer server;
    private final EngineSubject subject;
    private final Connection watch;

    MysqlSteps(MysqlServer server) throws SQLException {
        this.server = server;
        subject = new MysqlSubject(server.pool());
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
        return new MysqlPorts(MysqlStores.of(source).within(LONG));
    }

    @Override
    public Connection connect() throws SQLException {
        return server.connect();
    }

    @Override
    public long id(Connection session) throws SQLException {
        return session.unwrap(JdbcConnection.class).getId();
    }

    /** Not asked: here every statement and every commit is sent by itself. */
    @Override
    public boolean isFelt(Connection session) {
        return true;
    }

    /**
     * A row's lock may have been put down by another session than its own: by the first who waits for it, or by who has taken
     * back what it was on. So a session is looked up by its transaction, as the one who has put down that it uses the table.
     */
    @Override
    public Map<Long, Set<Long>> waits() throws SQLException {
        Map<Long, Set<Long>> waits = new HashMap<>();
        try (PreparedStatement statement = watch.prepareStatement("""
                        WITH users AS (
                            SELECT DISTINCT l.engine_transaction_id AS id, t.processlist_id AS session
                              FROM performance_schema.data_locks l
                              JOIN performance_schema.threads t USING (thread_id)
                             WHERE l.lock_type = 'TABLE'
                        )
                        SELECT waiting.session, holding.session
                          FROM performance_schema.data_lock_waits w
                          JOIN users waiting ON waiting.id = w.requesting_engine_transaction_id
                          JOIN users holding ON holding.id = w.blocking_engine_transaction_id""");
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                waits.computeIfAbsent(rows.getLong(1), id -> new HashSet<>()).add(rows.getLong(2));
            }
        }
        return waits;
    }

    @Override
    public int interruptions() {
        return 1;
    }

    @Override
    public Set<String> quiet() {
        return Set.of("23000/1062");
    }

    @Override
    public boolean looksAfterBeating() {
        return true;
    }

    /** What is read in a derived table, or by the statement before, is not looked at again. */
    @Override
    public String lookedAtOnce(String statement) {
        return statement
                .replaceFirst("(?s)(UPDATE holdfast_lease.*?WHERE name = [?]\\s+)AND free_at <= .*?(AND NOT)", "$1$2")
                .replaceFirst("(?s)(SET state = 'lifted'.*?)AND state = 'active'", "$1");
    }

    @Override
    public void close() throws SQLException {
        watch.close();
    }
}
