package io.holdfast.mysql;

import io.holdfast.contract.Engine;
import io.holdfast.contract.history.LinearContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlLinearTest implements LinearContract {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static MysqlEngine engine;

    @BeforeAll
    static void open() {
        engine = new MysqlEngine(SERVER);
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
