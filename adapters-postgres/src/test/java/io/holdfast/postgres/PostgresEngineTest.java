package io.holdfast.postgres;

import io.holdfast.contract.EngineContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class PostgresEngineTest implements EngineContract {
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
