package io.holdfast.mongo;

import io.holdfast.contract.Contenders;
import io.holdfast.contract.SaveHammer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One save token, pressed by very many at once. */
final class MongoSaveHammerTest {
    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    private static final int THREADS = 16;
    private static final int ROUNDS = 60;

    @Test
    void s1_ofManyWhoSaveWithOneTokenOneDoesAndAllOthersGetItsResult() {
        SaveHammer.redeem(MongoStores.of(SERVER.database()).saveTokens(), THREADS, Contenders.rounds(ROUNDS));
    }
}
