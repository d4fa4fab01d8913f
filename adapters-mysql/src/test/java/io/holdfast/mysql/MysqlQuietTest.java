package io.holdfast.mysql;

import io.holdfast.contract.QuietLogContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Apart from the other tests of the engine, which cause errors on purpose. */
final class MysqlQuietTest implements QuietLogContract {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static MysqlEngine engine;

    @BeforeAll
    static void open() {
        engine = new MysqlEngine(SERVER);
    }

    @Override
    public MysqlEngine engine() {
        return engine;
    }
}
