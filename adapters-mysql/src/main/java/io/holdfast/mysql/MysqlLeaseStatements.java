package io.holdfast.mysql;

/** Every statement of leases, as the server gets it; made as {@link MysqlStatements} are. */
final class MysqlLeaseStatements {
    /**
     * Takes the lease. The word that comes back with the count is the fence.
     *
     * <p>Guard and subquery as in {@link MysqlStatements#take}: the one decides, on the row's newest version; the other keeps
     * the losers from locking it.
     */
    final String take;

    /** Makes the row of a new name: free. */
    final String create;

    /** Says why a lease could not be taken. Answers with one row. */
    final String truth;

    /** Renews many; as {@link MysqlStatements#renew}. */
    final String renew;

    /** Says what the renewal before it came to. Answers with a row for each hold, in order. */
    final String renewed;

    /** Lets a lease go. */
    final String release;

    /** Says who has a lease, and whether this hold was the last that had it. Answers with one row. */
    final String ending;

    /** Takes a lease from whoever has it by this fence, or ends what keeps others from taking it. */
    final String evict;

    /** What the lease's row says after an eviction. */
    final String evicted;

    /** Who has the lease. Answers with one row. */
    final String holder;

    MysqlLeaseStatements(String prefix) {
        take = statement(prefix, """
                UPDATE holdfast_lease
                   SET fence = LAST_INSERT_ID(GREATEST(fence + 1, {now})),
                       attempt = ?, held = TRUE, holder = ?, since = {now}, beat = since,
                       silence_limit = ?, free_at = beat + silence_limit
                 WHERE name = ?
                   AND free_at <= {now}
                   AND NOT (attempt <=> ?)
                   AND (SELECT seen.name
                          FROM (SELECT l.name
                                  FROM holdfast_lease l
                                 WHERE l.name = ? AND l.free_at <= {now} AND NOT (l.attempt <=> ?)
                                 LIMIT 1) AS seen) IS NOT NULL""");

        create = statement(prefix, "INSERT INTO holdfast_lease (name, fence, held, free_at) VALUES (?, 0, FALSE, 0)");

        truth = statement(prefix, """
                SELECT l.attempt = asked.attempt AS mine,
                       l.name IS NOT NULL AS known,
                       {incumbent}
                  FROM (SELECT CAST(? AS BINARY) AS name, CAST(? AS BINARY) AS attempt) AS asked
                  LEFT JOIN holdfast_lease l ON l.name = asked.name""");

        renew = statement(prefix, """
                UPDATE (SELECT STRAIGHT_JOIN b.name
                          FROM {held}
                          JOIN holdfast_lease b FORCE INDEX (PRIMARY) ON b.name = UNHEX(held.name)
                         WHERE b.attempt = UNHEX(held.attempt) AND b.fence = held.fence AND b.held
                         LIMIT {batch}
                           FOR UPDATE OF b SKIP LOCKED) AS unlocked
                STRAIGHT_JOIN holdfast_lease l FORCE INDEX (PRIMARY) ON l.name = unlocked.name
                   SET l.beat = GREATEST(l.beat, {now}),
                       l.free_at = GREATEST(l.free_at, {now} + l.silence_limit)""");

        renewed = statement(prefix, """
                SELECT CAST(l.attempt = UNHEX(held.attempt) AND l.fence = held.fence AND l.held AS SIGNED) AS mine,
                       CAST(l.beat >= @holdfast_began AS SIGNED) AS heard,
                       {incumbent}
                  FROM {held}
                  LEFT JOIN holdfast_lease l ON l.name = UNHEX(held.name)
                 ORDER BY held.n""");

        // What is free at once is free whatever the clock says; what is not counts from the take, as far as the clock
        // admits that.
        release = statement(prefix, """
                UPDATE holdfast_lease
                   SET held = FALSE, free_at = IF(? = 0, 0, LEAST(since, {now}) + ?)
                 WHERE name = ? AND attempt = ? AND fence = ? AND held""");

        ending = statement(prefix, """
                SELECT l.attempt = asked.attempt AND l.fence = asked.fence AS mine,
                       {incumbent}
                  FROM (SELECT CAST(? AS BINARY) AS name, CAST(? AS BINARY) AS attempt, CAST(? AS SIGNED) AS fence) AS asked
                  LEFT JOIN holdfast_lease l ON l.name = asked.name""");

        evict = statement(prefix, """
                UPDATE holdfast_lease
                   SET fence = GREATEST(fence + 1, {now}), held = FALSE, free_at = IF(?, 0, free_at)
                 WHERE name = ? AND fence = ? AND (held OR free_at > {now})""");

        evicted = statement(
                prefix, "SELECT fence, free_at AS in_free_at, {now} AS now FROM holdfast_lease WHERE name = ?");

        holder = statement(prefix, """
                SELECT {incumbent}
                  FROM (SELECT CAST(? AS BINARY) AS name) AS asked
                  LEFT JOIN holdfast_lease l ON l.name = asked.name""");
    }

    private static String statement(String prefix, String text) {
        return MysqlStatements.statement(prefix, text.replace("{incumbent}", MysqlStatements.incumbent("l", "l.held")));
    }
}
