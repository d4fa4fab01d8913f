package io.holdfast.mysql;

import java.util.List;

/**
 * Every statement of refresh tokens, as the server gets it; made as {@link MysqlStatements} are. Where a generation is presented,
 * its number is every parameter but the last ones, which are its family.
 */
final class MysqlRefreshStatements {
    /**
     * What a presented generation is, in the order of {@link io.holdfast.refresh.RefreshTokenStore#rotate}. Those in capitals are
     * named as the domain names them; 'rotated' and 'reused' change the row, and the others leave it alone.
     */
    private static final String VERDICT = """
            CASE WHEN revoked_at <> 0 THEN 'REVOKED'
                            WHEN expires_at <= {now} THEN 'EXPIRED'
                            WHEN ? > generation THEN 'rotated'
                            WHEN ? = generation AND {now} < born + token_valid THEN 'rotated'
                            WHEN ? = generation THEN 'EXPIRED'
                            WHEN ? = generation - 1 AND {now} < born + grace THEN 'replayed'
                            WHEN ? = generation - 2 AND {now} < born_before + grace THEN 'OVERTAKEN'
                            ELSE 'reused' END""";

    /** Begins a family; a duplicate if it exists. */
    final String open;

    /**
     * Rotates, or revokes what was reused, by one guard, which is looked at on the newest version of the row: whichever of two
     * comes second is judged again by what the first has left. The word that comes back with the count is 1 or 2. For the
     * subquery the same is true as in {@link MysqlStatements#take}: it keeps the losers from locking, and decides nothing.
     *
     * <p>SET goes from left to right: all but {@code generation} read it as it was. The birth of a generation that is ahead is
     * lost; that the one before it was used just now does no harm.
     */
    final String rotate;

    static final long ROTATED = 1;

    /** Says what a generation is when the row need not change. Answers with one row, if there is such a family. */
    final String verdict;

    final String revoke;

    /**
     * Deletes some of those that are over, stepping over what is locked. LIMIT keeps the locking query apart, as in {@link
     * MysqlStatements#renew}.
     */
    final String forget;

    MysqlRefreshStatements(String prefix) {
        open = statement(prefix, """
                INSERT INTO holdfast_refresh
                       (family, generation, born, born_before, token_valid, grace, expires_at, revoked_at)
                VALUES (?, 1, {now}, {now}, ?, ?, {now} + ?, 0)""");

        rotate = statement(prefix, """
                UPDATE holdfast_refresh
                   SET born_before = IF(? < generation, born_before, IF(? = generation, born, {now})),
                       born = IF(LAST_INSERT_ID(IF(? < generation, 2, 1)) = 2, born, {now}),
                       revoked_at = IF(? < generation, {now}, 0),
                       generation = IF(? < generation, generation, ? + 1)
                 WHERE {verdict} IN ('rotated', 'reused')
                   AND (SELECT seen.family
                          FROM (SELECT family
                                  FROM holdfast_refresh
                                 WHERE {verdict} IN ('rotated', 'reused')
                                   AND family = ?
                                 LIMIT 1) AS seen) IS NOT NULL
                   AND family = ?""");

        verdict = statement(prefix, """
                SELECT {verdict} AS verdict FROM holdfast_refresh WHERE family = ?""");

        revoke = statement(prefix, """
                UPDATE holdfast_refresh SET revoked_at = {now} WHERE family = ? AND revoked_at = 0""");

        forget = statement(prefix, """
                DELETE r
                  FROM (SELECT family
                          FROM holdfast_refresh
                         WHERE expires_at <= {now} - ?
                         ORDER BY expires_at
                         LIMIT ?
                           FOR UPDATE SKIP LOCKED) AS ended
                STRAIGHT_JOIN holdfast_refresh r FORCE INDEX (PRIMARY) ON r.family = ended.family""");
    }

    /** What needs a right of its own, as it can be planned without values: a limit is never NULL. */
    List<String> writes() {
        return List.of(open, rotate, forget.replace("LIMIT ?", "LIMIT 1"));
    }

    private static String statement(String prefix, String text) {
        return MysqlStatements.statement(prefix, text.replace("{verdict}", VERDICT));
    }
}
