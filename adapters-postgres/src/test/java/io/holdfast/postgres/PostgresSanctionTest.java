package io.holdfast.postgres;

import io.holdfast.contract.SanctionContract;
import io.holdfast.contract.SanctionSubject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class PostgresSanctionTest implements SanctionContract {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static PostgresSubject subject;

    @BeforeAll
    static void open() {
        subject = new PostgresSubject(SERVER.pool());
    }

    @Override
    public SanctionSubject subject() {
        return subject;
    }
}
