package io.holdfast.mysql;

/** Every statement of saving, as the server gets it; made as {@link MysqlStatements} are. */
final class MysqlSaveStatements {
    /** Somebody was taken over who may have written, whether or not anybody has the token now. */
    private static final String DOUBT = "s.taken_over IS NOT NULL AND s.result IS NULL";

    /** Makes a token known. */
    final String issue;

    /**
     * Takes the token. The word that comes back with the count, the guard and the subquery are as in {@link
     * MysqlStatements#take}; the bit says whether there is a doubt to be told of.
     */
    final String reserve;

    /** Whose silent hold was the last to be ended by a take-over. */
    final String takenOver;

    /** Says why a token could not be taken. Answers with one row. */
    final String truth;

    /** Renews many; as {@link MysqlStatements#renew}. */
    final String renew;

    /** Says what the renewal before it came to. Answers with a row for each hold, in order. */
    final String renewed;

    /**
     * Ends what an attempt has; or, if it is an operator's word, what is in doubt. With a result it is used, without one given
     * back: by an attempt for itself alone, so that the payload stays of whom it took over. The assignments are made from left to
     * right, and {@code result} is NULL until the last of them.
     */
    final String end;

    /** Says how it had ended, or who has it. Answers with one row. */
    final String standing;

    /**
     * Forgets what is over, stepping over the rows that are locked just now. The query inside locks what it finds, by the newest
     * version: one that does not lock would wait, as any that is read by a DELETE takes shared locks.
     */
    final String forget;

    MysqlSaveStatements(String prefix) {
        issue = statement(prefix, """
                INSERT INTO holdfast_save (token, refuse, over_at, fence, held, free_at)
                VALUES (?, ?, {now} + ?, 0, FALSE, 0)""");

        reserve = statement(prefix, """
                UPDATE holdfast_save
                   SET taken_over = IF(held, attempt, taken_over),
                       fence = LAST_INSERT_ID(2 * CAST(GREATEST(fence + 1, {now}) AS UNSIGNED) + (taken_over IS NOT NULL)) DIV 2,
                       attempt = ?, held = TRUE, holder = ?, since = {now}, beat = since,
                       silence_limit = ?, free_at = beat + silence_limit, payload = ?
                 WHERE token = ?
                   AND free_at <= {now}
                   AND NOT (attempt <=> ?)
                   AND NOT (held AND refuse)
                   AND result IS NULL
                   AND over_at > {now}
                   AND (payload IS NULL OR payload = ?)
                   AND (SELECT seen.token
                          FROM (SELECT s.token
                                  FROM holdfast_save s
                                 WHERE s.token = ?
                                   AND s.free_at <= {now}
                                   AND NOT (s.attempt <=> ?)
                                   AND NOT (s.held AND s.refuse)
                                   AND s.result IS NULL
                                   AND s.over_at > {now}
                                   AND (s.payload IS NULL OR s.payload = ?)
                                 LIMIT 1) AS seen) IS NOT NULL""");

        takenOver = statement(prefix, "SELECT taken_over FROM holdfast_save WHERE token = ?");

        truth = statement(prefix, """
                SELECT s.token IS NOT NULL AS known, s.payload <> asked.payload AS other, s.result,
                       s.attempt = asked.attempt AS mine, s.taken_over, s.refuse, s.over_at <= {now} AS expired,
                       s.held,
                       {last}
                  FROM (SELECT CAST(? AS BINARY) AS token, CAST(? AS BINARY) AS attempt, CAST(? AS BINARY) AS payload) AS asked
                  LEFT JOIN holdfast_save s ON s.token = asked.token""");

        renew = statement(prefix, """
                UPDATE (SELECT STRAIGHT_JOIN b.token
                          FROM {held}
                          JOIN holdfast_save b FORCE INDEX (PRIMARY) ON b.token = UNHEX(held.name)
                         WHERE b.attempt = UNHEX(held.attempt) AND b.fence = held.fence AND b.held
                         LIMIT {batch}
                           FOR UPDATE OF b SKIP LOCKED) AS unlocked
                STRAIGHT_JOIN holdfast_save s FORCE INDEX (PRIMARY) ON s.token = unlocked.token
                   SET s.beat = GREATEST(s.beat, {now}),
                       s.free_at = GREATEST(s.free_at, {now} + s.silence_limit)""");

        renewed = statement(prefix, """
                SELECT CAST(s.attempt = UNHEX(held.attempt) AND s.fence = held.fence AND s.held AS SIGNED) AS mine,
                       CAST(s.beat >= @holdfast_began AS SIGNED) AS heard,
                       {incumbent}
                  FROM {held}
                  LEFT JOIN holdfast_save s ON s.token = UNHEX(held.name)
                 ORDER BY held.n""");

        end = statement(prefix, """
                UPDATE holdfast_save s
                   SET s.held = FALSE, s.free_at = 0, s.over_at = IF(?, {now}, s.over_at),
                       s.taken_over = IF(?, s.taken_over, NULL), s.payload = IF(?, s.payload, IF({doubt}, s.payload, NULL)),
                       s.result = ?
                 WHERE s.token = ? AND s.fence = ?
                   AND (s.held AND s.attempt = ? OR ? AND s.free_at <= {now} AND (s.held OR {doubt}))""");

        standing = statement(prefix, """
                SELECT s.fence = asked.fence AND NOT s.held AND (s.attempt = asked.attempt OR asked.attempt IS NULL) AS ended,
                       s.fence = asked.fence AND asked.attempt IS NULL AND s.free_at <= {now} AND (s.held OR {doubt}) AS in_doubt,
                       s.result,
                       {incumbent}
                  FROM (SELECT CAST(? AS BINARY) AS token, CAST(? AS BINARY) AS attempt, CAST(? AS SIGNED) AS fence) AS asked
                  LEFT JOIN holdfast_save s ON s.token = asked.token""");

        forget = statement(prefix, """
                DELETE s
                  FROM (SELECT s.token
                          FROM holdfast_save s
                         WHERE s.over_at <= {now} - ? AND NOT s.held AND NOT ({doubt})
                         ORDER BY s.over_at
                         LIMIT ?
                           FOR UPDATE SKIP LOCKED) AS gone
                  STRAIGHT_JOIN holdfast_save s FORCE INDEX (PRIMARY) ON s.token = gone.token""");
    }

    private static String statement(String prefix, String text) {
        String framed = text.replace("{last}", MysqlStatements.incumbent("s", "(s.held OR {doubt})"))
                .replace("{incumbent}", MysqlStatements.incumbent("s", "s.held"))
                .replace("{doubt}", DOUBT);
        return MysqlStatements.statement(prefix, framed);
    }
}
