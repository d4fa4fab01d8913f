package io.holdfast.mysql;

import io.holdfast.contract.SanctionContract;
import io.holdfast.contract.SanctionSubject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlSanctionTest implements SanctionContract {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static MysqlSubject subject;

    @BeforeAll
    static void open() {
        subject = new MysqlSubject(SERVER.pool());
    }

    @Override
    public SanctionSubject subject() {
        return subject;
    }
}
