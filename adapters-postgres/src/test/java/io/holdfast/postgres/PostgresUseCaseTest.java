package io.holdfast.postgres;

import io.holdfast.contract.UseCaseContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class PostgresUseCaseTest implements UseCaseContract {
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
