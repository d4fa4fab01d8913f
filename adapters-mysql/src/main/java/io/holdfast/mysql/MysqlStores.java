package io.holdfast.mysql;

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
 * The stores on MySQL 8.4 or newer, by Connector/J. Thread-safe and immutable: each setting gives another one.
 *
 * <p>Every operation takes a connection of the pool, is one short transaction of its own on it, and gives it back as it
 * came. How the pool or the session is set does not matter (E2), except for one thing: it must hand out connections of
 * its own. One that is bound to the caller's transaction is refused with an {@link IllegalStateException} (E1).
 *
 * <p>How long a call waits for a connection is the pool's business: give it a time-out that is shorter than the budget.
 */
public final class MysqlStores {
    private static final Pattern PREFIX = Pattern.compile("[a-z_][a-z0-9_]{0,29}");

    private final DataSource work;
    private final DataSource beats;
    private final Budget budget;
    private final String prefix;

    private MysqlStores(DataSource work, DataSource beats, Budget budget, String prefix) {
        this.work = work;
        this.beats = beats;
        this.budget = budget;
        this.prefix = prefix;
    }

    /** On this pool, with {@link Budget#DEFAULT} and tables that are called {@code holdfast_...}. */
    public static MysqlStores of(DataSource work) {
        return new MysqlStores(work, work, Budget.DEFAULT, "holdfast_");
    }

    /**
     * Renews on connections of {@code source}, so that no hold is lost while the work's own pool is exhausted (E9). Without
     * it, keep at least one connection of the pool free.
     */
    public MysqlStores heartbeatsOn(DataSource source) {
        return new MysqlStores(work, source, budget, prefix);
    }

    /**
     * Gives each call this long, waiting for locks and for the network included. InnoDB counts waits for locks in whole
     * seconds, so a call that meets one, or a silent server, may take three seconds also if it was given less. Waiting for
     * a connection is not included: how long the pool may keep a caller is the pool's own setting, which should be no
     * longer than this.
     */
    public MysqlStores within(Budget each) {
        return new MysqlStores(work, beats, each, prefix);
    }

    /**
     * Uses tables whose names begin with {@code newPrefix}, in the database that the URL names.
     *
     * @param newPrefix 1 to 30 of a-z, 0-9 and underscore, no digit in front
     * @throws IllegalArgumentException if it is anything else
     */
    public MysqlStores tables(String newPrefix) {
        if (!PREFIX.matcher(newPrefix).matches()) {
            throw new IllegalArgumentException(
                    "prefix of the tables must be 1 to 30 of a-z, 0-9 and _, and not begin with a digit");
        }
        return new MysqlStores(work, beats, budget, newPrefix);
    }

    /**
     * Creates what is missing. May be called at each start, and by several processes at once.
     *
     * @throws io.holdfast.UnfitDatabase if the server is none on which the stores work
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

    /** Decides who publishes. */
    public ClaimStore claims() {
        return new MysqlClaims(
                new MysqlCalls(work, budget), new MysqlCalls(beats, budget), new MysqlStatements(prefix));
    }

    /** Reads what was published. */
    public Deployments deployments() {
        return new MysqlDeployments(new MysqlCalls(work, budget), new MysqlStatements(prefix));
    }

    /** Decides who has a lease. */
    public LeaseStore leases() {
        return new MysqlLeases(
                new MysqlCalls(work, budget), new MysqlCalls(beats, budget), new MysqlLeaseStatements(prefix));
    }

    /** Decides which refresh token of a family is the current one. */
    public RefreshTokenStore refreshTokens() {
        return new MysqlRefreshTokens(new MysqlCalls(work, budget), new MysqlRefreshStatements(prefix));
    }

    /** Decides who is sanctioned. */
    public SanctionStore sanctions() {
        return new MysqlSanctions(new MysqlCalls(work, budget), new MysqlSanctionStatements(prefix));
    }

    /** Decides who saves. */
    public SaveTokenStore saveTokens() {
        return new MysqlSaveTokens(
                new MysqlCalls(work, budget), new MysqlCalls(beats, budget), new MysqlSaveStatements(prefix));
    }

    private MysqlSchema schema() {
        return new MysqlSchema(new MysqlCalls(work, budget), prefix);
    }
}
