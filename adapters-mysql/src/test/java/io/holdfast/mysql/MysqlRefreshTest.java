package io.holdfast.mysql;

import io.holdfast.contract.RefreshContract;
import io.holdfast.contract.RefreshSubject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlRefreshTest implements RefreshContract {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static MysqlSubject subject;

    @BeforeAll
    static void open() {
        subject = new MysqlSubject(SERVER.pool());
    }

    @Override
    public RefreshSubject subject() {
        return subject;
    }
}
