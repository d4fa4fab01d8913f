package io.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.contract.Contenders;
import io.holdfast.contract.SaveHammer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One save token, pressed by very many at once. */
final class PostgresSaveHammerTest {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static final int THREADS = 64;
    private static final int ROUNDS = 200;

    @Test
    void s1_ofManyWhoSaveWithOneTokenOneDoesAndAllOthersGetItsResult() {
        HikariDataSource pool = SERVER.pool();
        // Fewer than threads: who waits for a connection comes late, and must be told the truth all the same.
        pool.setMaximumPoolSize(THREADS / 2);
        SaveHammer.redeem(PostgresStores.of(pool).saveTokens(), THREADS, Contenders.rounds(ROUNDS));
        pool.close();
        assertThat(SERVER.rolledBack()).as("transactions that failed").isZero();
    }
}
