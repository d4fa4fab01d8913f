package io.holdfast.contract.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SqlMutantsTest {
    private static List<String> mutated(String text) {
        return SqlMutants.of("s", text, Map.of()).stream()
                .map(mutant -> mutant.change().apply(text))
                .toList();
    }

    private static List<String> names(String text) {
        return SqlMutants.of("s", text, Map.of("now()", "now")).stream()
                .map(Mutant::name)
                .toList();
    }

    @Test
    void conditionsOfAnAndAreTrueAndThoseOfAnOrAreFalse() {
        assertThat(mutated("SELECT a FROM t WHERE b AND (c OR d AND e)"))
                .containsExactly(
                        "SELECT a FROM t WHERE TRUE AND (c OR d AND e)",
                        "SELECT a FROM t WHERE b AND TRUE",
                        "SELECT a FROM t WHERE b AND (FALSE OR d AND e)",
                        "SELECT a FROM t WHERE b AND (c OR TRUE AND e)",
                        "SELECT a FROM t WHERE b AND (c OR FALSE)",
                        "SELECT a FROM t WHERE b AND (c OR d AND TRUE)");
    }

    @Test
    void theOnlyConditionIsTrue() {
        assertThat(mutated("DELETE FROM t USING u WHERE NOT EXISTS (SELECT FROM v WHERE a IS NULL)"))
                .containsExactly(
                        "DELETE FROM t USING u WHERE TRUE",
                        "DELETE FROM t USING u WHERE NOT EXISTS (SELECT FROM v WHERE TRUE)");
        assertThat(mutated("SELECT FROM t JOIN u ON t.a = u.a LEFT JOIN v ON TRUE"))
                .containsExactly("SELECT FROM t JOIN u ON TRUE LEFT JOIN v ON TRUE");
    }

    @Test
    void theConditionOfACaseOrAnIfOrAColumnIsEither() {
        assertThat(mutated("SELECT CASE WHEN a THEN b WHEN c AND d THEN e END"))
                .containsExactly(
                        "SELECT CASE WHEN TRUE THEN b WHEN c AND d THEN e END",
                        "SELECT CASE WHEN FALSE THEN b WHEN c AND d THEN e END",
                        "SELECT CASE WHEN a THEN b WHEN TRUE AND d THEN e END",
                        "SELECT CASE WHEN a THEN b WHEN FALSE THEN e END",
                        "SELECT CASE WHEN a THEN b WHEN c AND TRUE THEN e END");
        assertThat(mutated("SELECT CASE a WHEN 'b' THEN c ELSE d END"))
                .containsExactly("SELECT CASE a WHEN NULL THEN c ELSE d END", "SELECT CASE a WHEN a THEN c ELSE d END");
        assertThat(mutated("UPDATE t SET a = IF(b, c, d)"))
                .containsExactly("UPDATE t SET a = IF(TRUE, c, d)", "UPDATE t SET a = IF(FALSE, c, d)");
        assertThat(mutated("SELECT a, b = c AS d")).containsExactly("SELECT a, TRUE AS d", "SELECT a, FALSE AS d");
    }

    @Test
    void aParameterStays() {
        assertThat(mutated("SELECT FROM t WHERE a = ? OR ? = b"))
                .containsExactly(
                        "SELECT FROM t WHERE (FALSE AND (a = ?)) OR ? = b",
                        "SELECT FROM t WHERE a = ? OR (FALSE AND (? = b))");
        assertThat(mutated("SELECT FROM t WHERE a = ?")).containsExactly("SELECT FROM t WHERE (TRUE OR (a = ?))");
        assertThatThrownBy(() -> mutated("SELECT greatest(a, ?)")).hasMessageContaining("a parameter got lost");
    }

    @Test
    void comparisonsAreWeakened() {
        assertThat(mutated("UPDATE t SET a = b <= c, d = e IS DISTINCT FROM f"))
                .containsExactly(
                        "UPDATE t SET a = b < c, d = e IS DISTINCT FROM f", "UPDATE t SET a = b <= c, d = e <> f");
        assertThat(mutated("UPDATE t SET a = b <=> c")).containsExactly("UPDATE t SET a = b = c");
    }

    @Test
    void whatIsReckonedIsNot() {
        assertThat(mutated("UPDATE t SET a = greatest(a + 1, least(b, 2 * c))"))
                .containsExactly(
                        "UPDATE t SET a = greatest(a, least(b, 2 * c))",
                        "UPDATE t SET a = greatest(a + 1, least(b, c))",
                        "UPDATE t SET a = (a + 1)",
                        "UPDATE t SET a = (least(b, 2 * c))",
                        "UPDATE t SET a = greatest(a + 1, (b))",
                        "UPDATE t SET a = greatest(a + 1, (2 * c))");
    }

    @Test
    void locksConflictsOrdersAndLimitsAreOthers() {
        assertThat(mutated("SELECT a FROM t ORDER BY a DESC LIMIT 5\n FOR UPDATE SKIP LOCKED"))
                .containsExactly(
                        "SELECT a FROM t ORDER BY a DESC LIMIT 5\n FOR UPDATE",
                        "SELECT a FROM t ORDER BY a DESC LIMIT 5\n ",
                        "SELECT a FROM t ORDER BY a LIMIT 5\n FOR UPDATE SKIP LOCKED",
                        "SELECT a FROM t ORDER BY a DESC LIMIT 6\n FOR UPDATE SKIP LOCKED");
        assertThat(mutated("SELECT a FROM t LIMIT ?::bigint")).containsExactly("SELECT a FROM t LIMIT ?::bigint + 1");
        assertThat(mutated("SELECT a FROM t LIMIT ?")).isEmpty();
        assertThat(mutated("INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING"))
                .containsExactly("INSERT INTO t VALUES (1) ");
    }

    @Test
    void namesTellTheConditionAndAreDistinct() {
        assertThat(names("SELECT FROM t\n WHERE a\n   AND b < now()\n   AND a"))
                .containsExactly("s: a is TRUE", "s: b < now is TRUE", "s: a is TRUE (2)", "s: AND b < now with <=");
    }
}
