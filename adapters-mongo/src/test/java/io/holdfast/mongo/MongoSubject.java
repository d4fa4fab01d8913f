package io.holdfast.mongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import io.holdfast.Fence;
import io.holdfast.contract.EngineSubject;
import io.holdfast.publish.AppId;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/** The stores on a test's database, and the hands on its collection. */
final class MongoSubject implements EngineSubject {
    private static final JsonWriterSettings EXACT =
            JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

    private final MongoCollection<BsonDocument> apps;
    private final MongoStores stores;
    private final ClaimStore claims;
    private final Deployments deployments;

    MongoSubject(MongoDatabase database) {
        this.apps = database.getCollection("holdfast_app", BsonDocument.class).withTimeout(1, TimeUnit.MINUTES);
        this.stores = MongoStores.of(database);
        this.claims = stores.claims();
        this.deployments = stores.deployments();
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
    public void letPass(Duration time) {
        run(new BsonDocument(), """
                [{ $set: {
                    since: { $subtract: ['$since', NumberLong('%1$d')] },
                    beat: { $subtract: ['$beat', NumberLong('%1$d')] },
                    free_at: { $cond: [
                      { $eq: ['$free_at', 0] }, '$free_at', { $subtract: ['$free_at', NumberLong('%1$d')] }] },
                    deployments: { $map: { input: '$deployments', as: 'd', in: { $mergeObjects: ['$$d',
                      { started: { $subtract: ['$$d.started', NumberLong('%1$d')] } }] } } } } }]
                """.formatted(time.toNanos() / 1_000));
    }

    @Override
    public void wipe() {
        apps.deleteMany(new BsonDocument());
    }

    @Override
    public void deleteByHand(AppId app) {
        apps.deleteOne(is(app));
    }

    @Override
    public void setFence(AppId app, Fence fence) {
        run(is(app), """
                [{ $set: {
                    fence: NumberLong('%1$d'),
                    deployments: { $map: { input: '$deployments', as: 'd', in: { $cond: [
                      { $eq: ['$$d.id', '$attempt'] },
                      { $mergeObjects: ['$$d', { fence: NumberLong('%1$d') }] }, '$$d'] } } } } }]
                """.formatted(fence.value()));
    }

    @Override
    public String dump(AppId app) {
        BsonDocument document = apps.find(is(app)).first();
        return document == null ? "nothing" : document.toJson(EXACT);
    }

    private void run(BsonDocument which, String pipeline) {
        List<BsonDocument> stages = BsonArray.parse(pipeline).stream()
                .map(stage -> stage.asDocument())
                .toList();
        apps.updateMany(which, stages);
    }

    private static BsonDocument is(AppId app) {
        return new BsonDocument("_id", new BsonString(app.value()));
    }
}
