package io.holdfast.postgres;

import io.holdfast.contract.OperationContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class PostgresOperationTest implements OperationContract {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static PostgresEngine engine;

    @BeforeAll
    static void open() {
        engine = new PostgresEngine(SERVER);
    }

    @Override
    public PostgresEngine engine() {
        return engine;
    }
}
