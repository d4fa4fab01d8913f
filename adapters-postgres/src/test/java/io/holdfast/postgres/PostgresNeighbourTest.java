package io.holdfast.postgres;

import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.NeighbourContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class PostgresNeighbourTest implements NeighbourContract {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static PostgresSubject subject;

    @BeforeAll
    static void open() {
        subject = new PostgresSubject(SERVER.pool());
    }

    @Override
    public EngineSubject subject() {
        return subject;
    }
}
