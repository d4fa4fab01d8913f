package io.holdfast.postgres;

import io.holdfast.contract.SaveContract;
import io.holdfast.contract.SaveHammer;
import io.holdfast.contract.SaveSubject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class PostgresSaveTest implements SaveContract {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static PostgresSubject subject;

    @BeforeAll
    static void open() {
        subject = new PostgresSubject(SERVER.pool());
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
