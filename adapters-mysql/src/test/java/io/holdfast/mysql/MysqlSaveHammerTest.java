package io.holdfast.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.contract.Contenders;
import io.holdfast.contract.SaveHammer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One save token, pressed by very many at once. */
final class MysqlSaveHammerTest {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static final int THREADS = 64;
    private static final int ROUNDS = 200;

    @Test
    void s1_ofManyWhoSaveWithOneTokenOneDoesAndAllOthersGetItsResult() {
        MysqlEngine engine = new MysqlEngine(SERVER);
        HikariDataSource pool = SERVER.pool();
        pool.setMaximumPoolSize(THREADS);
        long errors = engine.serverErrors();
        SaveHammer.redeem(MysqlStores.of(pool).saveTokens(), THREADS, Contenders.rounds(ROUNDS));
        assertThat(engine.serverErrors()).as("errors that the server counted").isEqualTo(errors);
    }
}
