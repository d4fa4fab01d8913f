package io.holdfast.mongo;

import io.holdfast.contract.SanctionContract;
import io.holdfast.contract.SanctionSubject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MongoSanctionTest implements SanctionContract {
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
    public SanctionSubject subject() {
        return subject;
    }
}
