package io.holdfast.mongo;

import com.mongodb.client.MongoDatabase;
import io.holdfast.Budget;
import io.holdfast.UnfitDatabase;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import java.time.Duration;
import java.util.regex.Pattern;

/** The stores of Holdfast in a MongoDB database. Immutable and thread-safe; owns no client, and closes none. */
public final class MongoStores {
    private static final Pattern PREFIX = Pattern.compile("[a-z_][a-z0-9_]{0,29}");

    /** An index over many documents takes its time. */
    private static final Budget MIGRATION = Budget.of(Duration.ofMinutes(5));

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

    /** Stores in this database, in collections whose names begin with {@code holdfast_}. */
    public static MongoStores of(MongoDatabase work) {
        return new MongoStores(work, work, Budget.DEFAULT, "holdfast_");
    }

    /**
     * The same stores, whose holds are renewed by another client, so that a pool that is exhausted by work loses none (E9).
     *
     * @param beats the same database, of a {@code MongoClient} that nothing else uses
     */
    public MongoStores heartbeatsOn(MongoDatabase beats) {
        return new MongoStores(work, beats, budget, prefix);
    }

    /** The same stores, with this budget for each call instead of {@link Budget#DEFAULT}. */
    public MongoStores within(Budget budget) {
        return new MongoStores(work, beats, budget, prefix);
    }

    /**
     * The same stores, in other collections.
     *
     * @param prefix what their names begin with: 1 to 30 of a-z, 0-9 and underscore, no digit first
     * @throws IllegalArgumentException if it is anything else
     */
    public MongoStores tables(String prefix) {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "prefix must be 1 to 30 of a-z, 0-9 and underscore, with no digit first: " + prefix);
        }
        return new MongoStores(work, beats, budget, prefix);
    }

    /**
     * Creates the collection and its indexes where they are missing. Any number of processes may do it at once.
     *
     * @throws io.holdfast.StoreUnavailable if the database could not be asked, or does not allow it
     */
    public void migrate() {
        new MongoSchema(new MongoCalls(work, collection(), MIGRATION)).migrate();
    }

    /**
     * Looks at the server, the collection and its indexes.
     *
     * @throws UnfitDatabase with a finding for each thing that would let two holders in, or lose what was acknowledged
     * @throws io.holdfast.StoreUnavailable if the database could not be asked
     */
    public void check() {
        new MongoSchema(new MongoCalls(work, collection(), budget)).check();
    }

    /** Who may publish. */
    public ClaimStore claims() {
        return new MongoClaims(new MongoCalls(work, collection(), budget), new MongoCalls(beats, collection(), budget));
    }

    /** What was published. */
    public Deployments deployments() {
        return new MongoDeployments(new MongoCalls(work, collection(), budget));
    }

    private String collection() {
        return prefix + "app";
    }
}
