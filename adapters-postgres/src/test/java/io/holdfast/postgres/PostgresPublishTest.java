package io.holdfast.postgres;

import io.holdfast.contract.PublishContract;
import io.holdfast.contract.PublishSubject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class PostgresPublishTest implements PublishContract {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static PostgresSubject subject;

    @BeforeAll
    static void open() {
        subject = new PostgresSubject(SERVER.pool());
    }

    @Override
    public PublishSubject subject() {
        return subject;
    }
}
