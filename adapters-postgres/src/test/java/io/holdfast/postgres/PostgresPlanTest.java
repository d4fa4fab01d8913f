package io.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Holder;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.lease.LeaseStore;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Publishing;
import io.holdfast.publish.Slug;
import io.holdfast.release.Releasing;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the statements cost when there is much else in the tables. */
final class PostgresPlanTest {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static final String SCANS_ALL = "Seq Scan on holdfast_";

    /** Cheap while few apps build, which is when the plan may be made that is then kept. */
    private static final String READS_ALL_BUILDS = "holdfast_deployment_building(?!.*\\n *Index Cond)";

    @BeforeAll
    static void fill() {
        SERVER.run("""
                INSERT INTO holdfast_app
                SELECT 'app-' || i, gen_random_uuid(), 10, true, 'h', 1, 1, 1, 1, 'slug-' || i
                  FROM generate_series(1, 3000) AS i;
                INSERT INTO holdfast_deployment (id, app, fence, slug, holder, request, started, state, detail)
                SELECT gen_random_uuid(), 'app-' || i, j, 'slug-' || i, 'h', 'key-' || j, 1,
                       CASE WHEN j = 10 AND i <= 2 THEN 'building' ELSE 'failed' END, 'no'
                  FROM generate_series(1, 3000) AS i, generate_series(1, 10) AS j;
                INSERT INTO holdfast_lease
                SELECT 'lease-' || i, gen_random_uuid(), 10, true, 'h', 1, 1, 1, 1
                  FROM generate_series(1, 3000) AS i;
                ANALYZE""");
    }

    @TestFactory
    Stream<DynamicTest> noStatementReadsAWholeTable() {
        PostgresStatements s = new PostgresStatements("holdfast_", Budget.DEFAULT);
        Map<String, String> statements = Map.of(
                "take", s.take,
                "truth", s.truth,
                "renew", s.renew,
                "finish", s.finish,
                "ending", s.ending,
                "evict", s.evict,
                "holder", s.holder,
                "find", s.find,
                "live", s.live,
                "recent", s.recent);
        return tests(statements);
    }

    @TestFactory
    Stream<DynamicTest> noStatementOfLeasesReadsAWholeTable() {
        PostgresLeaseStatements s = new PostgresLeaseStatements("holdfast_", Budget.DEFAULT);
        return tests(Map.of(
                "take", s.take,
                "truth", s.truth,
                "renew", s.renew,
                "release", s.release,
                "ending", s.ending,
                "evict", s.evict,
                "holder", s.holder));
    }

    private static Stream<DynamicTest> tests(Map<String, String> statements) {
        return statements.entrySet().stream()
                .map(each -> dynamicTest(
                        each.getKey(),
                        () -> assertThat(plan(each.getValue()))
                                .contains("Index")
                                .doesNotContain(SCANS_ALL)
                                .doesNotContainPattern(READS_ALL_BUILDS)));
    }

    /** But of those that are building, which it looks for. */
    @Test
    void theCleanUpReadsNoWholeTable() {
        assertThat(plan(new PostgresStatements("holdfast_", Budget.DEFAULT).endSilent))
                .contains("holdfast_deployment_building")
                .doesNotContain(SCANS_ALL);
    }

    /** So that a plan with one would be seen. */
    @Test
    void aStatementThatReadsAWholeTableIsSeen() {
        assertThat(plan("SET LOCAL synchronous_commit = on;\nSELECT FROM holdfast_app WHERE beat = 1;\nCOMMIT"))
                .contains(SCANS_ALL);
    }

    /** The plan that is kept for a prepared statement, whatever its values are. */
    private static String plan(String inItsTransaction) {
        String begin = "synchronous_commit = on;";
        String statement = inItsTransaction.substring(
                inItsTransaction.indexOf(begin) + begin.length(), inItsTransaction.lastIndexOf(';'));
        List<String> values = new ArrayList<>();
        while (statement.contains("?")) {
            values.add("NULL");
            statement = statement.replaceFirst(Pattern.quote("?"), "\\$" + values.size());
        }
        String execute = values.isEmpty() ? "EXECUTE planned" : "EXECUTE planned (" + String.join(", ", values) + ")";
        try (Connection connection = SERVER.connect();
                Statement sql = connection.createStatement()) {
            sql.execute("SET plan_cache_mode = force_generic_plan");
            sql.execute("PREPARE planned AS " + statement);
            StringJoiner plan = new StringJoiner("\n");
            try (ResultSet lines = sql.executeQuery("EXPLAIN (COSTS OFF) " + execute)) {
                while (lines.next()) {
                    plan.add(lines.getString(1));
                }
            }
            return plan.toString();
        } catch (SQLException e) {
            throw new IllegalStateException(statement, e);
        }
    }

    /** A beat of many holds, tick after tick, leaves no trace in any index. */
    @Test
    void heartbeatsStayInTheirPage() {
        PostgresStores stores = PostgresStores.of(SERVER.source("")).tables("beats_");
        stores.migrate();
        ClaimStore claims = stores.claims();
        LeaseStore leases = stores.leases();
        List<Claim> claimed = new ArrayList<>();
        List<Lease> leased = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            claimed.add(taken(claims, i));
            leased.add(taken(leases, i));
        }
        for (int i = 0; i < 20; i++) {
            assertThat(claims.renew(claimed)).hasSize(100);
            assertThat(leases.renew(leased)).hasSize(100);
        }
        SERVER.text("SELECT pg_stat_force_next_flush()");
        int beats = 20 * 100;
        for (String table : List.of("beats_app", "beats_lease")) {
            String inPage =
                    SERVER.text("SELECT n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = '%s'".formatted(table));
            assertThat(Integer.parseInt(inPage)).as(table).isGreaterThan(beats / 10 * 9);
        }
    }

    private static Lease taken(LeaseStore leases, int i) {
        return ((Acquired) leases.acquire(
                        LeaseName.of("lease-" + i), AttemptId.random(), new Holder("h"), Releasing.DEFAULT_LIMIT))
                .lease();
    }

    private static Claim taken(ClaimStore claims, int i) {
        return ((Claimed) claims.claim(new ClaimRequest(
                        AttemptId.random(),
                        AppId.of("app-" + UUID.randomUUID()),
                        Slug.of("slug-" + i),
                        new Holder("h"),
                        Publishing.DEFAULT_LIMIT,
                        Optional.empty())))
                .claim();
    }
}
