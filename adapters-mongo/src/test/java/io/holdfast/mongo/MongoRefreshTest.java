package io.holdfast.mongo;

import io.holdfast.contract.RefreshContract;
import io.holdfast.contract.RefreshSubject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MongoRefreshTest implements RefreshContract {
    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    private static MongoSubject subject;

    @BeforeAll
    static void open() {
        subject = new MongoSubject(SERVER.database());
    }

    @Override
    public RefreshSubject subject() {
        return subject;
    }
}
