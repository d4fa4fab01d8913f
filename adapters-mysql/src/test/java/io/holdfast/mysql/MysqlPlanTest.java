package io.holdfast.mysql;

import static io.holdfast.mysql.MysqlRows.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.save.TokenDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How the statements find their rows when there is much else in the tables: what is read by an UPDATE is also locked. */
final class MysqlPlanTest {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static final byte[] APP = bytes("app-7");
    private static final TokenDigest TOKEN = TokenDigest.ofSha256(new byte[32]);
    private static final byte[] ATTEMPT = bytes(AttemptId.random());
    private static final byte[] OTHER = bytes(AttemptId.random());

    @BeforeAll
    static void fill() throws SQLException {
        SERVER.run("""
                INSERT INTO holdfast_app (app, attempt, fence, building, holder, since, beat, silence_limit, free_at, slug)
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
                SELECT CONCAT('app-', i), UUID_TO_BIN(UUID()), 50, TRUE, 'h', 1, 1, 1, 1, CONCAT('slug-', i) FROM n""");
        SERVER.run("""
                INSERT INTO holdfast_deployment (id, app, fence, slug, holder, request, started, state, detail)
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
                SELECT UUID_TO_BIN(UUID()), app, i, slug, 'h', CONCAT('key-', i), 1, 'failed', 'no' FROM holdfast_app, n""");
        SERVER.run("""
                INSERT INTO holdfast_lease (name, attempt, fence, held, holder, since, beat, silence_limit, free_at)
                SELECT app, attempt, fence, building, holder, since, beat, silence_limit, free_at FROM holdfast_app""");
        SERVER.run("""
                INSERT INTO holdfast_save
                       (token, refuse, over_at, fence, held, attempt, holder, since, beat, silence_limit, free_at)
                SELECT UNHEX(SHA2(app, 256)), FALSE, 4e15 + ROW_NUMBER() OVER (), fence, building, attempt, holder, since, beat,
                       silence_limit, free_at
                  FROM holdfast_app""");
        SERVER.run("""
                INSERT INTO holdfast_refresh
                       (family, generation, born, born_before, token_valid, grace, expires_at, revoked_at)
                SELECT attempt, 1, 1, 1, 1, 1, 4e15 + ROW_NUMBER() OVER (), 0 FROM holdfast_app""");
        SERVER.run("""
                INSERT INTO holdfast_sanction (id, account, number, reason, imposed_by, since, ends_at, state)
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
                SELECT UUID_TO_BIN(UUID()), app, i, 'r', 'o', 1, NULL, IF(i = 20, 'active', 'lifted') FROM holdfast_app, n""");
        SERVER.run("""
                ANALYZE TABLE holdfast_app, holdfast_deployment, holdfast_lease, holdfast_save, holdfast_refresh,
                              holdfast_sanction""");
        try (Connection connection = SERVER.connect();
                PreparedStatement own =
                        connection.prepareStatement("UPDATE holdfast_app SET attempt = ?, live = ? WHERE app = ?");
                PreparedStatement newest = connection.prepareStatement(
                        "UPDATE holdfast_deployment SET id = ?, state = 'building' WHERE app = ? AND fence = 20")) {
            own.setBytes(1, ATTEMPT);
            own.setBytes(2, ATTEMPT);
            own.setBytes(3, APP);
            own.execute();
            newest.setBytes(1, ATTEMPT);
            newest.setBytes(2, APP);
            newest.execute();
        }
    }

    @TestFactory
    Stream<DynamicTest> noStatementReadsAWholeTable() {
        MysqlStatements s = new MysqlStatements("holdfast_");
        byte[] slug = bytes("slug-7");
        byte[] key = bytes("key-new");
        String holds = MysqlRows.json(
                IntStream.range(1, 900)
                        .mapToObj(i -> new Claim(AppId.of("app-" + i), new AttemptId(UUID.randomUUID()), new Fence(50)))
                        .toList(),
                claim -> bytes(claim.app().value()));
        Map<String, Object[]> statements = new LinkedHashMap<>();
        statements.put(s.take, new Object[] {OTHER, APP, 1L, slug, APP, slug, APP, slug, OTHER, APP, key, slug, APP});
        statements.put(s.takenOver, new Object[] {APP});
        statements.put(s.abandon, new Object[] {OTHER, ATTEMPT});
        statements.put(s.record, new Object[] {key, APP});
        statements.put(s.forget, new Object[] {APP, APP});
        statements.put(s.truth, new Object[] {ATTEMPT, APP, slug, key});
        statements.put(s.renew, new Object[] {holds});
        statements.put(s.renewed, new Object[] {holds});
        statements.put(s.finish, new Object[] {true, false, "live", key, APP, ATTEMPT, 50L});
        statements.put(s.ending, new Object[] {APP, ATTEMPT, 50L});
        statements.put(s.evict, new Object[] {true, APP, 50L});
        statements.put(s.evicted, new Object[] {APP});
        statements.put(s.holder, new Object[] {APP});
        statements.put(s.endSilent, new Object[] {holds});
        statements.put(s.find, new Object[] {ATTEMPT});
        statements.put(s.live, new Object[] {APP});
        statements.put(s.recent, new Object[] {APP, 10L});

        MysqlLeaseStatements l = new MysqlLeaseStatements("holdfast_");
        statements.put(l.take, new Object[] {OTHER, APP, 1L, APP, OTHER, APP, OTHER});
        statements.put(l.truth, new Object[] {APP, ATTEMPT});
        statements.put(l.renew, new Object[] {holds});
        statements.put(l.renewed, new Object[] {holds});
        statements.put(l.release, new Object[] {1L, 1L, APP, ATTEMPT, 50L});
        statements.put(l.ending, new Object[] {APP, ATTEMPT, 50L});
        statements.put(l.evict, new Object[] {true, APP, 50L});
        statements.put(l.evicted, new Object[] {APP});
        statements.put(l.holder, new Object[] {APP});

        MysqlSaveStatements t = new MysqlSaveStatements("holdfast_");
        byte[] token = TOKEN.bytes();
        statements.put(t.reserve, new Object[] {OTHER, APP, 1L, token, token, OTHER, token, token, OTHER, token});
        statements.put(t.takenOver, new Object[] {token});
        statements.put(t.truth, new Object[] {token, ATTEMPT, token});
        statements.put(t.renew, new Object[] {holds});
        statements.put(t.renewed, new Object[] {holds});
        statements.put(t.end, new Object[] {true, true, true, APP, token, 50L, ATTEMPT, false});
        statements.put(t.standing, new Object[] {token, ATTEMPT, 50L});
        statements.put(t.forget, new Object[] {1L, 10L});

        MysqlRefreshStatements r = new MysqlRefreshStatements("holdfast_");
        statements.put(r.rotate, new Object[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ATTEMPT, ATTEMPT});
        statements.put(r.verdict, new Object[] {1, 1, 1, 1, 1, ATTEMPT});
        statements.put(r.revoke, new Object[] {ATTEMPT});
        statements.put(r.forget, new Object[] {1L, 10L});

        MysqlSanctionStatements b = new MysqlSanctionStatements("holdfast_");
        statements.put(b.truth, new Object[] {ATTEMPT, APP, APP});
        statements.put(b.runOut, new Object[] {ATTEMPT});
        statements.put(b.replace, new Object[] {OTHER, ATTEMPT});
        statements.put(b.lift, new Object[] {APP, ATTEMPT});
        statements.put(b.forget, new Object[] {APP, 101L});
        statements.put(b.active, new Object[] {APP});
        statements.put(b.history, new Object[] {APP, 10L});
        return statements.entrySet().stream()
                .map(each -> dynamicTest(
                        each.getKey().strip().lines().findFirst().orElseThrow(),
                        () -> assertThat(scans(each.getKey(), each.getValue())).isEmpty()));
    }

    /** Nobody waits for what reads all apps: it locks none but those that it finds. */
    @Test
    void theCleanUpLooksForTheDeadAmongAllAppsAndAtEachOfThemByItsKey() throws SQLException {
        assertThat(scans(new MysqlStatements("holdfast_").silent, 1L, 100L, 1L)).containsExactly("a ALL null");
    }

    /** So that a plan with one would be seen. */
    @Test
    void aStatementThatReadsAWholeTableIsSeen() throws SQLException {
        assertThat(scans("UPDATE holdfast_app SET fence = 1 WHERE beat = 1")).hasSize(1);
        assertThat(scans("SELECT COUNT(*) FROM holdfast_deployment d WHERE d.state = 'live'"))
                .hasSize(1);
    }

    /** The steps of the plan that read all of a table or an index, but for what the statement made itself. */
    private static List<String> scans(String sql, Object... values) throws SQLException {
        List<String> scans = new ArrayList<>();
        try (Connection connection = SERVER.connect();
                PreparedStatement explain = connection.prepareStatement("EXPLAIN FORMAT=TRADITIONAL " + sql)) {
            for (int i = 0; i < values.length; i++) {
                explain.setObject(i + 1, values[i]);
            }
            try (ResultSet steps = explain.executeQuery()) {
                while (steps.next()) {
                    String table = String.valueOf(steps.getString("table"));
                    String type = String.valueOf(steps.getString("type"));
                    boolean isTarget = "INSERT".equals(steps.getString("select_type"));
                    boolean isOwn = table.startsWith("<") || table.equals("held");
                    if (List.of("ALL", "index").contains(type) && !isTarget && !isOwn) {
                        scans.add(table + " " + type + " " + steps.getString("key"));
                    }
                }
            }
        }
        return scans;
    }
}
