package io.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.contract.Contenders;
import io.holdfast.contract.LeaseHammer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One lease, pressed by very many at once. */
final class PostgresLeaseHammerTest {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static final int THREADS = 64;
    private static final int ROUNDS = 200;

    @Test
    void l1_ofManyWhoWantALeaseOneGetsItAndNoneIsAnError() {
        HikariDataSource pool = SERVER.pool();
        // Fewer than threads: who waits for a connection comes late, and must be told the truth all the same.
        pool.setMaximumPoolSize(THREADS / 2);
        LeaseHammer.acquire(PostgresStores.of(pool).leases(), THREADS, Contenders.rounds(ROUNDS));
        pool.close();
        assertThat(SERVER.rolledBack()).as("transactions that failed").isZero();
    }
}
