package io.holdfast.mysql;

import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.NeighbourContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlNeighbourTest implements NeighbourContract {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static MysqlSubject subject;

    @BeforeAll
    static void open() {
        subject = new MysqlSubject(SERVER.pool());
    }

    @Override
    public EngineSubject subject() {
        return subject;
    }
}
