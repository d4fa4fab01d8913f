package io.holdfast.mongo;

import io.holdfast.contract.Contenders;
import io.holdfast.contract.LeaseHammer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One lease, pressed by very many at once. */
final class MongoLeaseHammerTest {
    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    private static final int THREADS = 16;
    private static final int ROUNDS = 60;

    @Test
    void l1_ofManyWhoWantALeaseOneGetsItAndAllOthersAreToldWho() {
        LeaseHammer.acquire(MongoStores.of(SERVER.database()).leases(), THREADS, Contenders.rounds(ROUNDS));
    }
}
