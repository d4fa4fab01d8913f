package io.holdfast.mongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.contract.EngineSubject;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseStore;
import io.holdfast.publish.AppId;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.save.SaveTokenStore;
import io.holdfast.save.TokenDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/** The stores on a test's database, and the hands on its collection. */
final class MongoSubject implements EngineSubject {
    private static final JsonWriterSettings EXACT =
            JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

    private final MongoCollection<BsonDocument> apps;
    private final MongoCollection<BsonDocument> leaseDocuments;
    private final MongoCollection<BsonDocument> families;
    private final MongoCollection<BsonDocument> saveDocuments;
    private final MongoCollection<BsonDocument> accounts;
    private final Map<MongoCollection<BsonDocument>, List<BsonDocument>> others = new LinkedHashMap<>();
    private final MongoStores stores;
    private final ClaimStore claims;
    private final Deployments deployments;
    private final LeaseStore leases;
    private final SanctionStore sanctions;

    MongoSubject(MongoDatabase database) {
        this(database, MongoStores.of(database));
    }

    /**
     * @param database the same that the stores are in, by a way of its own
     */
    MongoSubject(MongoDatabase database, MongoStores stores) {
        this.apps = collection(database, "holdfast_app");
        this.leaseDocuments = collection(database, "holdfast_lease");
        this.families = collection(database, "holdfast_refresh");
        this.saveDocuments = collection(database, "holdfast_save");
        this.accounts = collection(database, "holdfast_sanction");
        this.stores = stores;
        this.claims = stores.claims();
        this.deployments = stores.deployments();
        this.leases = stores.leases();
        this.sanctions = stores.sanctions();
    }

    private static MongoCollection<BsonDocument> collection(MongoDatabase database, String name) {
        return database.getCollection(name, BsonDocument.class).withTimeout(1, TimeUnit.MINUTES);
    }

    MongoStores stores() {
        return stores;
    }

    @Override
    public ClaimStore claims() {
        return claims;
    }

    @Override
    public Deployments deployments() {
        return deployments;
    }

    @Override
    public LeaseStore leases() {
        return leases;
    }

    @Override
    public SanctionStore sanctions() {
        return sanctions;
    }

    @Override
    public void letPass(Duration time) {
        long micros = time.toNanos() / 1_000;
        run(leaseDocuments, new BsonDocument(), """
                [{ $set: {
                    since: { $subtract: ['$since', NumberLong('%1$d')] },
                    beat: { $subtract: ['$beat', NumberLong('%1$d')] },
                    free_at: { $cond: [
                      { $eq: ['$free_at', 0] }, '$free_at', { $subtract: ['$free_at', NumberLong('%1$d')] }] } } }]
                """.formatted(micros));
        run(families, new BsonDocument(), """
                [{ $set: {
                    born: { $subtract: ['$born', NumberLong('%1$d')] },
                    born_before: { $subtract: ['$born_before', NumberLong('%1$d')] },
                    expires_at: { $subtract: ['$expires_at', NumberLong('%1$d')] },
                    revoked_at: { $cond: [
                      { $eq: ['$revoked_at', 0] }, '$revoked_at', { $subtract: ['$revoked_at', NumberLong('%1$d')] }] } } }]
                """.formatted(micros));
        run(saveDocuments, new BsonDocument(), """
                [{ $set: {
                    since: { $subtract: ['$since', NumberLong('%1$d')] },
                    beat: { $subtract: ['$beat', NumberLong('%1$d')] },
                    over_at: { $subtract: ['$over_at', NumberLong('%1$d')] },
                    free_at: { $cond: [
                      { $eq: ['$free_at', 0] }, '$free_at', { $subtract: ['$free_at', NumberLong('%1$d')] }] } } }]
                """.formatted(micros));
        run(accounts, new BsonDocument(), """
                [{ $set: {
                    sanctions: { $map: { input: '$sanctions', as: 's', in: { $mergeObjects: ['$$s', {
                      since: { $subtract: ['$$s.since', NumberLong('%1$d')] },
                      ends_at: { $subtract: ['$$s.ends_at', NumberLong('%1$d')] },
                      lifted_at: { $subtract: ['$$s.lifted_at', NumberLong('%1$d')] } }] } } } } }]
                """.formatted(micros));
        run(apps, new BsonDocument(), """
                [{ $set: {
                    since: { $subtract: ['$since', NumberLong('%1$d')] },
                    beat: { $subtract: ['$beat', NumberLong('%1$d')] },
                    free_at: { $cond: [
                      { $eq: ['$free_at', 0] }, '$free_at', { $subtract: ['$free_at', NumberLong('%1$d')] }] },
                    deployments: { $map: { input: '$deployments', as: 'd', in: { $mergeObjects: ['$$d',
                      { started: { $subtract: ['$$d.started', NumberLong('%1$d')] } }] } } } } }]
                """.formatted(micros));
    }

    @Override
    public void wipe() {
        apps.deleteMany(new BsonDocument());
        leaseDocuments.deleteMany(new BsonDocument());
        families.deleteMany(new BsonDocument());
        accounts.deleteMany(new BsonDocument());
        saveDocuments.deleteMany(new BsonDocument());
    }

    /** Empties the store but for the documents of others, which come first: a statement about any document is about theirs. */
    void wipeButForOthers() {
        if (others.isEmpty()) {
            wipe();
            makeOthers();
            for (MongoCollection<BsonDocument> each :
                    List.of(apps, leaseDocuments, families, saveDocuments, accounts)) {
                others.put(each, each.find().into(new ArrayList<>()));
            }
        }
        wipe();
        others.forEach(MongoCollection::insertMany);
    }

    private void makeOthers() {
        BsonDocument free = is("others-that-are-free");
        free.putAll(MongoStatements.FREE);
        apps.insertOne(free);
        accounts.insertOne(MongoSanctionStatements.free(new BsonString("others-that-are-free")));
        MongoTour.takeAllOnce(this);
    }

    @Override
    public void deleteByHand(AppId app) {
        apps.deleteOne(is(app.value()));
    }

    @Override
    public void deleteByHand(Account account) {
        accounts.deleteOne(is(account.value()));
    }

    @Override
    public void setFence(AppId app, Fence fence) {
        run(apps, is(app.value()), """
                [{ $set: {
                    fence: NumberLong('%1$d'),
                    deployments: { $map: { input: '$deployments', as: 'd', in: { $cond: [
                      { $eq: ['$$d.id', '$attempt'] },
                      { $mergeObjects: ['$$d', { fence: NumberLong('%1$d') }] }, '$$d'] } } } } }]
                """.formatted(fence.value()));
    }

    @Override
    public void deleteByHand(LeaseName name) {
        leaseDocuments.deleteOne(is(name.value()));
    }

    @Override
    public void setFence(LeaseName name, Fence fence) {
        run(leaseDocuments, is(name.value()), "[{ $set: { fence: NumberLong('%d') } }]".formatted(fence.value()));
    }

    @Override
    public String dump(AppId app) {
        return dump(apps, is(app.value()));
    }

    @Override
    public String dump(LeaseName name) {
        return dump(leaseDocuments, is(name.value()));
    }

    // Refresh tokens.

    @Override
    public RefreshTokenStore refreshTokens() {
        return stores.refreshTokens();
    }

    @Override
    public void deleteByHand(FamilyId family) {
        families.deleteOne(is(family));
    }

    @Override
    public String dump(FamilyId family) {
        return dump(families, is(family));
    }

    private static BsonDocument is(FamilyId family) {
        return MongoStatements.is(MongoRows.value(new AttemptId(family.value())));
    }

    // Save tokens.

    @Override
    public SaveTokenStore saveTokens() {
        return stores.saveTokens();
    }

    @Override
    public void deleteByHand(TokenDigest token) {
        saveDocuments.deleteOne(is(token));
    }

    @Override
    public void setFence(TokenDigest token, Fence fence) {
        run(saveDocuments, is(token), "[{ $set: { fence: NumberLong('%d') } }]".formatted(fence.value()));
    }

    @Override
    public String dump(TokenDigest token) {
        return dump(saveDocuments, is(token));
    }

    /** All of them. */
    String dumpOfSaveTokens() {
        return saveDocuments.find().into(new ArrayList<>()).toString();
    }

    private static BsonDocument is(TokenDigest token) {
        return new BsonDocument("_id", new BsonBinary(token.bytes()));
    }

    @Override
    public String dump(Account account) {
        return dump(accounts, is(account.value()));
    }

    private static String dump(MongoCollection<BsonDocument> documents, BsonDocument which) {
        BsonDocument document = documents.find(which).first();
        return document == null ? "nothing" : document.toJson(EXACT);
    }

    private static void run(MongoCollection<BsonDocument> documents, BsonDocument which, String pipeline) {
        List<BsonDocument> stages = BsonArray.parse(pipeline).stream()
                .map(stage -> stage.asDocument())
                .toList();
        documents.updateMany(which, stages);
    }

    private static BsonDocument is(String key) {
        return new BsonDocument("_id", new BsonString(key));
    }
}
