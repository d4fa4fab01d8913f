package io.holdfast.postgres;

import io.holdfast.Budget;

/** Every statement of refresh tokens, as the server gets it; made as {@link PostgresStatements} are. */
final class PostgresRefreshStatements {
    /**
     * What a presented generation is, in the order of {@link io.holdfast.refresh.RefreshTokenStore#rotate}. Those in capitals are
     * named as the domain names them; the first two below change the row, and the others leave it alone.
     */
    private static final String VERDICT = """
            CASE WHEN r.revoked_at <> 0 THEN 'REVOKED'
                            WHEN r.expires_at <= {now} THEN 'EXPIRED'
                            WHEN asked.presented > r.generation THEN 'rotated'
                            WHEN asked.presented = r.generation AND {now} < r.born + r.token_valid THEN 'rotated'
                            WHEN asked.presented = r.generation THEN 'EXPIRED'
                            WHEN asked.presented = r.generation - 1 AND {now} < r.born + r.grace THEN 'replayed'
                            WHEN asked.presented = r.generation - 2 AND {now} < r.born_before + r.grace THEN 'OVERTAKEN'
                            ELSE 'reused' END""";

    /** Begins a family that does not exist. */
    final String open;

    /**
     * Rotates, or revokes what was reused, by one guard: whichever of two comes second is judged again by what the first has
     * left. Answers with one row if it did either; if neither was to be done, nothing is locked.
     */
    final String rotate;

    /** Says what a generation is when the row need not change. Answers with one row, if there is such a family. */
    final String verdict;

    final String revoke;

    /** Deletes some of those that are over. Answers with how many. */
    final String forget;

    PostgresRefreshStatements(String prefix, Budget budget) {
        open = statement(prefix, budget, """
                INSERT INTO holdfast_refresh
                       (family, generation, born, born_before, token_valid, grace, expires_at, revoked_at)
                SELECT ?::uuid, 1, {now}, {now}, ?::bigint, ?::bigint, {now} + ?::bigint, 0
                ON CONFLICT DO NOTHING""");

        rotate = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::uuid AS family, ?::bigint AS presented
                )
                UPDATE holdfast_refresh r
                   SET generation = CASE WHEN asked.presented < r.generation THEN r.generation ELSE asked.presented + 1 END,
                       born = CASE WHEN asked.presented < r.generation THEN r.born ELSE {now} END,
                       -- The birth of one that is ahead is lost: that the one before it was used just now does no harm.
                       born_before = CASE WHEN asked.presented < r.generation THEN r.born_before
                                          WHEN asked.presented = r.generation THEN r.born ELSE {now} END,
                       revoked_at = CASE WHEN asked.presented < r.generation THEN {now} ELSE 0 END
                  FROM asked
                 WHERE r.family = asked.family
                   AND {verdict} IN ('rotated', 'reused')
                RETURNING r.revoked_at <> 0 AS reused""");

        verdict = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::uuid AS family, ?::bigint AS presented
                )
                SELECT {verdict} AS verdict
                  FROM asked
                  JOIN holdfast_refresh r ON r.family = asked.family""");

        revoke = statement(prefix, budget, """
                UPDATE holdfast_refresh SET revoked_at = {now} WHERE family = ?::uuid AND revoked_at = 0""");

        forget = statement(prefix, budget, """
                WITH over AS (
                    SELECT r.family
                      FROM holdfast_refresh r
                     WHERE r.expires_at <= (SELECT {now}) - ?::bigint
                     ORDER BY r.expires_at
                     LIMIT ?::bigint
                       FOR UPDATE SKIP LOCKED
                ), forgotten AS (
                    DELETE FROM holdfast_refresh r USING over WHERE r.family = over.family RETURNING r.family
                )
                SELECT count(*) FROM forgotten""");
    }

    private static String statement(String prefix, Budget budget, String text) {
        return PostgresStatements.statement(prefix, budget, text.replace("{verdict}", VERDICT));
    }
}
