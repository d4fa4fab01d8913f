package io.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.Finding;
import io.holdfast.StoreUnavailable;
import io.holdfast.UnfitDatabase;
import io.holdfast.contract.Contenders;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is more to say of check() and migrate() than the engine contract does. */
final class PostgresCheckTest {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    /** A remedy that is a statement is one that can be run as it stands, and that helps. */
    @TestFactory
    Stream<DynamicTest> e8_aRemedyHelps() {
        return PostgresDefect.ALL.stream()
                .filter(defect -> defect.session().isEmpty())
                .map(defect -> dynamicTest(defect.name(), () -> {
                    PostgresStores stores = defect.spoil(SERVER, prefix());
                    UnfitDatabase unfit = catchThrowableOfType(UnfitDatabase.class, stores::check);
                    assertThat(unfit.findings()).hasSize(1);
                    String remedy = unfit.findings().get(0).remedy();
                    if (remedy.startsWith("Run migrate()")) {
                        stores.migrate();
                    } else {
                        SERVER.run(remedy);
                    }
                    stores.check();
                }));
    }

    @Test
    void e8_allDefectsAreFoundAtOnce() {
        String prefix = prefix();
        PostgresStores stores = PostgresStores.of(SERVER.source("")).tables(prefix);
        stores.migrate();
        SERVER.run("DROP INDEX %1$sapp_slug; DROP INDEX %1$sdeployment_request; ALTER TABLE %1$sapp SET UNLOGGED"
                .formatted(prefix));
        assertThatThrownBy(stores::check)
                .isInstanceOfSatisfying(
                        UnfitDatabase.class,
                        unfit -> assertThat(unfit.findings())
                                .extracting(Finding::wrong)
                                .hasSize(3));
    }

    @Test
    void e8_aColumnMoreThatFillsItselfIsNoDefect() {
        String prefix = prefix();
        PostgresStores stores = PostgresStores.of(SERVER.source("")).tables(prefix);
        stores.migrate();
        SERVER.run(
                "ALTER TABLE %1$sapp ADD by_default text NOT NULL DEFAULT '', ADD note text, ADD n int GENERATED ALWAYS AS IDENTITY"
                        .formatted(prefix));
        stores.check();
    }

    @Test
    void e8_aDatabaseThatCannotHoldAllTextIsUnfit() {
        SERVER.run("CREATE DATABASE " + SERVER.name() + "_latin1 ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
        try {
            PostgresStores stores = PostgresStores.of(SERVER.source(SERVER.name() + "_latin1", ""));
            stores.migrate();
            assertThatThrownBy(stores::check)
                    .isInstanceOf(UnfitDatabase.class)
                    .hasMessageContainingAll("encoded in LATIN1", "ENCODING 'UTF8'");
        } finally {
            SERVER.run("DROP DATABASE " + SERVER.name() + "_latin1 WITH (FORCE)");
        }
    }

    @Test
    void migrateMayBeCalledByManyAtOnce() {
        for (int i = 0; i < 5; i++) {
            PostgresStores stores = PostgresStores.of(SERVER.pool()).tables(prefix());
            Contenders.race(8, n -> {
                stores.migrate();
                return n;
            });
            stores.check();
        }
    }

    @Test
    void migrateNeedsNoRightsWhereNothingIsToBeCreated() {
        String prefix = prefix();
        PostgresStores.of(SERVER.source("")).tables(prefix).migrate();
        PostgresStores reader = PostgresStores.of(SERVER.source("options=-c%20role=pg_read_all_data"));
        reader.tables(prefix).migrate();
        assertThatThrownBy(() -> reader.tables(prefix()).migrate())
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("the user may not do that");
    }

    @Test
    void aPrefixIsANameAndNothingElse() {
        PostgresStores stores = PostgresStores.of(SERVER.source(""));
        for (String prefix : new String[] {"", "1a", "Abc", "a-b", "a; drop table x", "ä", "a".repeat(31)}) {
            assertThatThrownBy(() -> stores.tables(prefix)).isInstanceOf(IllegalArgumentException.class);
        }
        PostgresStores longest = stores.tables("a".repeat(30));
        longest.migrate();
        longest.check();
    }

    private int prefixes;

    /** Of tables that nobody uses. */
    private String prefix() {
        return "t%d_%s_".formatted(++prefixes, Integer.toString(hashCode(), 36).toLowerCase(Locale.ROOT));
    }
}
