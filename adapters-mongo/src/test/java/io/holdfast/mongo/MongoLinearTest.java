package io.holdfast.mongo;

import io.holdfast.contract.Engine;
import io.holdfast.contract.history.LinearContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MongoLinearTest implements LinearContract {
    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    private static MongoEngine engine;

    @BeforeAll
    static void open() {
        engine = new MongoEngine(SERVER);
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
