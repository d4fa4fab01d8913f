package io.holdfast.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.cj.jdbc.MysqlDataSource;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Finding;
import io.holdfast.UnfitDatabase;
import io.holdfast.contract.Contenders;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code check()} and {@code migrate()} do beyond the defects of the schema, which the engine contract runs. */
final class MysqlCheckTest {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    @ParameterizedTest
    @ValueSource(strings = {"11.8.3-MariaDB-1", "5.5.5-10.11.6-MariaDB", "8.0.44", "5.7.44-log", "unheard of"})
    void e8_aServerOnWhichNothingWasProvenIsRefused(String version) {
        assertThat(MysqlSchema.unfitVersion(version)).hasValueSatisfying(finding -> {
            assertThat(finding.wrong()).contains(" " + version.replace("5.5.5-", ""));
            assertThat(finding.remedy()).contains("MySQL 8.4 or newer");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.4.0", "9.7.4-2", "10.0.1", "26.10.0"})
    void e8_aNewerServerIsNot(String version) {
        assertThat(MysqlSchema.unfitVersion(version)).isEmpty();
    }

    /** Only these: a test's server may be set up to be quick, and not to be safe. */
    @ParameterizedTest
    @CsvSource({
        "innodb_flush_log_at_trx_commit, 2, SET PERSIST innodb_flush_log_at_trx_commit = 1",
        "sync_binlog, 0, SET PERSIST sync_binlog = 1",
        "binlog_format, STATEMENT, SET PERSIST binlog_format = ROW"
    })
    void e8_aSettingThatLosesClaimsIsRefused(String name, String value, String remedy) {
        String before = SERVER.text("SELECT @@GLOBAL." + name);
        SERVER.run("SET GLOBAL %s = %s".formatted(name, value));
        try {
            assertThatThrownBy(MysqlStores.of(SERVER.pool())::check)
                    .isInstanceOfSatisfying(
                            UnfitDatabase.class,
                            unfit -> assertThat(unfit.findings())
                                    .extracting(Finding::remedy)
                                    .containsExactly(remedy));
        } finally {
            SERVER.run("SET GLOBAL %s = %s".formatted(name, before));
        }
        assertThatCode(MysqlStores.of(SERVER.pool())::check).doesNotThrowAnyException();
    }

    /** Found by settings that a soak put together; each of them alone does no harm (E2). */
    @Test
    void e8_aDriverThatEscapesForAnotherSessionIsRefused() {
        try (HikariDataSource first = SERVER.pool();
                HikariDataSource pool = SERVER.pool()) {
            for (HikariDataSource each : List.of(first, pool)) {
                each.addDataSourceProperty("cacheServerConfiguration", "true");
                each.addDataSourceProperty("connectionCollation", "latin1_swedish_ci");
            }
            assertThat(findings(MysqlStores.of(first))).isEmpty();
            pool.addDataSourceProperty("jdbcCompliantTruncation", "false");
            pool.addDataSourceProperty("sessionVariables", "sql_mode='NO_BACKSLASH_ESCAPES'");
            assertThat(findings(MysqlStores.of(pool))).singleElement().satisfies(finding -> {
                assertThat(finding.wrong()).contains("X'000A0D1A225CFF' came as X'5C305C6E5C725C5A5C225C5CFF'");
                assertThat(finding.remedy()).contains("cacheServerConfiguration", "NO_BACKSLASH_ESCAPES");
            });
        }
    }

    @Test
    void e8_allDefectsAreNamedAtOnce() {
        MysqlStores stores = MysqlStores.of(SERVER.pool()).tables("all_");
        stores.migrate();
        SERVER.run("ALTER TABLE all_app DROP INDEX all_app_slug, MODIFY app VARCHAR(255) NOT NULL");
        SERVER.run("DROP TABLE all_deployment");
        assertThatThrownBy(stores::check)
                .isInstanceOfSatisfying(
                        UnfitDatabase.class,
                        unfit -> assertThat(unfit.findings()).hasSize(3));
    }

    /** Each remedy, run as it is written, makes what was refused fit. */
    @Test
    void e8_remediesMend() {
        MysqlStores stores = MysqlStores.of(SERVER.pool()).tables("mended_");
        stores.migrate();
        SERVER.run("ALTER TABLE mended_app ENGINE = MyISAM, DROP PRIMARY KEY, DROP INDEX mended_app_slug,"
                + " ADD UNIQUE INDEX mended_app_slug (slug(10)), MODIFY app VARCHAR(255), MODIFY beat DATETIME,"
                + " DROP COLUMN live, ADD COLUMN tenant INT NOT NULL, ADD UNIQUE INDEX one_holder (holder)");
        List<Finding> findings = findings(stores);
        assertThat(findings).hasSizeGreaterThan(6);
        findings.forEach(finding -> SERVER.run(finding.remedy()));
        assertThat(findings(stores)).isEmpty();
    }

    private static List<Finding> findings(MysqlStores stores) {
        try {
            stores.check();
            return List.of();
        } catch (UnfitDatabase e) {
            return e.findings();
        }
    }

    @Test
    void e8_tablesAreMadeOnceByManyAtOnce() {
        List<MysqlStores> all = Contenders.race(8, n -> {
            MysqlStores stores = MysqlStores.of(SERVER.pool()).tables("many_");
            stores.migrate();
            return stores;
        });
        assertThat(all).allSatisfy(stores -> assertThat(findings(stores)).isEmpty());
    }

    @Test
    void e8_whoMayNotMakeTablesMayStillMigrateAndCheckWhatIsThere() {
        MysqlDataSource writer = new MysqlDataSource();
        writer.setUrl(SERVER.urlOfUser("SELECT, INSERT, UPDATE, DELETE"));
        MysqlStores stores = MysqlStores.of(writer);
        assertThatCode(stores::migrate).doesNotThrowAnyException();
        assertThat(findings(stores)).isEmpty();
    }

    /** What is there besides does no harm as long as it can be left out. */
    @Test
    void e8_columnsAndIndexesOfTheHostsOwnAreFit() {
        MysqlStores stores = MysqlStores.of(SERVER.pool()).tables("more_");
        stores.migrate();
        SERVER.run("ALTER TABLE more_app ADD COLUMN a INT, ADD COLUMN b INT NOT NULL DEFAULT 0,"
                + " ADD COLUMN c INT NOT NULL AUTO_INCREMENT, ADD INDEX (c),"
                + " ADD COLUMN d BIGINT AS (fence) VIRTUAL NOT NULL, ADD COLUMN e JSON NOT NULL DEFAULT (JSON_ARRAY()),"
                + " ADD COLUMN f TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP");
        assertThat(findings(stores)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1a", "A", "a-b", "a`b", "a b", "ä", "this_is_a_prefix_of_thirty_one_"})
    void aPrefixThatIsNoNameIsRefused(String prefix) {
        MysqlStores stores = MysqlStores.of(SERVER.pool());
        assertThatThrownBy(() -> stores.tables(prefix)).isInstanceOf(IllegalArgumentException.class);
    }
}
