package io.holdfast.postgres;

import io.holdfast.contract.LeaseContract;
import io.holdfast.contract.LeaseSubject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class PostgresLeaseTest implements LeaseContract {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static PostgresSubject subject;

    @BeforeAll
    static void open() {
        subject = new PostgresSubject(SERVER.pool());
    }

    @Override
    public LeaseSubject subject() {
        return subject;
    }
}
