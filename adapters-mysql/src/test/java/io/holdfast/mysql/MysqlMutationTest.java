package io.holdfast.mysql;

import static io.holdfast.contract.mutation.SqlMutants.replacing;

import io.holdfast.Budget;
import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.LeaseContract;
import io.holdfast.contract.NeighbourContract;
import io.holdfast.contract.OperationContract;
import io.holdfast.contract.PublishContract;
import io.holdfast.contract.RefreshContract;
import io.holdfast.contract.SanctionContract;
import io.holdfast.contract.SaveContract;
import io.holdfast.contract.mutation.Attack;
import io.holdfast.contract.mutation.Mutant;
import io.holdfast.contract.mutation.MutationContract;
import io.holdfast.contract.mutation.SqlMutants;
import io.holdfast.contract.mutation.Wire;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Mutants of every statement of this adapter, and of the session and the transaction that they are sent in. */
final class MysqlMutationTest implements MutationContract<String> {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static final String PREFIX = "holdfast_";
    private static final String NOW = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";

    /** By this time a mutant is caught that makes a call try again and again. */
    private static final Budget SHORT = Budget.of(Duration.ofSeconds(2));

    private static MysqlSubject subject;
    private static MysqlEngine engine;

    @BeforeAll
    static void open() {
        MysqlServer.WIRE.open();
        DataSource pool = SERVER.pool();
        subject = new MysqlSubject(pool, MysqlStores.of(pool).within(SHORT));
        engine = new MysqlEngine(SERVER);
    }

    @AfterAll
    static void close() throws SQLException {
        MysqlServer.WIRE.close();
        MysqlServer.dropKept();
    }

    @Override
    public String engine() {
        return SERVER.engine();
    }

    @Override
    public Wire<String> wire() {
        return MysqlServer.WIRE;
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
                Operations.class,
                MysqlCallsTest.class,
                MysqlGuardTest.class,
                MysqlSnapshotTest.class,
                MysqlLocksTest.class,
                MysqlHandTest.class,
                MysqlEngineTest.class);
    }

    @Override
    public List<Attack<String>> attacks() {
        return List.of(
                of("G1 G2 G4 G5 G6 G7 G8 G14 G15 L1 L2 L3", "lease", new MysqlLeaseStatements(PREFIX)),
                of("G1 G2 G4 G5 G6 G7 G8 G12 G14 S1 S2 S4 S5 S6 S7", "save", new MysqlSaveStatements(PREFIX)),
                of("G1 G2 G12 R1 R2 R3 R5 R7", "refresh", new MysqlRefreshStatements(PREFIX)),
                publishing(),
                of("G1 G12 B1 B2 B3 B4 B5", "sanction", new MysqlSanctionStatements(PREFIX)),
                new Attack<>("E2 E3 E5", "the session and the transaction of each call", call()));
    }

    private static Attack<String> of(String rules, String port, Object statements) {
        return new Attack<>(
                rules,
                "statements of " + port,
                SqlMutants.ofAll(port, statements, NOW, "@holdfast_began", text -> text));
    }

    /** With one that the server takes, in the place of one that it refuses. */
    private static Attack<String> publishing() {
        MysqlStatements statements = new MysqlStatements(PREFIX);
        Attack<String> generated =
                of("G1 G2 G4 G5 G6 G7 G8 G13 G14 G15 C4 C5 C8 C9 C10 C11 C12", "publish", statements);
        List<Mutant<String>> mutants = new ArrayList<>(generated.mutants());
        mutants.add(replacing(
                "publish.take: finds no app with this slug",
                statements.take,
                "o\\.app <> \\?",
                "o.app <> ? AND o.fence < 0"));
        return new Attack<>(generated.rules(), generated.what(), mutants);
    }

    private static List<Mutant<String>> call() {
        List<Mutant<String>> mutants = new ArrayList<>();
        for (String setting : List.of(
                "SESSION autocommit = 0",
                "SESSION transaction_isolation = 'READ-COMMITTED'",
                "SESSION innodb_lock_wait_timeout = [0-9]+",
                "SESSION lock_wait_timeout = [0-9]+",
                "SESSION wait_timeout = 2 \\* [0-9]+ \\+ 1",
                "SESSION autocommit = @holdfast_autocommit",
                "SESSION transaction_isolation = @holdfast_isolation",
                "SESSION innodb_lock_wait_timeout = @holdfast_row_wait",
                "SESSION lock_wait_timeout = @holdfast_table_wait",
                "SESSION wait_timeout = @holdfast_silence")) {
            mutants.add(replacing("call: without " + setting, "", setting, "@holdfast_mutant = 0"));
        }
        mutants.add(replacing("call: without its begin", "", "(?<=@holdfast_began = )TIMESTAMPDIFF.*?\\)\\)", "0"));
        mutants.add(replacing("call: COMMIT as the session has it", "", "^COMMIT.*", "COMMIT"));
        mutants.add(replacing("call: ROLLBACK as the session has it", "", "^ROLLBACK.*", "ROLLBACK"));
        mutants.add(replacing("call: without COMMIT", "", "^COMMIT.*", "DO 0"));
        // Not without ROLLBACK: these connections are closed after each call, which does the same.
        return mutants;
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

    static final class Operations implements OperationContract {
        @Override
        public MysqlEngine engine() {
            return engine;
        }
    }
}
