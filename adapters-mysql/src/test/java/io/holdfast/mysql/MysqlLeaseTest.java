package io.holdfast.mysql;

import io.holdfast.contract.LeaseContract;
import io.holdfast.contract.LeaseSubject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlLeaseTest implements LeaseContract {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static MysqlSubject subject;

    @BeforeAll
    static void open() {
        subject = new MysqlSubject(SERVER.pool());
    }

    @Override
    public LeaseSubject subject() {
        return subject;
    }
}
