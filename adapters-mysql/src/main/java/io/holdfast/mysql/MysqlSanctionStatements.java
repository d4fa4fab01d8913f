package io.holdfast.mysql;

import io.holdfast.sanction.SanctionStore;
import java.util.List;

/**
 * Every statement of sanctions, made as those of {@link MysqlStatements}. What decides is the unique index over the active
 * ones, and for what changes one of them the condition on its own row, which is looked at on its newest version, after any
 * wait.
 */
final class MysqlSanctionStatements {
    private static final String SANCTION = """
            s.id, s.account, s.reason, s.imposed_by, s.since, s.ends_at - s.since AS lasting, s.ends_at - {now} AS ends_in,
                   s.state, s.lifted_by, s.lifted_at, s.replaced_by""";

    /**
     * Says what has this id, what the account has, and its newest: at most one row for each. Read first, without a lock, so
     * that losers are told and gone; what it let through wrongly is refused by what comes after it.
     */
    final String truth;

    /** Ends the one whose time is over, which is still in the index. */
    final String runOut;

    /** Imposes a sanction, or runs into a unique index, also with a number that is old. The word that comes back is the time. */
    final String impose;

    /** Ends the one that was seen, in the transaction that imposes the one in its place. */
    final String replace;

    /** Ends the one that was seen. The word that comes back is the time. */
    final String lift;

    /**
     * Deletes what is beyond the history. Where nothing is, it must not be sent: it would ask for the row that was just
     * imposed, and for all that a rival waits for there, and one of the two would die in a deadlock.
     */
    final String forget;

    final String active;
    final String history;

    MysqlSanctionStatements(String prefix) {
        truth = statement(prefix, """
                SELECT 'own' AS part, s.number, {sanction} FROM holdfast_sanction s WHERE s.id = ?
                UNION ALL
                SELECT 'standing', s.number, {sanction} FROM holdfast_sanction s WHERE s.active_account = ?
                UNION ALL
                (SELECT 'newest', s.number, {sanction} FROM holdfast_sanction s
                  WHERE s.account = ? ORDER BY s.number DESC LIMIT 1)""");

        runOut = statement(prefix, """
                UPDATE holdfast_sanction SET state = 'ran_out' WHERE id = ? AND state = 'active' AND ends_at <= {now}""");

        impose = statement(prefix, """
                INSERT INTO holdfast_sanction (id, account, number, reason, imposed_by, since, ends_at, state)
                VALUES (?, ?, ?, ?, ?, LAST_INSERT_ID({now}), {now} + ?, 'active')""");

        replace = statement(prefix, """
                UPDATE holdfast_sanction
                   SET state = 'replaced', replaced_by = ?
                 WHERE id = ? AND state = 'active' AND (ends_at IS NULL OR ends_at > {now})""");

        lift = statement(prefix, """
                UPDATE holdfast_sanction
                   SET state = 'lifted', lifted_by = ?, lifted_at = LAST_INSERT_ID({now})
                 WHERE id = ? AND state = 'active' AND (ends_at IS NULL OR ends_at > {now})""");

        forget = statement(prefix, """
                DELETE FROM holdfast_sanction WHERE account = ? AND number <= ? - {kept}""");

        active = statement(prefix, """
                SELECT {sanction} FROM holdfast_sanction s WHERE s.active_account = ?""");

        history = statement(prefix, """
                SELECT {sanction} FROM holdfast_sanction s WHERE s.account = ? ORDER BY s.number DESC LIMIT ?""");
    }

    /** Those that change something. */
    List<String> writes() {
        return List.of(runOut, impose, replace, lift, forget);
    }

    private static String statement(String prefix, String text) {
        return MysqlStatements.statement(
                prefix,
                text.replace("{sanction}", SANCTION).replace("{kept}", Integer.toString(SanctionStore.HISTORY)));
    }
}
