package io.holdfast.mongo;

import io.holdfast.contract.RefreshHammerContract;
import io.holdfast.contract.RefreshSubject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MongoRefreshHammerTest implements RefreshHammerContract {
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

    @Override
    public int threads() {
        return 16;
    }

    @Override
    public int crowds() {
        return 60;
    }
}
