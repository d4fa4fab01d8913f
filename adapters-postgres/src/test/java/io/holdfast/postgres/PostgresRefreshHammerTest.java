package io.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.contract.RefreshHammerContract;
import io.holdfast.contract.RefreshSubject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class PostgresRefreshHammerTest implements RefreshHammerContract {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static final int THREADS = 64;

    private static HikariDataSource pool;
    private static PostgresSubject subject;

    @BeforeAll
    static void open() {
        pool = SERVER.pool();
        pool.setMaximumPoolSize(THREADS / 2);
        subject = new PostgresSubject(pool);
    }

    @AfterAll
    static void assertThatNoneWasAnError() {
        pool.close();
        assertThat(SERVER.rolledBack()).as("transactions that failed").isZero();
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
