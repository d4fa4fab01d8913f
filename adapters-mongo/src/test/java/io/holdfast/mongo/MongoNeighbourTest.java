package io.holdfast.mongo;

import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.NeighbourContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MongoNeighbourTest implements NeighbourContract {
    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    private static MongoSubject subject;

    @BeforeAll
    static void open() {
        subject = new MongoSubject(SERVER.database());
    }

    @Override
    public EngineSubject subject() {
        return subject;
    }
}
