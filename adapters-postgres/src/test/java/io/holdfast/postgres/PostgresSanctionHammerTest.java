package io.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.contract.Contenders;
import io.holdfast.contract.SanctionHammer;
import io.holdfast.sanction.SanctionStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The incident, hammered: very many operators ban one account in one moment. */
final class PostgresSanctionHammerTest {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static final int THREADS = 64;
    private static final int ROUNDS = 200;

    @Test
    void b1_ofManyWhoSanctionANewAccountOneDoesAndTheOthersGetThatOne() {
        try (HikariDataSource pool = pool()) {
            SanctionHammer.impose(sanctions(pool), THREADS, Contenders.rounds(ROUNDS));
        }
        // Losing is no error: not even the server's log has a line of it.
        assertThat(SERVER.rolledBack()).as("transactions that failed").isZero();
    }

    @Test
    void b2_liftAndImposeAgainByManyLeavesOne() {
        try (HikariDataSource pool = pool()) {
            SanctionHammer.liftAndImpose(sanctions(pool), THREADS, Contenders.rounds(ROUNDS));
        }
        assertThat(SERVER.rolledBack()).as("transactions that failed").isZero();
    }

    private static HikariDataSource pool() {
        HikariDataSource pool = SERVER.pool();
        // Fewer than threads: who waits for a connection comes late, and must be told the truth all the same.
        pool.setMaximumPoolSize(THREADS / 2);
        return pool;
    }

    private static SanctionStore sanctions(HikariDataSource pool) {
        return PostgresStores.of(pool).sanctions();
    }
}
