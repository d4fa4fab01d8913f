package io.holdfast.postgres;

import io.holdfast.Budget;

/** Every statement of leases, as the server gets it; made as {@link PostgresStatements} are. */
final class PostgresLeaseStatements {
    /**
     * Takes the lease. Answers with one row if it was taken.
     *
     * <p>What decides is the guard of the UPDATE, which is looked at again after a wait for a rival; if it is false, nothing
     * is locked. A name that nobody has used is inserted, by one of those who come at once.
     */
    final String take;

    /** Says why it could not be taken, and renews it if this very attempt has it already. Answers with one row. */
    final String truth;

    /** Renews many; as {@link PostgresStatements#renew}. */
    final String renew;

    /** Lets a lease go. Answers with one row if it did. */
    final String release;

    /** Says who has a lease, and whether this hold was the last that had it. Answers with one row. */
    final String ending;

    /**
     * Takes a lease from whoever has it by this fence, or ends what keeps others from taking it. Answers with one row if it
     * did.
     */
    final String evict;

    /** Says who has a lease. Answers with one row. */
    final String holder;

    PostgresLeaseStatements(String prefix, Budget budget) {
        take = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::text AS name, ?::uuid AS attempt, ?::text AS holder, ?::bigint AS silence_limit
                ), taken AS (
                    UPDATE holdfast_lease l
                       SET attempt = asked.attempt, fence = greatest(l.fence + 1, {now}), held = true,
                           holder = asked.holder, since = {now}, beat = {now}, silence_limit = asked.silence_limit,
                           free_at = {now} + asked.silence_limit
                      FROM asked
                     WHERE l.name = asked.name AND l.free_at <= {now} AND l.attempt <> asked.attempt
                    RETURNING l.fence, l.free_at
                ), created AS (
                    INSERT INTO holdfast_lease (name, attempt, fence, held, holder, since, beat, silence_limit, free_at)
                    SELECT name, attempt, {now}, true, holder, {now}, {now}, silence_limit, {now} + silence_limit
                      FROM asked
                     WHERE NOT EXISTS (SELECT FROM holdfast_lease l WHERE l.name = asked.name)
                    ON CONFLICT DO NOTHING
                    RETURNING fence, free_at
                )
                SELECT fence, greatest(free_at - {now}, 0) AS remaining
                  FROM (SELECT * FROM taken UNION ALL SELECT * FROM created) AS won""");

        truth = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::text AS name, ?::uuid AS attempt
                ), renewed AS (
                    UPDATE holdfast_lease l
                       SET beat = greatest(l.beat, {now}), free_at = greatest(l.free_at, {now} + l.silence_limit)
                      FROM asked
                     WHERE l.name = asked.name AND l.attempt = asked.attempt AND l.held
                    RETURNING l.fence, greatest(l.free_at - {now}, 0) AS remaining
                )
                SELECT renewed.fence, renewed.remaining, l.attempt = asked.attempt AS mine, l.free_at <= {now} AS takeable,
                       {incumbent}
                  FROM asked
                  LEFT JOIN renewed ON true
                  LEFT JOIN holdfast_lease l ON l.name = asked.name""");

        renew = statement(prefix, budget, """
                WITH asked AS (
                    SELECT * FROM unnest(?::text[], ?::uuid[], ?::bigint[]) AS hold (name, attempt, fence)
                ), locked AS (
                    SELECT l.name
                      FROM asked
                      JOIN holdfast_lease l ON l.name = asked.name AND l.attempt = asked.attempt AND l.fence = asked.fence
                     WHERE l.held
                       FOR NO KEY UPDATE OF l SKIP LOCKED
                ), renewed AS (
                    UPDATE holdfast_lease l
                       SET beat = greatest(l.beat, {now}), free_at = greatest(l.free_at, {now} + l.silence_limit)
                      FROM locked
                     WHERE l.name = locked.name
                    RETURNING l.name, l.attempt, l.fence, greatest(l.free_at - {now}, 0) AS remaining
                )
                SELECT asked.name, asked.attempt, asked.fence, renewed.remaining,
                       {incumbent}
                  FROM asked
                  LEFT JOIN renewed USING (name, attempt, fence)
                  LEFT JOIN holdfast_lease l ON l.name = asked.name""");

        // What is free at once is free whatever the clock says; what is not counts from the take, as far as the clock
        // admits that.
        release = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::text AS name, ?::uuid AS attempt, ?::bigint AS fence, ?::bigint AS minimum
                )
                UPDATE holdfast_lease l
                   SET held = false,
                       free_at = CASE asked.minimum WHEN 0 THEN 0 ELSE least(l.since, {now}) + asked.minimum END
                  FROM asked
                 WHERE l.name = asked.name AND l.attempt = asked.attempt AND l.fence = asked.fence AND l.held
                RETURNING true""");

        ending = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::text AS name, ?::uuid AS attempt, ?::bigint AS fence
                )
                SELECT l.attempt = asked.attempt AND l.fence = asked.fence AS mine,
                       {incumbent}
                  FROM asked
                  LEFT JOIN holdfast_lease l ON l.name = asked.name""");

        evict = statement(prefix, budget, """
                WITH asked AS (
                    SELECT ?::text AS name, ?::bigint AS fence, ?::boolean AS at_once
                )
                UPDATE holdfast_lease l
                   SET fence = greatest(l.fence + 1, {now}), held = false,
                       free_at = CASE WHEN asked.at_once THEN 0 ELSE l.free_at END
                  FROM asked
                 WHERE l.name = asked.name AND l.fence = asked.fence AND (l.held OR l.free_at > {now})
                RETURNING l.fence, greatest(l.free_at - {now}, 0) AS remaining""");

        holder = statement(prefix, budget, """
                SELECT {incumbent}
                  FROM (SELECT ?::text AS name) AS asked
                  LEFT JOIN holdfast_lease l ON l.name = asked.name""");
    }

    private static String statement(String prefix, Budget budget, String text) {
        return PostgresStatements.statement(
                prefix, budget, text.replace("{incumbent}", PostgresStatements.incumbent("l", "l.held")));
    }
}
