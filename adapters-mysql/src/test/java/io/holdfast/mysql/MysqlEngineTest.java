package io.holdfast.mysql;

import io.holdfast.contract.EngineContract;
import io.holdfast.contract.LockContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlEngineTest implements EngineContract, LockContract {
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
