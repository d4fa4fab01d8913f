package io.holdfast.mongo;

import io.holdfast.contract.PublishContract;
import io.holdfast.contract.PublishSubject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MongoPublishTest implements PublishContract {
    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    private static MongoSubject subject;

    @BeforeAll
    static void open() {
        subject = new MongoSubject(SERVER.database());
    }

    /** Time passes for every document there is, one by one. */
    @BeforeEach
    void empty() {
        subject.wipeButForOthers();
    }

    @Override
    public PublishSubject subject() {
        return subject;
    }
}
