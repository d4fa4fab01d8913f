package io.holdfast.mongo;

import com.mongodb.client.MongoDatabase;
import io.holdfast.Budget;
import io.holdfast.lease.LeaseStore;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.save.SaveTokenStore;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The stores on MongoDB 5.0 or newer, as a replica set of one member or more, and on FerretDB 2. Thread-safe and immutable: each setting gives another one.
 *
 * <p>Every operation is one change of one document, or a few, each with a time limit of its own. How the client or its URI is
 * set does not matter (E2): writes are confirmed by a majority's journals, and reads come from the primary. A session of the
 * caller's is never joined (E1). The client stays the caller's, who closes it.
 *
 * <p>The collection must have been made by {@link #migrate()}: on this protocol a write makes a collection that is missing,
 * without its indexes. So call {@link #check()} at each start, and never drop the collection under a running service.
 */
public final class MongoStores {
    private static final Pattern PREFIX = Pattern.compile("[a-z_][a-z0-9_]{0,29}");

    /** An index over many documents takes its time. */
    private static final Budget MIGRATION = Budget.of(Duration.ofMinutes(5));

    private static final String APP = "app";
    private static final String LEASE = "lease";
    private static final String REFRESH = "refresh";
    private static final String SAVE = "save";
    private static final String SANCTION = "sanction";

    private final MongoDatabase work;
    private final MongoDatabase beats;
    private final Budget budget;
    private final String prefix;

    private MongoStores(MongoDatabase work, MongoDatabase beats, Budget budget, String prefix) {
        this.work = work;
        this.beats = beats;
        this.budget = budget;
        this.prefix = prefix;
    }

    /** In this database, with {@link Budget#DEFAULT} and collections that are called {@code holdfast_...}. */
    public static MongoStores of(MongoDatabase work) {
        return new MongoStores(work, work, Budget.DEFAULT, "holdfast_");
    }

    /**
     * Renews by connections of {@code source}, the same database of another client, so that no hold is lost while the work's
     * own pool is exhausted (E9). Without it, keep at least one connection of the pool free.
     */
    public MongoStores heartbeatsOn(MongoDatabase source) {
        return new MongoStores(work, source, budget, prefix);
    }

    /** Gives each call this long, waiting for locks and for the network included. */
    public MongoStores within(Budget each) {
        return new MongoStores(work, beats, each, prefix);
    }

    /**
     * Uses collections whose names begin with {@code newPrefix}.
     *
     * @param newPrefix 1 to 30 of a-z, 0-9 and underscore, no digit in front
     * @throws IllegalArgumentException if it is anything else
     */
    public MongoStores tables(String newPrefix) {
        if (!PREFIX.matcher(newPrefix).matches()) {
            throw new IllegalArgumentException(
                    "prefix of the tables must be 1 to 30 of a-z, 0-9 and _, and not begin with a digit");
        }
        return new MongoStores(work, beats, budget, newPrefix);
    }

    /**
     * Creates what is missing, for at most five minutes. May be called at each start, and by several processes at once.
     *
     * @throws io.holdfast.StoreUnavailable if the database could not be asked, or has other indexes under the same names
     */
    public void migrate() {
        schema(MIGRATION).migrate();
    }

    /**
     * Looks at the real collections, and changes nothing. Call it at each start, before anything else is done.
     *
     * @throws io.holdfast.UnfitDatabase if it would let two holders in; with a remedy for each defect
     * @throws io.holdfast.StoreUnavailable if the database could not be asked, or refuses what a claim consists of: a server
     *     that is too old or no replica set, a user who may not write
     */
    public void check() {
        schema(budget).check();
    }

    private MongoSchema schema(Budget each) {
        return new MongoSchema(List.of(
                new MongoSchema.Kept(
                        calls(work, APP, each),
                        List.of(MongoStatements.SLUG, MongoStatements.IDS),
                        MongoClaims::tryOut),
                new MongoSchema.Kept(calls(work, LEASE, each), List.of(), MongoLeases::tryOut),
                new MongoSchema.Kept(calls(work, REFRESH, each), List.of(), MongoRefreshTokens::tryOut),
                new MongoSchema.Kept(calls(work, SAVE, each), List.of(), MongoSaveTokens::tryOut),
                new MongoSchema.Kept(
                        calls(work, SANCTION, each), List.of(MongoStatements.IDS), MongoSanctions::tryOut)));
    }

    /** Decides who publishes. */
    public ClaimStore claims() {
        return new MongoClaims(calls(work, APP, budget), calls(beats, APP, budget));
    }

    /** Reads what was published. */
    public Deployments deployments() {
        return new MongoDeployments(calls(work, APP, budget));
    }

    /** Decides who has a lease. */
    public LeaseStore leases() {
        return new MongoLeases(calls(work, LEASE, budget), calls(beats, LEASE, budget));
    }

    /** Decides which refresh token of a family is the current one. */
    public RefreshTokenStore refreshTokens() {
        return new MongoRefreshTokens(calls(work, REFRESH, budget));
    }

    /** Decides who saves. */
    public SaveTokenStore saveTokens() {
        return new MongoSaveTokens(calls(work, SAVE, budget), calls(beats, SAVE, budget));
    }

    /** Decides who is sanctioned. */
    public SanctionStore sanctions() {
        return new MongoSanctions(calls(work, SANCTION, budget));
    }

    private MongoCalls calls(MongoDatabase database, String collection, Budget each) {
        return new MongoCalls(database, prefix + collection, each);
    }
}
