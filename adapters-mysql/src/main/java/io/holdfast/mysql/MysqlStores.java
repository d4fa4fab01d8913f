package io.holdfast.mysql;

import io.holdfast.Budget;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * The stores of Holdfast on MySQL 9, in tables of their own beside those of the host. Immutable and thread-safe; a copy is
 * made by each of the methods that change a setting, and costs nothing.
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

    /**
     * Stores on the database that {@code work} connects to.
     *
     * @param work gives a connection per call, outside any transaction; a plain pool, not one that joins a caller's
     *     transaction (E1)
     */
    public static MysqlStores of(DataSource work) {
        return new MysqlStores(work, work, Budget.DEFAULT, "holdfast_");
    }

    /**
     * Lets renewals have connections of their own, so that a work pool that is exhausted loses no hold (E9). Without it,
     * one connection of the work pool should always be free.
     */
    public MysqlStores heartbeatsOn(DataSource beats) {
        return new MysqlStores(work, beats, budget, prefix);
    }

    /** Gives each call this budget; {@link Budget#DEFAULT} without it. */
    public MysqlStores within(Budget budget) {
        return new MysqlStores(work, beats, budget, prefix);
    }

    /**
     * Names the tables: {@code prefix} followed by {@code app} and {@code deployment}; {@code holdfast_} without it.
     *
     * @throws IllegalArgumentException if it is not 1 to 30 of a-z, 0-9 and underscore, the first no digit
     */
    public MysqlStores tables(String prefix) {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "table prefix must be 1 to 30 of a-z, 0-9 and underscore, and must not begin with a digit");
        }
        return new MysqlStores(work, beats, budget, prefix);
    }

    /**
     * Makes the tables that are missing, and leaves alone those that are there. May be called any number of times, also by
     * several processes at once.
     *
     * @throws io.holdfast.StoreUnavailable if the database could not do it
     */
    public void migrate() {
        throw toCome();
    }

    /**
     * Looks at the tables and settings that are there.
     *
     * @throws io.holdfast.UnfitDatabase if they would let two holders in, with a finding for each defect
     * @throws io.holdfast.StoreUnavailable if the database could not be asked
     */
    public void check() {
        throw toCome();
    }

    /** Decides who publishes. */
    public ClaimStore claims() {
        throw toCome();
    }

    /** Reads what was published. */
    public Deployments deployments() {
        throw toCome();
    }

    private UnsupportedOperationException toCome() {
        return new UnsupportedOperationException(work + " " + beats + " " + budget + " " + prefix);
    }
}
