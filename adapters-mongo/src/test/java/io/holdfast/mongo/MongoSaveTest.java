package io.holdfast.mongo;

import io.holdfast.contract.SaveContract;
import io.holdfast.contract.SaveHammer;
import io.holdfast.contract.SaveSubject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MongoSaveTest implements SaveContract {
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
    public SaveSubject subject() {
        return subject;
    }

    @Test
    void s8_nothingOfATokenIsInTheDatabase() {
        SaveHammer.assertNoTokenIn(subject, subject::dumpOfSaveTokens);
    }
}
