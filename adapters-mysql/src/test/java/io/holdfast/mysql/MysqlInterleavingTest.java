package io.holdfast.mysql;

import io.holdfast.contract.interleaving.InterleavingContract;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two and three sessions, statement by statement. */
final class MysqlInterleavingTest implements InterleavingContract {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static MysqlSteps steps;

    @BeforeAll
    static void open() throws SQLException {
        steps = new MysqlSteps(SERVER);
    }

    @AfterAll
    static void close() throws SQLException {
        steps.close();
    }

    @Override
    public MysqlSteps server() {
        return steps;
    }
}
