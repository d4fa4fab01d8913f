package io.holdfast.postgres;

import io.holdfast.Budget;
import io.holdfast.lease.LeaseStore;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.save.SaveTokenStore;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * The stores on PostgreSQL 13 or newer. Thread-safe and immutable: each setting gives another one.
 *
 * <p>Every operation takes a connection of the pool, is one short transaction of its own on it, and gives it back as it
 * came. How the pool or the session is set does not matter (E2), except for one thing: it must hand out connections of
 * its own. One that is bound to the caller's transaction is refused with an {@link IllegalStateException} (E1).
 */
public final class PostgresStores {
    private static final Pattern PREFIX = Pattern.compile("[a-z_][a-z0-9_]{0,29}");

    private final DataSource work;
    private final DataSource beats;
    private final Budget budget;
    private final String prefix;

    private PostgresStores(DataSource work, DataSource beats, Budget budget, String prefix) {
        this.work = work;
        this.beats = beats;
        this.budget = budget;
        this.prefix = prefix;
    }

    /** On this pool, with {@link Budget#DEFAULT} and tables that are called {@code holdfast_...}. */
    public static PostgresStores of(DataSource work) {
        return new PostgresStores(work, work, Budget.DEFAULT, "holdfast_");
    }

    /**
     * Renews on connections of {@code source}, so that no hold is lost while the work's own pool is exhausted (E9). Without
     * it, keep at least one connection of the pool free.
     */
    public PostgresStores heartbeatsOn(DataSource source) {
        return new PostgresStores(work, source, budget, prefix);
    }

    /**
     * Gives each call this long, waiting for locks and for the network included; a quarter more if it has to repeat itself in
     * the end. Waiting for a connection is bounded by the pool alone (HikariCP: 30 seconds, if nothing is set): set its own
     * time-out no longer than the budget.
     */
    public PostgresStores within(Budget each) {
        return new PostgresStores(work, beats, each, prefix);
    }

    /**
     * Uses tables whose names begin with {@code newPrefix}, which may lie in any schema of the search path.
     *
     * @param newPrefix 1 to 30 of a-z, 0-9 and underscore, no digit in front
     * @throws IllegalArgumentException if it is anything else
     */
    public PostgresStores tables(String newPrefix) {
        if (!PREFIX.matcher(newPrefix).matches()) {
            throw new IllegalArgumentException(
                    "prefix of the tables must be 1 to 30 of a-z, 0-9 and _, and not begin with a digit");
        }
        return new PostgresStores(work, beats, budget, newPrefix);
    }

    /**
     * Creates what is missing. May be called at each start, and by several processes at once.
     *
     * @throws io.holdfast.StoreUnavailable if the database could not be asked, or the user may not create tables
     */
    public void migrate() {
        schema().migrate();
    }

    /**
     * Looks at the real schema and server, and changes nothing. Call it at each start, before anything else is done.
     *
     * @throws io.holdfast.UnfitDatabase if it would let two holders in, or forget what it acknowledged; with a remedy for each
     *     defect
     * @throws io.holdfast.StoreUnavailable if the database could not be asked
     */
    public void check() {
        schema().check();
    }

    private PostgresSchema schema() {
        return new PostgresSchema(new PostgresCalls(work, budget), prefix, budget);
    }

    /** Decides who publishes. */
    public ClaimStore claims() {
        return new PostgresClaims(
                new PostgresCalls(work, budget),
                new PostgresCalls(beats, budget),
                new PostgresStatements(prefix, budget));
    }

    /** Reads what was published. */
    public Deployments deployments() {
        return new PostgresDeployments(new PostgresCalls(work, budget), new PostgresStatements(prefix, budget));
    }

    /** Decides who has a lease. */
    public LeaseStore leases() {
        return new PostgresLeases(
                new PostgresCalls(work, budget),
                new PostgresCalls(beats, budget),
                new PostgresLeaseStatements(prefix, budget));
    }

    /** Decides which refresh token of a family is the current one. */
    public RefreshTokenStore refreshTokens() {
        return new PostgresRefreshTokens(
                new PostgresCalls(work, budget), new PostgresRefreshStatements(prefix, budget));
    }

    /** Decides who is sanctioned. */
    public SanctionStore sanctions() {
        return new PostgresSanctions(new PostgresCalls(work, budget), new PostgresSanctionStatements(prefix, budget));
    }

    /** Decides who saves. */
    public SaveTokenStore saveTokens() {
        return new PostgresSaveTokens(
                new PostgresCalls(work, budget),
                new PostgresCalls(beats, budget),
                new PostgresSaveStatements(prefix, budget));
    }
}
