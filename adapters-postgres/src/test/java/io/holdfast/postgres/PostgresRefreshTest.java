package io.holdfast.postgres;

import io.holdfast.contract.RefreshContract;
import io.holdfast.contract.RefreshSubject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class PostgresRefreshTest implements RefreshContract {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static PostgresSubject subject;

    @BeforeAll
    static void open() {
        subject = new PostgresSubject(SERVER.pool());
    }

    @Override
    public RefreshSubject subject() {
        return subject;
    }
}
