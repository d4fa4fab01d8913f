package io.holdfast.docs;

import io.holdfast.contract.PublishContract;
import io.holdfast.contract.PublishSubject;
import io.holdfast.postgres.PostgresServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract's sample: a team that runs the suite on a store of its own. */
// tag::test
class OwnStoreTest implements PublishContract {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static PublishSubject store;

    @BeforeAll
    static void open() {
        store = new OwnStore(SERVER.pool());
    }

    @Override
    public PublishSubject subject() {
        return store;
    }
}
// end::test
