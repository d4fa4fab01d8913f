package io.holdfast.postgres;

import io.holdfast.Budget;
import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.LeaseContract;
import io.holdfast.contract.NeighbourContract;
import io.holdfast.contract.PublishContract;
import io.holdfast.contract.RefreshContract;
import io.holdfast.contract.SanctionContract;
import io.holdfast.contract.SaveContract;
import io.holdfast.contract.mutation.Attack;
import io.holdfast.contract.mutation.MutationContract;
import io.holdfast.contract.mutation.SqlMutants;
import io.holdfast.contract.mutation.Wire;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each condition of each statement, removed or weakened on its way to the server. */
final class PostgresMutationTest implements MutationContract<String> {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static final String PREFIX = "holdfast_";
    private static final String NOW = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

    /** By this time a mutant is caught that makes a call try again and again. */
    private static final Budget SHORT = Budget.of(Duration.ofSeconds(2));

    private static PostgresSubject subject;

    @BeforeAll
    static void open() {
        PostgresServer.WIRE.open();
        DataSource pool = SERVER.pool();
        subject = new PostgresSubject(pool, PostgresStores.of(pool).within(SHORT));
    }

    @AfterAll
    static void close() {
        PostgresServer.WIRE.close();
    }

    @Override
    public String engine() {
        return SERVER.engine();
    }

    @Override
    public Wire<String> wire() {
        return PostgresServer.WIRE;
    }

    @Override
    public void wipe() {
        subject.wipe();
    }

    @Override
    public List<Class<?>> suites() {
        return List.of(
                Publish.class,
                Lease.class,
                Save.class,
                Refresh.class,
                Sanction.class,
                Neighbour.class,
                PostgresSnapshotTest.class,
                PostgresBetweenTest.class,
                PostgresByHandTest.class,
                PostgresEngineTest.class,
                PostgresOperationTest.class);
    }

    @Override
    public List<Attack<String>> attacks() {
        return List.of(
                of("G1 G4 G5 G6 G7 G14 G15 C8 C9 C11", "publish", new PostgresStatements(PREFIX, SHORT)),
                of("G1 G4 G5 G6 G7 G14 G15 L1 L2", "lease", new PostgresLeaseStatements(PREFIX, SHORT)),
                of("G1 G2 G4 G5 G6 G7 G8 G12 G14 S1 S2 S4 S5 S6 S7", "save", new PostgresSaveStatements(PREFIX, SHORT)),
                of("G1 G2 G12 R1 R2 R3 R5 R7", "refresh", new PostgresRefreshStatements(PREFIX, SHORT)),
                of("G1 G12 B1 B2 B3 B4 B5", "sanction", new PostgresSanctionStatements(PREFIX, SHORT)));
    }

    private static Attack<String> of(String rules, String port, Object statements) {
        return new Attack<>(
                rules,
                "statements of " + port,
                SqlMutants.ofAll(
                        port,
                        statements,
                        NOW,
                        NOW.replace("clock_timestamp", "now"),
                        PostgresMutationTest::withoutItsTransaction));
    }

    private static String withoutItsTransaction(String framed) {
        String bounded = framed.substring(framed.indexOf("synchronous_commit"));
        return bounded.substring(bounded.indexOf('\n') + 1, bounded.lastIndexOf(";\nCOMMIT"));
    }

    static final class Publish implements PublishContract {
        @Override
        public EngineSubject subject() {
            return subject;
        }
    }

    static final class Lease implements LeaseContract {
        @Override
        public EngineSubject subject() {
            return subject;
        }
    }

    static final class Save implements SaveContract {
        @Override
        public EngineSubject subject() {
            return subject;
        }
    }

    static final class Refresh implements RefreshContract {
        @Override
        public EngineSubject subject() {
            return subject;
        }
    }

    static final class Sanction implements SanctionContract {
        @Override
        public EngineSubject subject() {
            return subject;
        }
    }

    static final class Neighbour implements NeighbourContract {
        @Override
        public EngineSubject subject() {
            return subject;
        }
    }
}
