package io.holdfast.mysql;

import io.holdfast.contract.SaveContract;
import io.holdfast.contract.SaveHammer;
import io.holdfast.contract.SaveSubject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlSaveTest implements SaveContract {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static MysqlSubject subject;

    @BeforeAll
    static void open() {
        subject = new MysqlSubject(SERVER.pool());
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
