package io.holdfast.postgres;

import io.holdfast.Budget;
import io.holdfast.publish.Deployments;

/**
 * Every statement of publishing, as the server gets it. Each is a transaction of its own and one round trip: begin, its
 * bounds, itself and commit are sent together. One of these returns rows, and no more: pgjdbc with {@code prepareThreshold=-1}
 * takes one statement's columns for another's if two do.
 *
 * <p>{@code {now}} is the server's clock in microseconds, read when it is evaluated: {@code now()} stands still while a
 * statement waits for a lock, and a hold that it dated would be too old (G3).
 */
final class PostgresStatements {
    /**
     * The bounds come in this order, and on the first try before the one of the network: so what is waited for too long is known
     * not to have happened, as long as the server lives. A later try has less time, and may end as UNKNOWN. The bounds are
     * constants, because a text that changed with the time that is left would be prepared anew for each call.
     */
    private static final String OWN_TRANSACTION = """
            BEGIN ISOLATION LEVEL READ COMMITTED;
            SET LOCAL lock_timeout = {lock_timeout};
            SET LOCAL statement_timeout = {statement_timeout};
            SET LOCAL client_min_messages = warning;
            SET LOCAL synchronous_commit = on;
            {statement};
            COMMIT""";

    private static final String NOW = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

    private static final String DEPLOYMENT = """
            d.id, d.app, d.slug, d.fence, d.holder, d.started, {now} - d.started AS age, d.taken_over, d.state, d.detail,
                   d.by_id""";

    private static final String INCUMBENT = """
            {held} AS in_held, {row}.attempt AS in_attempt, {row}.holder AS in_holder, {row}.fence AS in_fence,
                   {row}.since AS in_since, {now} - {row}.beat AS in_silent_for, {row}.free_at - {now} AS in_takeable_in""";

    /**
     * Takes the app, and records it. Answers with one row if it was taken.
     *
     * <p>What decides is the guard of the UPDATE, on the row itself: only that is looked at again after a wait for a rival.
     * What else is asked before (other apps' slugs, older request keys) keeps the losers quiet, and has a unique index as its
     * last word. An UPDATE that finds its guard false locks nothing, as ON CONFLICT DO UPDATE would; so losers never stand
     * in a heartbeat's way.
     *
     * <p>ABANDONED ends what is building, and not only what was taken over: a deployment whose app's row was deleted or
     * changed by hand would stand in the way of every later one (G13). One that ended while the take waited still seems to be
     * building; that it has neither a detail nor a successor is looked at again. That is asked and not the state, because
     * with few builds the planner would then read the index of all that are building.
     *
     * <p>RECORDED reads from ABANDONED because parts of a statement that do not need each other run in any order, and the
     * old deployment must have left the index of the building ones first.
     */
    final String take;

    /** Says why an app could not be taken, and renews it if this very attempt has it already. Answers with one row. */
    final String truth;

    /**
     * Renews many. Answers with a row for each: renewed if there is time remaining; else who is building, if anybody is. Rows
     * that are locked just now are stepped over.
     */
    final String renew;

    /** Ends a deployment, and lets its app go. Answers with one row if it did. */
    final String finish;

    /** Says why a deployment could not be ended: how it had ended, and who has its app. Answers with one row. */
    final String ending;

    /**
     * Takes an app from whoever has it by this fence, or keeps others from taking it, and abandons its deployment. Answers
     * with one row if it did.
     *
     * <p>The deployment gets a detail, here and in {@link #endSilent}, since there is no successor to name: a take that
     * has waited for the row meanwhile asks for one of them before it abandons what it still sees building.
     */
    final String evict;

    /** Who holds the app. Answers with one row. */
    final String holder;

    /**
     * Abandons the deployments of holders that have been silent for twice their own limit. Answers with a row for each.
     *
     * <p>Candidates are found by the index of the deployments that are building: one on the times would be touched by every
     * heartbeat. What decides is asked again on the newest version of the row once that is locked, so that a renewal that came
     * first is seen; a row that is locked just now belongs to somebody who lives, and is stepped over.
     */
    final String endSilent;

    final String find;
    final String live;
    final String recent;

    PostgresStatements(String prefix, Budget budget) {
        take = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::uuid AS attempt, ?::text AS app, ?::text AS slug, ?::text AS holder,
                           ?::bigint AS silence_limit, ?::text AS request
                ), wish AS MATERIALIZED (
                    SELECT asked.*
                      FROM asked
                     WHERE NOT EXISTS (SELECT FROM holdfast_deployment d WHERE d.id = asked.attempt)
                       AND NOT EXISTS (SELECT FROM holdfast_deployment d
                                        WHERE d.app = asked.app AND d.request = asked.request)
                       AND NOT EXISTS (SELECT FROM holdfast_app o WHERE o.slug = asked.slug AND o.app <> asked.app)
                ), taken AS (
                    UPDATE holdfast_app a
                       SET attempt = wish.attempt, fence = greatest(a.fence + 1, {now}), building = true,
                           holder = wish.holder, since = {now}, beat = {now}, silence_limit = wish.silence_limit,
                           free_at = {now} + wish.silence_limit, slug = wish.slug, request = wish.request,
                           taken_over = CASE WHEN a.building THEN a.attempt END
                      FROM wish
                     WHERE a.app = wish.app
                       AND a.free_at <= {now}
                       AND a.attempt <> wish.attempt
                       AND (wish.request IS NULL OR a.request IS DISTINCT FROM wish.request)
                       AND (a.live IS NULL OR a.slug = wish.slug)
                    RETURNING a.*
                ), created AS (
                    INSERT INTO holdfast_app
                           (app, attempt, fence, building, holder, since, beat, silence_limit, free_at, slug, request)
                    SELECT app, attempt, {now}, true, holder, {now}, {now}, silence_limit, {now} + silence_limit, slug, request
                      FROM wish
                     WHERE NOT EXISTS (SELECT FROM holdfast_app a WHERE a.app = wish.app)
                    ON CONFLICT DO NOTHING
                    RETURNING *
                ), won AS (
                    SELECT * FROM taken UNION ALL SELECT * FROM created
                ), abandoned AS (
                    UPDATE holdfast_deployment d
                       SET state = 'abandoned', by_id = won.attempt
                      FROM won
                     WHERE d.id = (SELECT b.id FROM holdfast_deployment b WHERE b.app = won.app AND b.state = 'building')
                       AND d.detail IS NULL AND d.by_id IS NULL
                    RETURNING d.id
                ), recorded AS (
                    INSERT INTO holdfast_deployment
                           (id, app, fence, slug, holder, request, started, state, taken_over)
                    SELECT attempt, app, fence, slug, holder, request, since, 'building', taken_over
                      FROM won, (SELECT count(*) FROM abandoned) AS first
                ), beyond AS (
                    SELECT won.app, won.live, newest.fence
                      FROM won, LATERAL (SELECT d.fence
                                           FROM holdfast_deployment d
                                          WHERE d.app = won.app AND d.id IS DISTINCT FROM won.live
                                          ORDER BY d.fence DESC OFFSET {history} LIMIT 1) AS newest
                ), forgotten AS (
                    DELETE FROM holdfast_deployment d
                     USING beyond
                     WHERE d.app = beyond.app AND d.fence <= beyond.fence AND d.id IS DISTINCT FROM beyond.live
                )
                SELECT fence, taken_over, greatest(free_at - {now}, 0) AS remaining FROM won""");

        truth = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::uuid AS attempt, ?::text AS app, ?::text AS slug, ?::text AS request
                ), renewed AS (
                    UPDATE holdfast_app a
                       SET beat = greatest(a.beat, {now}), free_at = greatest(a.free_at, {now} + a.silence_limit)
                      FROM asked
                     WHERE a.app = asked.app AND a.attempt = asked.attempt AND a.building
                    RETURNING a.fence, a.taken_over, greatest(a.free_at - {now}, 0) AS remaining
                ), known AS (
                    SELECT true AS mine, d.* FROM asked JOIN holdfast_deployment d ON d.id = asked.attempt
                    UNION ALL
                    SELECT false, d.* FROM asked JOIN holdfast_deployment d
                                             ON d.app = asked.app AND d.request = asked.request
                    ORDER BY mine DESC LIMIT 1
                )
                SELECT renewed.fence AS re_fence, renewed.taken_over AS re_taken_over, renewed.remaining,
                       d.mine, {deployment},
                       {incumbent},
                       a.app IS NOT NULL AND a.free_at <= {now} AS takeable,
                       CASE WHEN a.live IS NOT NULL AND a.slug <> asked.slug THEN a.slug END AS fixed,
                       EXISTS (SELECT FROM holdfast_app o WHERE o.slug = asked.slug AND o.app <> asked.app) AS slug_taken
                  FROM asked
                  LEFT JOIN renewed ON true
                  LEFT JOIN known d ON true
                  LEFT JOIN holdfast_app a ON a.app = asked.app""");

        renew = statement(prefix, budget, """
                WITH asked AS (
                    SELECT * FROM unnest(?::text[], ?::uuid[], ?::bigint[]) AS held (app, attempt, fence)
                ), locked AS (
                    SELECT a.app
                      FROM asked
                      JOIN holdfast_app a ON a.app = asked.app AND a.attempt = asked.attempt AND a.fence = asked.fence
                     WHERE a.building
                       FOR NO KEY UPDATE OF a SKIP LOCKED
                ), renewed AS (
                    UPDATE holdfast_app a
                       SET beat = greatest(a.beat, {now}), free_at = greatest(a.free_at, {now} + a.silence_limit)
                      FROM locked
                     WHERE a.app = locked.app
                    RETURNING a.app, a.attempt, a.fence, greatest(a.free_at - {now}, 0) AS remaining
                )
                SELECT asked.app, asked.attempt, asked.fence, renewed.remaining,
                       {incumbent}
                  FROM asked
                  LEFT JOIN renewed USING (app, attempt, fence)
                  LEFT JOIN holdfast_app a ON a.app = asked.app""");

        finish = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::text AS app, ?::uuid AS attempt, ?::bigint AS fence, ?::text AS state, ?::text AS detail
                ), ended AS (
                    UPDATE holdfast_app a
                       SET building = false, free_at = 0,
                           live = CASE asked.state WHEN 'live' THEN a.attempt ELSE a.live END,
                           request = CASE asked.state WHEN 'not_started' THEN NULL ELSE a.request END
                      FROM asked
                     WHERE a.app = asked.app AND a.attempt = asked.attempt AND a.fence = asked.fence AND a.building
                    RETURNING a.attempt
                ), recorded AS (
                    UPDATE holdfast_deployment d
                       SET state = asked.state, detail = asked.detail,
                           request = CASE asked.state WHEN 'not_started' THEN NULL ELSE d.request END
                      FROM ended, asked
                     WHERE d.id = ended.attempt
                )
                SELECT FROM ended""");

        ending = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::text AS app, ?::uuid AS attempt, ?::bigint AS fence
                )
                SELECT d.state, d.detail,
                       {incumbent}
                  FROM asked
                  LEFT JOIN holdfast_deployment d
                         ON d.id = asked.attempt AND d.app = asked.app AND d.fence = asked.fence
                  LEFT JOIN holdfast_app a ON a.app = asked.app""");

        evict = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::text AS app, ?::bigint AS fence, ?::boolean AS at_once
                ), evicted AS (
                    UPDATE holdfast_app a
                       SET fence = greatest(a.fence + 1, {now}), building = false,
                           free_at = CASE WHEN asked.at_once THEN 0 ELSE a.free_at END
                      FROM asked
                     WHERE a.app = asked.app AND a.fence = asked.fence AND (a.building OR a.free_at > {now})
                    RETURNING a.attempt, a.fence, greatest(a.free_at - {now}, 0) AS remaining
                ), recorded AS (
                    UPDATE holdfast_deployment d
                       SET state = 'abandoned', detail = 'evicted'
                      FROM evicted
                     WHERE d.id = evicted.attempt
                )
                SELECT fence, remaining FROM evicted""");

        holder = statement(prefix, budget, """
                SELECT {incumbent}
                  FROM (SELECT ?::text AS app) AS asked
                  LEFT JOIN holdfast_app a ON a.app = asked.app""");

        endSilent = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::bigint AS longest
                ), dead AS (
                    SELECT a.app, a.attempt, a.fence
                      FROM holdfast_deployment d
                      JOIN holdfast_app a ON a.app = d.app AND a.attempt = d.id, asked
                     WHERE d.state = 'building'
                       AND a.building
                       AND a.beat + 2 * a.silence_limit <= {now}
                       AND a.silence_limit <= asked.longest
                       AND a.fence < 9223372036854775807
                     LIMIT ?::bigint
                       FOR NO KEY UPDATE OF a SKIP LOCKED
                ), ended AS (
                    UPDATE holdfast_app a
                       SET fence = greatest(a.fence + 1, {now}), building = false, free_at = 0
                      FROM dead
                     WHERE a.app = dead.app AND a.attempt = dead.attempt AND a.fence = dead.fence AND a.building
                    RETURNING a.app, a.attempt, dead.fence
                ), recorded AS (
                    UPDATE holdfast_deployment d
                       SET state = 'abandoned', detail = 'silent'
                      FROM ended
                     WHERE d.id = ended.attempt
                )
                SELECT app, attempt, fence FROM ended""");

        find = statement(prefix, budget, """
                SELECT {deployment},
                       {incumbent}
                  FROM holdfast_deployment d
                  LEFT JOIN holdfast_app a ON a.app = d.app
                 WHERE d.id = ?::uuid""");

        recent = statement(prefix, budget, """
                SELECT {deployment},
                       {incumbent}
                  FROM holdfast_deployment d
                  LEFT JOIN holdfast_app a ON a.app = d.app
                 WHERE d.app = ?::text
                 ORDER BY d.fence DESC
                 LIMIT ?::bigint""");

        live = statement(prefix, budget, """
                SELECT {deployment},
                       {incumbent}
                  FROM holdfast_app a
                  JOIN holdfast_deployment d ON d.id = a.live
                 WHERE a.app = ?::text""");
    }

    /**
     * What {@link PostgresRows#incumbent} reads.
     *
     * @param row a row of any table that is held
     * @param held whether somebody holds it still
     */
    static String incumbent(String row, String held) {
        return INCUMBENT.replace("{held}", held).replace("{row}", row);
    }

    /** A statement on tables with this prefix, within a transaction of its own. */
    static String statement(String prefix, Budget budget, String text) {
        long millis = Math.min(Integer.MAX_VALUE, Math.max(4, budget.value().toMillis()));
        return OWN_TRANSACTION
                .replace("{statement}", text)
                .replace("{lock_timeout}", Long.toString(millis / 2))
                .replace("{statement_timeout}", Long.toString(millis / 4 * 3))
                .replace("{deployment}", DEPLOYMENT)
                .replace("{incumbent}", incumbent("a", "a.building"))
                .replace("{now}", NOW)
                .replace("{history}", Integer.toString(Deployments.HISTORY))
                .replace("holdfast_", prefix);
    }
}
