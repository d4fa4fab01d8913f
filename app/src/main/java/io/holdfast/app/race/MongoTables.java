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
import org.bson.conversions.Bson;

/** {@link OrdinaryTables} as collections. */
final class MongoTables implements OrdinaryTables {
    private static final String ID = "_id";
    private static final String NAME = "name";
    private static final String VALUE = "value";
    private static final String INSERTED = "inserted";
    private static final String STATE = "state";
    private static final String ERROR = "error";
    private static final String STARTED = "started";

    private final MongoDatabase database;
    private final String prefix;

    MongoTables(MongoDatabase database, String prefix) {
        this.database = database;
        this.prefix = prefix;
    }

    private MongoCollection<Document> collection(String table) {
        return database.getCollection(prefix + "old_" + table);
    }

    @Override
    public void create() {
        KEYED.forEach(table -> collection(table).createIndex(Indexes.ascending(NAME), new IndexOptions().unique(true)));
        LISTED.forEach(table -> collection(table).createIndex(Indexes.ascending(NAME, STATE)));
    }

    @Override
    public Keyed keyed(String table) {
        return new MongoKeyed(collection(table));
    }

    @Override
    public Listed listed(String table) {
        return new MongoListed(collection(table));
    }

    private record MongoKeyed(MongoCollection<Document> rows) implements Keyed {
        @Override
        public void insert(String key, String value) {
            try {
                rows.insertOne(new Document(NAME, key).append(VALUE, value).append(INSERTED, ago(Duration.ZERO)));
            } catch (MongoWriteException e) {
                if (e.getError().getCategory() == ErrorCategory.DUPLICATE_KEY) {
                    throw new Duplicate(key, e);
                }
                throw e;
            }
        }

        @Override
        public Optional<String> find(String key) {
            return value(Filters.eq(NAME, key));
        }

        @Override
        public Optional<String> find(String key, Duration youngerThan) {
            return value(Filters.and(Filters.eq(NAME, key), Filters.gt(INSERTED, ago(youngerThan))));
        }

        private Optional<String> value(Bson filter) {
            return Optional.ofNullable(rows.find(filter).first()).map(row -> row.getString(VALUE));
        }

        @Override
        public void set(String key, String value) {
            rows.updateOne(Filters.eq(NAME, key), Updates.set(VALUE, value));
        }

        @Override
        public boolean set(String key, String old, String value) {
            return rows.updateOne(Filters.and(Filters.eq(NAME, key), Filters.eq(VALUE, old)), Updates.set(VALUE, value))
                            .getMatchedCount()
                    == 1;
        }

        @Override
        public void delete(String key) {
            rows.deleteOne(Filters.eq(NAME, key));
        }
    }

    private record MongoListed(MongoCollection<Document> rows) implements Listed {
        @Override
        public void insert(String id, String key, String state, Duration age) {
            rows.insertOne(
                    new Document(ID, id).append(NAME, key).append(STATE, state).append(STARTED, ago(age)));
        }

        @Override
        public Optional<String> newest(String key, String state, Duration youngerThan) {
            Document newest = rows.find(Filters.and(
                            Filters.eq(NAME, key), Filters.eq(STATE, state), Filters.gt(STARTED, ago(youngerThan))))
                    .sort(Sorts.descending(STARTED))
                    .first();
            return Optional.ofNullable(newest).map(row -> row.getString(ID));
        }

        @Override
        public void mark(String id, String state) {
            rows.updateOne(Filters.eq(ID, id), Updates.set(STATE, state));
        }

        @Override
        public void markAll(String key, String old, String state, String error) {
            rows.updateMany(
                    Filters.and(Filters.eq(NAME, key), Filters.eq(STATE, old)),
                    Updates.combine(Updates.set(STATE, state), Updates.set(ERROR, error)));
        }
    }

    private static Date ago(Duration age) {
        return Date.from(Instant.now().minus(age));
    }
}
