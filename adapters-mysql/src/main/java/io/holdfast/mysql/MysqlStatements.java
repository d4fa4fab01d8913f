package io.holdfast.mysql;

import io.holdfast.publish.Deployments;

/**
 * Every statement of publishing, as the server gets it, and what frames a call.
 *
 * <p>{@code {now}} is the server's clock in microseconds, whatever the session's zone is. It stands still from a statement's
 * start, also while the statement waits for a lock; so nothing is ever moved back to it (G7), and a hold that it dated is
 * shorter than it could be, never longer than the row says (G3).
 */
final class MysqlStatements {
    private static final String NOW = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";

    private static final String DEPLOYMENT =
            "d.id, d.app, d.slug, d.fence, d.holder, d.started, d.taken_over, d.state, d.detail, d.by_id";

    private static final String INCUMBENT = """
            {is_held} AS in_held, {row}.attempt AS in_attempt, {row}.holder AS in_holder, {row}.fence AS in_fence,
                   {row}.since AS in_since, {row}.beat AS in_beat, {row}.free_at AS in_free_at, {now} AS now""";

    /**
     * The holds that are asked about, as one parameter: a JSON array of arrays, its texts in hexadecimal. So the statement
     * is the same for any number, and each row is looked up by its primary key; a long IN list may make the optimizer give
     * up and scan, and so lock, the table. CONVERT, because the driver writes it as bytes to a server whose strings know no
     * backslash.
     */
    private static final String HELD = """
            JSON_TABLE(CONVERT(? USING utf8mb4), '$[*]' COLUMNS (
                       n FOR ORDINALITY, name VARCHAR(510) PATH '$[0]', attempt CHAR(32) PATH '$[1]', fence BIGINT PATH '$[2]'
                   )) AS held""";

    /** How many holds are renewed at once. */
    static final int BATCH = 1_000;

    /**
     * Takes the app. The word that comes back with the count ({@code LAST_INSERT_ID(expr)}) is the fence in its upper 63
     * bits, and in its lowest one whether a silent holder was taken over.
     *
     * <p>What decides is the guard on the row itself, which is looked at on its newest version, after any wait. The subquery
     * has the same guard, and asks besides for other apps' slugs, for this attempt and for request keys: without locks, as
     * of the statement's start, and before the row is touched. Where it finds nothing, no row is locked; so losers never
     * stand in a heartbeat's way, however many there are. It may be stale: what it let through wrongly, the guard or a
     * unique index refuses.
     *
     * <p>Its form matters. LIMIT keeps it apart from the table that is updated (error 1093 otherwise). With EXISTS or IN at
     * the top it would become a statement over several tables, which locks what it reads and assigns in any order.
     *
     * <p>SET goes from left to right: {@code taken_over} and {@code fence} read what the assignments after them overwrite,
     * {@code beat} and {@code free_at} read what the ones before them wrote.
     */
    final String take;

    /** Which hold a take over has ended. */
    final String takenOver;

    /** Ends the deployment of that hold. */
    final String abandon;

    /** Records the deployment of the take before it, whose row is still locked. */
    final String record;

    /** Deletes what is beyond the history. */
    final String forget;

    /** Makes the row of a new app: free, without a slug, so that only its own key can be a duplicate. */
    final String create;

    /** Says why an app could not be taken. Answers with one row. */
    final String truth;

    /**
     * Renews many, stepping over the rows that are locked just now. Without LIMIT the optimizer would merge the locking
     * query into the UPDATE, and wait for all of them. Without the order of the join and its index it scans a table of a few
     * apps, and waits for the first row that is locked.
     */
    final String renew;

    /**
     * Says what the renewal before it came to. Answers with a row for each hold, in order. CAST, because the server sends a
     * truth value in four bytes or in eight, as it happens to plan the statement, and a driver that remembers the one
     * ({@code cacheResultSetMetadata}) cannot read the other.
     */
    final String renewed;

    /**
     * Ends a deployment, and lets its app go; the app also if its history was deleted by hand (G13). No assignment
     * reads another: with two tables their order is not defined.
     */
    final String finish;

    /** Says why a deployment could not be ended: how it had ended, and who has its app. Answers with one row. */
    final String ending;

    /**
     * Takes an app from whoever has it by this fence, or keeps others from taking it, and abandons its deployment. Of its form
     * the same is true as of {@link #finish}'s.
     */
    final String evict;

    /** What the app's row says after an eviction. */
    final String evicted;

    /** Who holds the app. Answers with one row. */
    final String holder;

    /**
     * Finds the holds whose holders have been silent for twice their own limit, and locks them, so that what is true of them
     * stays true. The inner query reads all apps without a lock, and may be stale; the outer one has the same guard, and
     * looks at the newest version of the row. A row that is locked just now belongs to somebody who lives, and is stepped
     * over.
     */
    final String silent;

    /** Abandons the deployments of holds that are locked, and lets their apps go. */
    final String endSilent;

    final String find;
    final String live;
    final String recent;

    MysqlStatements(String prefix) {
        take = statement(prefix, """
                UPDATE holdfast_app
                   SET taken_over = IF(building, attempt, NULL),
                       fence = LAST_INSERT_ID(2 * CAST(GREATEST(fence + 1, {now}) AS UNSIGNED) + building) DIV 2,
                       attempt = ?, building = TRUE, holder = ?, since = {now}, beat = since,
                       silence_limit = ?, free_at = beat + silence_limit, slug = ?
                 WHERE app = ?
                   AND free_at <= {now}
                   AND (live IS NULL OR slug = ?)
                   AND (SELECT seen.app
                          FROM (SELECT a.app
                                  FROM holdfast_app a
                                 WHERE a.app = ?
                                   AND a.free_at <= {now}
                                   AND (a.live IS NULL OR a.slug = ?)
                                   AND NOT EXISTS (SELECT 1 FROM holdfast_deployment d WHERE d.id = ?)
                                   AND NOT EXISTS (SELECT 1 FROM holdfast_deployment d WHERE d.app = ? AND d.request = ?)
                                   AND NOT EXISTS (SELECT 1 FROM holdfast_app o WHERE o.slug = ? AND o.app <> ?)
                                 LIMIT 1) AS seen) IS NOT NULL""");

        takenOver = statement(prefix, "SELECT taken_over FROM holdfast_app WHERE app = ?");

        abandon = statement(
                prefix,
                "UPDATE holdfast_deployment SET state = 'abandoned', by_id = ? WHERE id = ? AND state = 'building'");

        record = statement(prefix, """
                INSERT INTO holdfast_deployment (id, app, fence, slug, holder, request, started, state, taken_over)
                SELECT attempt, app, fence, slug, holder, ?, since, 'building', taken_over
                  FROM holdfast_app
                 WHERE app = ?""");

        forget = statement(prefix, """
                DELETE d
                  FROM holdfast_app a
                  JOIN (SELECT k.fence
                          FROM holdfast_app b
                          JOIN holdfast_deployment k ON k.app = b.app
                         WHERE b.app = ? AND k.id <> b.attempt AND NOT (k.id <=> b.live)
                         ORDER BY k.fence DESC
                         LIMIT 1 OFFSET {history}) AS beyond
                  JOIN holdfast_deployment d ON d.app = a.app AND d.fence <= beyond.fence
                 WHERE a.app = ? AND d.id <> a.attempt AND NOT (d.id <=> a.live)""");

        create = statement(prefix, "INSERT INTO holdfast_app (app, fence, building, free_at) VALUES (?, 0, FALSE, 0)");

        truth = statement(prefix, """
                SELECT d.mine, {deployment},
                       {incumbent},
                       a.app IS NOT NULL AS known,
                       CASE WHEN a.live IS NOT NULL AND a.slug <> asked.slug THEN a.slug END AS fixed,
                       EXISTS (SELECT 1 FROM holdfast_app o WHERE o.slug = asked.slug AND o.app <> asked.app) AS slug_taken
                  FROM (SELECT CAST(? AS BINARY) AS attempt, CAST(? AS BINARY) AS app, CAST(? AS BINARY) AS slug,
                               CAST(? AS BINARY) AS request) AS asked
                  LEFT JOIN holdfast_app a ON a.app = asked.app
                  LEFT JOIN LATERAL (
                           SELECT TRUE AS mine, m.* FROM holdfast_deployment m WHERE m.id = asked.attempt
                           UNION ALL
                           SELECT FALSE, r.* FROM holdfast_deployment r
                            WHERE r.app = asked.app AND r.request = asked.request
                           ORDER BY mine DESC
                           LIMIT 1) AS d ON TRUE""");

        renew = statement(prefix, """
                UPDATE (SELECT STRAIGHT_JOIN b.app
                          FROM {held}
                          JOIN holdfast_app b FORCE INDEX (PRIMARY) ON b.app = UNHEX(held.name)
                         WHERE b.attempt = UNHEX(held.attempt) AND b.fence = held.fence AND b.building
                         LIMIT {batch}
                           FOR UPDATE OF b SKIP LOCKED) AS unlocked
                STRAIGHT_JOIN holdfast_app a FORCE INDEX (PRIMARY) ON a.app = unlocked.app
                   SET a.beat = GREATEST(a.beat, {now}),
                       a.free_at = GREATEST(a.free_at, {now} + a.silence_limit)""");

        renewed = statement(prefix, """
                SELECT CAST(a.attempt = UNHEX(held.attempt) AND a.fence = held.fence AND a.building AS SIGNED) AS mine,
                       CAST(a.beat >= @holdfast_began AS SIGNED) AS heard,
                       {incumbent}
                  FROM {held}
                  LEFT JOIN holdfast_app a ON a.app = UNHEX(held.name)
                 ORDER BY held.n""");

        finish = statement(prefix, """
                UPDATE holdfast_app a
                  LEFT JOIN holdfast_deployment d ON d.id = a.attempt
                   SET a.building = FALSE, a.free_at = 0,
                       a.live = IF(?, a.attempt, a.live),
                       d.request = IF(?, NULL, d.request),
                       d.state = ?, d.detail = ?
                 WHERE a.app = ? AND a.attempt = ? AND a.fence = ? AND a.building""");

        ending = statement(prefix, """
                SELECT d.state, d.detail,
                       {incumbent}
                  FROM (SELECT CAST(? AS BINARY) AS app, CAST(? AS BINARY) AS attempt, CAST(? AS SIGNED) AS fence) AS asked
                  LEFT JOIN holdfast_deployment d
                         ON d.id = asked.attempt AND d.app = asked.app AND d.fence = asked.fence
                  LEFT JOIN holdfast_app a ON a.app = asked.app""");

        evict = statement(prefix, """
                UPDATE holdfast_app a
                  LEFT JOIN holdfast_deployment d ON d.id = a.attempt
                   SET a.fence = GREATEST(a.fence + 1, {now}), a.building = FALSE, a.free_at = IF(?, 0, a.free_at),
                       d.state = 'abandoned', d.detail = 'evicted'
                 WHERE a.app = ? AND a.fence = ? AND (a.building OR a.free_at > {now})""");

        evicted =
                statement(prefix, "SELECT fence, free_at AS in_free_at, {now} AS now FROM holdfast_app WHERE app = ?");

        holder = statement(prefix, """
                SELECT {incumbent}
                  FROM (SELECT CAST(? AS BINARY) AS app) AS asked
                  LEFT JOIN holdfast_app a ON a.app = asked.app""");

        silent = statement(prefix, """
                SELECT STRAIGHT_JOIN b.app, b.attempt, b.fence
                  FROM (SELECT a.app
                          FROM holdfast_app a
                         WHERE a.building AND a.beat + 2 * a.silence_limit <= {now} AND a.silence_limit <= ?
                           AND a.fence < 9223372036854775807
                         LIMIT ?) AS seen
                  JOIN holdfast_app b FORCE INDEX (PRIMARY) ON b.app = seen.app
                 WHERE b.building AND b.beat + 2 * b.silence_limit <= {now} AND b.silence_limit <= ?
                   AND b.fence < 9223372036854775807
                   FOR UPDATE OF b SKIP LOCKED""");

        endSilent = statement(prefix, """
                UPDATE (SELECT UNHEX(held.name) AS app, UNHEX(held.attempt) AS attempt, held.fence
                          FROM {held}
                         LIMIT {batch}) AS dead
                STRAIGHT_JOIN holdfast_app a FORCE INDEX (PRIMARY)
                           ON a.app = dead.app AND a.attempt = dead.attempt AND a.fence = dead.fence
                  LEFT JOIN holdfast_deployment d ON d.id = a.attempt
                   SET a.fence = GREATEST(a.fence + 1, {now}), a.building = FALSE, a.free_at = 0,
                       d.state = 'abandoned', d.detail = 'silent'""");

        find = statement(prefix, """
                SELECT {deployment},
                       {incumbent}
                  FROM holdfast_deployment d
                  JOIN holdfast_app a ON a.app = d.app
                 WHERE d.id = ?""");

        recent = statement(prefix, """
                SELECT {deployment},
                       {incumbent}
                  FROM holdfast_deployment d
                  JOIN holdfast_app a ON a.app = d.app
                 WHERE d.app = ?
                 ORDER BY d.fence DESC
                 LIMIT ?""");

        live = statement(prefix, """
                SELECT {deployment},
                       {incumbent}
                  FROM holdfast_app a
                  JOIN holdfast_deployment d ON d.id = a.live
                 WHERE a.app = ?""");
    }

    /**
     * Opens a call: remembers what the session was, and makes it ours. Session-wide, because what is set for one
     * transaction would be over after the first; {@code @holdfast_began} is what a renewal is told by. A caller that is cut
     * off between two statements leaves the rows locked until the server takes it for dead, which by default is after eight
     * hours of silence.
     *
     * @param seconds the longest wait for a row, or for a table that is being altered: half the budget
     */
    static String open(long seconds) {
        return statement("holdfast_", """
                SET @holdfast_autocommit = @@SESSION.autocommit,
                    @holdfast_isolation = @@SESSION.transaction_isolation,
                    @holdfast_row_wait = @@SESSION.innodb_lock_wait_timeout,
                    @holdfast_table_wait = @@SESSION.lock_wait_timeout,
                    @holdfast_silence = @@SESSION.wait_timeout,
                    @holdfast_began = {now},
                    SESSION autocommit = 0,
                    SESSION transaction_isolation = 'READ-COMMITTED',
                    SESSION innodb_lock_wait_timeout = %1$d,
                    SESSION lock_wait_timeout = %1$d,
                    SESSION wait_timeout = 2 * %1$d + 1""").formatted(seconds);
    }

    /** And nothing else: {@code completion_type} would begin another transaction, or end the connection. */
    static final String COMMIT = "COMMIT AND NO CHAIN NO RELEASE";

    static final String ROLLBACK = "ROLLBACK AND NO CHAIN NO RELEASE";

    /** Makes the session again what it was. */
    static final String CLOSE = """
            SET SESSION autocommit = @holdfast_autocommit,
                SESSION transaction_isolation = @holdfast_isolation,
                SESSION innodb_lock_wait_timeout = @holdfast_row_wait,
                SESSION lock_wait_timeout = @holdfast_table_wait,
                SESSION wait_timeout = @holdfast_silence""";

    /**
     * What {@link MysqlRows#incumbent} reads.
     *
     * @param row a row of any table that is held
     * @param isHeld whether somebody holds it still
     */
    static String incumbent(String row, String isHeld) {
        return INCUMBENT.replace("{is_held}", isHeld).replace("{row}", row);
    }

    /** A statement on tables with this prefix. */
    static String statement(String prefix, String text) {
        return text.replace("{deployment}", DEPLOYMENT)
                .replace("{incumbent}", incumbent("a", "a.building"))
                .replace("{held}", HELD)
                .replace("{now}", NOW)
                .replace("{batch}", Integer.toString(BATCH))
                .replace("{history}", Integer.toString(Deployments.HISTORY))
                // Not the names of session variables.
                .replaceAll("(?<!@)holdfast_", prefix);
    }
}
