package io.holdfast.postgres;

import io.holdfast.Budget;
import io.holdfast.sanction.SanctionStore;

/**
 * Every statement of sanctions, made as those of {@link PostgresStatements}. What decides is the unique index over the active
 * ones, and for what changes one of them the condition on its own row, which is looked at again after a wait.
 */
final class PostgresSanctionStatements {
    private static final String SANCTION = """
            s.id, s.account, s.reason, s.imposed_by, s.since, s.ends_at - s.since AS lasting, s.ends_at - {now} AS ends_in,
                   s.state, s.lifted_by, s.lifted_at, s.replaced_by""";

    /**
     * Imposes a sanction. Answers with one row if it did.
     *
     * <p>WISH keeps the losers quiet: where an active one is seen, or this id, nothing is written and nothing locked. Its
     * snapshot may be old; then the unique index has the last word, and says so without an error, because ON CONFLICT names
     * none: whichever it was, it is looked up afterwards.
     *
     * <p>An active one whose time is over is still in that index, and is ended here. IMPOSED reads from RAN_OUT because it
     * would run first otherwise, and find it there.
     */
    final String impose;

    /**
     * Imposes a sanction in the place of the one that was seen. Answers with one row if it did. Here a conflict is an error, so
     * that it undoes the end of the old one as well; only an id that is used for two wishes at once can bring one about.
     */
    final String replace;

    /** Lifts the sanction that was seen. Answers with it if it did. */
    final String lift;

    /** Says what has this id, and what the account has: at most one row for each, the id's first. */
    final String truth;

    final String active;
    final String history;

    PostgresSanctionStatements(String prefix, Budget budget) {
        impose = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::uuid AS id, ?::text AS account, ?::text AS reason, ?::text AS imposed_by,
                           nullif(?::bigint, 0) AS lasting
                ), wish AS MATERIALIZED (
                    SELECT asked.*
                      FROM asked
                     WHERE NOT EXISTS (SELECT FROM holdfast_sanction s WHERE s.id = asked.id)
                       AND NOT EXISTS (SELECT FROM holdfast_sanction s
                                        WHERE s.account = asked.account AND s.state = 'active'
                                          AND (s.ends_at IS NULL OR s.ends_at > {now}))
                ), ran_out AS (
                    UPDATE holdfast_sanction s
                       SET state = 'ran_out'
                      FROM wish
                     WHERE s.account = wish.account AND s.state = 'active' AND s.ends_at <= {now}
                    RETURNING s.id
                ), imposed AS (
                    INSERT INTO holdfast_sanction (id, account, number, reason, imposed_by, since, ends_at, state)
                    SELECT id, account,
                           1 + coalesce((SELECT max(s.number) FROM holdfast_sanction s WHERE s.account = wish.account), 0),
                           reason, imposed_by, clock.now, clock.now + lasting, 'active'
                      FROM wish, (SELECT count(*), {now} AS now FROM ran_out) AS clock
                    ON CONFLICT DO NOTHING
                    RETURNING *
                ), forgotten AS (
                    {forgotten}
                )
                SELECT {sanction} FROM imposed s""");

        replace = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::uuid AS seen, ?::uuid AS id, ?::text AS account, ?::text AS reason, ?::text AS imposed_by,
                           nullif(?::bigint, 0) AS lasting
                ), replaced AS (
                    UPDATE holdfast_sanction s
                       SET state = 'replaced', replaced_by = asked.id
                      FROM asked
                     WHERE s.id = asked.seen AND s.account = asked.account AND s.state = 'active'
                       AND (s.ends_at IS NULL OR s.ends_at > {now})
                       AND NOT EXISTS (SELECT FROM holdfast_sanction k WHERE k.id = asked.id)
                    RETURNING s.number
                ), imposed AS (
                    INSERT INTO holdfast_sanction (id, account, number, reason, imposed_by, since, ends_at, state)
                    SELECT id, account, number + 1, reason, imposed_by, now, now + lasting, 'active'
                      FROM asked, (SELECT number, {now} AS now FROM replaced) AS clock
                    RETURNING *
                ), forgotten AS (
                    {forgotten}
                )
                SELECT {sanction} FROM imposed s""");

        lift = statement(prefix, budget, """
                UPDATE holdfast_sanction s
                   SET state = 'lifted', lifted_by = ?::text, lifted_at = {now}
                 WHERE s.id = ?::uuid AND s.account = ?::text AND s.state = 'active'
                   AND (s.ends_at IS NULL OR s.ends_at > {now})
                RETURNING {sanction}""");

        truth = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::uuid AS id, ?::text AS account
                )
                SELECT true AS own, {sanction}
                  FROM asked JOIN holdfast_sanction s ON s.id = asked.id
                UNION ALL
                SELECT false, {sanction}
                  FROM asked JOIN holdfast_sanction s ON s.account = asked.account AND s.state = 'active'
                ORDER BY own DESC""");

        active = statement(prefix, budget, """
                SELECT {sanction} FROM holdfast_sanction s WHERE s.account = ?::text AND s.state = 'active'""");

        history = statement(prefix, budget, """
                SELECT {sanction} FROM holdfast_sanction s
                 WHERE s.account = ?::text
                 ORDER BY s.number DESC
                 LIMIT ?::bigint""");
    }

    private static String statement(String prefix, Budget budget, String text) {
        return PostgresStatements.statement(
                prefix,
                budget,
                text.replace("{forgotten}", """
                DELETE FROM holdfast_sanction s
                     USING imposed
                     WHERE s.account = imposed.account AND s.number <= imposed.number - {kept}""")
                        .replace("{kept}", Integer.toString(SanctionStore.HISTORY))
                        .replace("{sanction}", SANCTION));
    }
}
