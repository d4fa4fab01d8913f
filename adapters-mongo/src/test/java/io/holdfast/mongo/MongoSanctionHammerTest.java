package io.holdfast.mongo;

import io.holdfast.contract.Contenders;
import io.holdfast.contract.SanctionHammer;
import io.holdfast.sanction.SanctionStore;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The incident, hammered: very many operators ban one account in one moment. */
final class MongoSanctionHammerTest {
    private static final int THREADS = 16;
    private static final int ROUNDS = 60;

    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    private static SanctionStore sanctions;

    @BeforeAll
    static void open() {
        sanctions = MongoStores.of(SERVER.database()).sanctions();
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
