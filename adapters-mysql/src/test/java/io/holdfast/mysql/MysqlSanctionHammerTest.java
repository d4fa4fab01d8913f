package io.holdfast.mysql;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.contract.Contenders;
import io.holdfast.contract.SanctionHammer;
import io.holdfast.sanction.SanctionStore;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The incident, hammered: very many operators ban one account in one moment. */
final class MysqlSanctionHammerTest {
    private static final int THREADS = 64;
    private static final int ROUNDS = 200;

    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static SanctionStore sanctions;

    @BeforeAll
    static void open() {
        HikariDataSource pool = SERVER.pool();
        pool.setMaximumPoolSize(THREADS);
        sanctions = MysqlStores.of(pool).sanctions();
    }

    @Test
    void b1_ofManyWhoSanctionANewAccountOneDoesAndTheOthersGetThatOne() {
        SanctionHammer.impose(sanctions, THREADS, Contenders.rounds(ROUNDS));
    }

    @Test
    void b2_liftAndImposeAgainByManyLeavesOne() {
        SanctionHammer.liftAndImpose(sanctions, THREADS, Contenders.rounds(ROUNDS));
    }
}
