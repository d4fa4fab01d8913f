package io.holdfast.mongo;

import io.holdfast.contract.LeaseContract;
import io.holdfast.contract.LeaseSubject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MongoLeaseTest implements LeaseContract {
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
    public LeaseSubject subject() {
        return subject;
    }
}
