package io.holdfast.app.race;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import org.bson.Document;

/** {@link OrdinaryTables} as collections. */
final class MongoTables implements OrdinaryTables {
    private static final String ID = "_id";
    private static final String APP = "app";
    private static final String SLUG = "slug";
    private static final String STATE = "state";
    private static final String ERROR = "error";
    private static final String STARTED = "started";

    private final MongoCollection<Document> sites;
    private final MongoCollection<Document> deployments;

    MongoTables(MongoDatabase database, String prefix) {
        sites = database.getCollection(prefix + "old_site");
        deployments = database.getCollection(prefix + "old_deployment");
    }

    @Override
    public void create() {
        sites.createIndex(Indexes.ascending(SLUG), new IndexOptions().unique(true));
        deployments.createIndex(Indexes.ascending(APP, STATE));
    }

    @Override
    public Optional<String> ownerOf(String slug) {
        return Optional.ofNullable(sites.find(Filters.eq(SLUG, slug)).first()).map(site -> site.getString(APP));
    }

    @Override
    public void register(String slug, String app) {
        try {
            sites.insertOne(new Document(SLUG, slug).append(APP, app));
        } catch (MongoWriteException e) {
            if (e.getError().getCategory() == ErrorCategory.DUPLICATE_KEY) {
                throw new DuplicateName(slug, e);
            }
            throw e;
        }
    }

    @Override
    public Optional<String> building(String app, Duration youngerThan) {
        Document newest = deployments
                .find(Filters.and(
                        Filters.eq(APP, app),
                        Filters.eq(STATE, Ordinary.BUILDING),
                        Filters.gt(STARTED, ago(youngerThan))))
                .sort(Sorts.descending(STARTED))
                .first();
        return Optional.ofNullable(newest).map(deployment -> deployment.getString(ID));
    }

    @Override
    public void failBuilding(String app, String error) {
        deployments.updateMany(
                Filters.and(Filters.eq(APP, app), Filters.eq(STATE, Ordinary.BUILDING)),
                Updates.combine(Updates.set(STATE, Ordinary.FAILED), Updates.set(ERROR, error)));
    }

    @Override
    public void insert(String id, String app, String state, Duration age) {
        deployments.insertOne(
                new Document(ID, id).append(APP, app).append(STATE, state).append(STARTED, ago(age)));
    }

    @Override
    public void mark(String id, String state) {
        deployments.updateOne(Filters.eq(ID, id), Updates.set(STATE, state));
    }

    private static Date ago(Duration age) {
        return Date.from(Instant.now().minus(age));
    }
}
