package io.holdfast.postgres;

import io.holdfast.contract.Engine;
import io.holdfast.contract.history.LinearContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class PostgresLinearTest implements LinearContract {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static PostgresEngine engine;

    @BeforeAll
    static void open() {
        engine = new PostgresEngine(SERVER);
    }

    @Override
    public Engine engine() {
        return engine;
    }

    @Override
    public String version() {
        return SERVER.engine();
    }
}
