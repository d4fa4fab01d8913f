package io.holdfast.mysql;

import io.holdfast.contract.PublishContract;
import io.holdfast.contract.PublishSubject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlPublishTest implements PublishContract {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static MysqlSubject subject;

    @BeforeAll
    static void open() {
        subject = new MysqlSubject(SERVER.pool());
    }

    @Override
    public PublishSubject subject() {
        return subject;
    }
}
