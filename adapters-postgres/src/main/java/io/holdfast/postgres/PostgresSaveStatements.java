package io.holdfast.postgres;

import io.holdfast.Budget;

/** Every statement of saving, as {@link PostgresStatements#statement} frames it. What decides is the guard of the UPDATE. */
final class PostgresSaveStatements {
    /** Somebody was taken over who may have written, whether or not anybody has the token now. */
    private static final String DOUBT = "s.taken_over IS NOT NULL AND s.result IS NULL";

    /** Makes a token known that is not. Answers with one row if it did. */
    final String issue;

    /** Takes the token. Answers with one row if it was taken. */
    final String reserve;

    /** Says why it could not be taken, and renews it if this very attempt has it already. Answers with one row. */
    final String truth;

    /** As {@link PostgresStatements#renew}. */
    final String renew;

    /**
     * Ends what an attempt has; without an attempt, what is in doubt. With a result it is used, without one given back: by an
     * attempt for itself alone, so that the payload stays of whom it took over. Answers with one row if it did.
     */
    final String end;

    /** Says how it had ended, or who has it. Answers with one row. */
    final String standing;

    /** Forgets what is over. Answers with how many. */
    final String forget;

    PostgresSaveStatements(String prefix, Budget budget) {
        issue = statement(prefix, budget, """
                INSERT INTO holdfast_save (token, refuse, over_at, fence, held, since, beat, silence_limit, free_at)
                VALUES (?::bytea, ?::boolean, {now} + ?::bigint, 0, false, 0, 0, 0, 0)
                ON CONFLICT DO NOTHING
                RETURNING true""");

        reserve = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::bytea AS token, ?::uuid AS attempt, ?::bytea AS payload, ?::text AS holder,
                           ?::bigint AS silence_limit
                )
                UPDATE holdfast_save s
                   SET attempt = asked.attempt, fence = greatest(s.fence + 1, {now}), held = true,
                       holder = asked.holder, since = {now}, beat = {now}, silence_limit = asked.silence_limit,
                       free_at = {now} + asked.silence_limit,
                       taken_over = CASE WHEN s.held THEN s.attempt ELSE s.taken_over END, payload = asked.payload
                  FROM asked
                 WHERE s.token = asked.token
                   AND s.free_at <= {now}
                   AND s.attempt IS DISTINCT FROM asked.attempt
                   AND NOT (s.held AND s.refuse)
                   AND s.result IS NULL
                   AND s.over_at > {now}
                   AND (s.payload IS NULL OR s.payload = asked.payload)
                RETURNING s.fence, s.taken_over, greatest(s.free_at - {now}, 0) AS remaining""");

        truth = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::bytea AS token, ?::uuid AS attempt, ?::bytea AS payload
                ), renewed AS (
                    UPDATE holdfast_save s
                       SET beat = greatest(s.beat, {now}), free_at = greatest(s.free_at, {now} + s.silence_limit)
                      FROM asked
                     WHERE s.token = asked.token AND s.attempt = asked.attempt AND s.held AND s.payload = asked.payload
                    RETURNING s.fence, s.taken_over, greatest(s.free_at - {now}, 0) AS remaining
                )
                SELECT renewed.fence AS re_fence, renewed.taken_over AS re_taken_over, renewed.remaining,
                       s.token IS NOT NULL AS known, s.payload <> asked.payload AS other, s.result,
                       s.attempt = asked.attempt AS mine, s.free_at <= {now} AS takeable, s.refuse,
                       s.over_at <= {now} AS expired, s.held,
                       {last}
                  FROM asked
                  LEFT JOIN renewed ON true
                  LEFT JOIN holdfast_save s ON s.token = asked.token""");

        renew = statement(prefix, budget, """
                WITH asked AS (
                    SELECT * FROM unnest(?::bytea[], ?::uuid[], ?::bigint[]) AS held (token, attempt, fence)
                ), locked AS (
                    SELECT s.token
                      FROM asked
                      JOIN holdfast_save s ON s.token = asked.token AND s.attempt = asked.attempt AND s.fence = asked.fence
                     WHERE s.held
                       FOR NO KEY UPDATE OF s SKIP LOCKED
                ), renewed AS (
                    UPDATE holdfast_save s
                       SET beat = greatest(s.beat, {now}), free_at = greatest(s.free_at, {now} + s.silence_limit)
                      FROM locked
                     WHERE s.token = locked.token
                    RETURNING s.token, s.attempt, s.fence, greatest(s.free_at - {now}, 0) AS remaining
                )
                SELECT asked.token, asked.attempt, asked.fence, renewed.remaining,
                       {incumbent}
                  FROM asked
                  LEFT JOIN renewed USING (token, attempt, fence)
                  LEFT JOIN holdfast_save s ON s.token = asked.token""");

        end = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::bytea AS token, ?::uuid AS attempt, ?::bigint AS fence, ?::bytea AS result
                )
                UPDATE holdfast_save s
                   SET held = false, free_at = 0, result = asked.result,
                       over_at = CASE WHEN asked.result IS NULL THEN s.over_at ELSE {now} END,
                       payload = CASE WHEN asked.result IS NOT NULL OR asked.attempt = s.attempt AND {doubt}
                                      THEN s.payload END,
                       taken_over = CASE WHEN asked.result IS NOT NULL OR asked.attempt = s.attempt THEN s.taken_over END
                  FROM asked
                 WHERE s.token = asked.token AND s.fence = asked.fence
                   AND (s.held AND s.attempt = asked.attempt
                        OR asked.attempt IS NULL AND s.free_at <= {now} AND (s.held OR {doubt}))
                RETURNING true""");

        standing = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::bytea AS token, ?::uuid AS attempt, ?::bigint AS fence
                )
                SELECT s.fence = asked.fence AND NOT s.held AND (s.attempt = asked.attempt OR asked.attempt IS NULL) AS ended,
                       s.fence = asked.fence AND asked.attempt IS NULL AND s.free_at <= {now} AND (s.held OR {doubt}) AS in_doubt,
                       s.result,
                       {incumbent}
                  FROM asked
                  LEFT JOIN holdfast_save s ON s.token = asked.token""");

        // The clock as a subquery: read once, so that the index finds what is over.
        forget = statement(prefix, budget, """
                WITH over AS (
                    SELECT s.token
                      FROM holdfast_save s
                     WHERE NOT s.held AND NOT ({doubt}) AND s.over_at <= (SELECT {now} - ?::bigint)
                     ORDER BY s.over_at
                     LIMIT ?::bigint
                       FOR UPDATE SKIP LOCKED
                ), forgotten AS (
                    DELETE FROM holdfast_save s
                     USING over
                     WHERE s.token = over.token AND NOT s.held
                    RETURNING s.token
                )
                SELECT count(*) FROM forgotten""");
    }

    private static String statement(String prefix, Budget budget, String text) {
        String framed = text.replace("{last}", PostgresStatements.incumbent("s", "(s.held OR {doubt})"))
                .replace("{incumbent}", PostgresStatements.incumbent("s", "s.held"))
                .replace("{doubt}", DOUBT);
        return PostgresStatements.statement(prefix, budget, framed);
    }
}
