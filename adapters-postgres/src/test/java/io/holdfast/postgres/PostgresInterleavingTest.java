package io.holdfast.postgres;

import io.holdfast.contract.interleaving.InterleavingContract;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two and three sessions, statement by statement. */
final class PostgresInterleavingTest implements InterleavingContract {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static PostgresSteps steps;

    @BeforeAll
    static void open() throws SQLException {
        steps = new PostgresSteps(SERVER);
    }

    @AfterAll
    static void close() throws SQLException {
        steps.close();
    }

    @Override
    public PostgresSteps server() {
        return steps;
    }
}
