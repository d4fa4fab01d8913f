package io.holdfast.mongo;

import io.holdfast.contract.UseCaseContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MongoUseCaseTest implements UseCaseContract {
    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    private static MongoEngine engine;

    @BeforeAll
    static void open() {
        engine = new MongoEngine(SERVER);
    }

    @Override
    public MongoEngine engine() {
        return engine;
    }
}
