package io.holdfast.postgres;

import io.holdfast.contract.QuietLogContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Apart from the other tests of the engine, which cause errors on purpose. */
final class PostgresQuietTest implements QuietLogContract {
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
