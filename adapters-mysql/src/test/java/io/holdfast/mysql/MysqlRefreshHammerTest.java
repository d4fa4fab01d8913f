package io.holdfast.mysql;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.contract.RefreshHammerContract;
import io.holdfast.contract.RefreshSubject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlRefreshHammerTest implements RefreshHammerContract {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static final int THREADS = 64;

    private static MysqlSubject subject;

    @BeforeAll
    static void open() {
        HikariDataSource pool = SERVER.pool();
        pool.setMaximumPoolSize(THREADS / 2);
        subject = new MysqlSubject(pool);
    }

    @Override
    public RefreshSubject subject() {
        return subject;
    }

    @Override
    public int threads() {
        return THREADS;
    }

    @Override
    public int crowds() {
        return 200;
    }
}
