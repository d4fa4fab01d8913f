package io.holdfast.mongo;

import com.mongodb.client.model.Filters;
import io.holdfast.Finding;
import io.holdfast.StoreUnavailable;
import io.holdfast.UnfitDatabase;
import io.holdfast.mongo.MongoCalls.Call;
import io.holdfast.mongo.MongoStatements.Index;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** The collections and their unique indexes: makes them, and looks at what is really there. */
final class MongoSchema {
    /**
     * A collection.
     *
     * @param trial sends to it what its port sends, in a form that finds and makes nothing: a server that does not understand
     *     it, or not from this user, or that is no replica set, refuses there
     */
    record Kept(MongoCalls calls, List<Index> indexes, Consumer<Call> trial) {}

    private final List<Kept> collections;

    MongoSchema(List<Kept> collections) {
        this.collections = collections;
    }

    void migrate() {
        for (Kept kept : collections) {
            Call call = kept.calls().begin();
            make(kept.calls(), call);
            for (Index index : kept.indexes()) {
                // Says yes if the index is there.
                call.ask(documents -> documents.createIndex(index.keys(), index.options()));
            }
        }
    }

    private static void make(MongoCalls calls, Call call) {
        if (description(calls, call).isPresent()) {
            return;
        }
        try {
            call.askDatabase(database -> {
                database.createCollection(calls.collection());
                return true;
            });
        } catch (StoreUnavailable e) {
            if (description(calls, call).isEmpty()) {
                throw e;
            }
            // Somebody else has made it in this very moment.
        }
    }

    void check() {
        List<Finding> findings = new ArrayList<>();
        collections.forEach(kept -> check(kept, findings));
        if (!findings.isEmpty()) {
            throw new UnfitDatabase(findings);
        }
        // FerretDB would make a collection, were it missing.
        collections.forEach(kept -> kept.trial().accept(kept.calls().begin()));
    }

    private static void check(Kept kept, List<Finding> findings) {
        MongoCalls calls = kept.calls();
        Call call = calls.begin();
        Optional<BsonDocument> collection = description(calls, call);
        if (collection.isEmpty()) {
            findings.add(new Finding("collection " + calls.collection() + " is missing", "Run migrate()"));
            return;
        }
        checkCollection(calls, collection.get(), findings);
        List<BsonDocument> indexes =
                call.ask(documents -> documents.listIndexes(BsonDocument.class).into(new ArrayList<>()));
        kept.indexes().forEach(index -> checkIndex(calls, index, indexes).ifPresent(findings::add));
        indexes.forEach(found -> checkNoOther(kept, found).ifPresent(findings::add));
    }

    private static Optional<BsonDocument> description(MongoCalls calls, Call call) {
        return Optional.ofNullable(call.askDatabase(database -> database.listCollections(BsonDocument.class)
                .filter(Filters.eq("name", calls.collection()))
                .first()));
    }

    private static void checkCollection(MongoCalls calls, BsonDocument collection, List<Finding> findings) {
        String type = collection.getString("type", new BsonString("collection")).getValue();
        BsonDocument options = collection.getDocument("options", new BsonDocument());
        if (!type.equals("collection")
                || options.getBoolean("capped", BsonBoolean.FALSE).getValue()) {
            findings.add(new Finding(
                    calls.collection() + " is a view, a time series or capped",
                    "Give it another name with db." + calls.collection() + ".renameCollection, and run migrate()"));
        }
        if (options.containsKey("collation")) {
            findings.add(new Finding(
                    "collection " + calls.collection() + " has a collation ("
                            + options.getDocument("collation").toJson()
                            + "), so that two different keys may be one to it",
                    "Move the documents: db.%1$s.renameCollection('%1$s_old'), then migrate(), then db.%1$s_old.find().forEach(d => db.%1$s.insertOne(d))"
                            .formatted(calls.collection())));
        }
    }

    private static Optional<Finding> checkIndex(MongoCalls calls, Index index, List<BsonDocument> indexes) {
        List<BsonDocument> onField = indexes.stream()
                .filter(found -> found.getDocument("key").containsKey(index.field()))
                .toList();
        if (onField.stream().anyMatch(found -> isAsMade(index, found))) {
            return Optional.empty();
        }
        String drops = onField.stream()
                .map(found -> "db.%s.dropIndex('%s'), "
                        .formatted(calls.collection(), found.getString("name").getValue()))
                .reduce("", String::concat);
        return Optional.of(new Finding(
                "collection " + calls.collection() + " has no unique index over the documents that have "
                        + index.field() + (onField.isEmpty() ? "" : "; what it has is " + onField),
                "In the mongo shell: " + drops + index.creation(calls.collection())));
    }

    private static Optional<Finding> checkNoOther(Kept kept, BsonDocument found) {
        String collection = kept.calls().collection();
        boolean isOurs = found.getDocument("key").containsKey("_id")
                || kept.indexes().stream().anyMatch(index -> isAsMade(index, found));
        if (isOurs || !isUnique(found)) {
            return Optional.empty();
        }
        return Optional.of(new Finding(
                "collection " + collection + " has another unique index, which refuses what is written: "
                        + found.toJson(),
                "In the mongo shell: db.%s.dropIndex('%s')"
                        .formatted(collection, found.getString("name").getValue())));
    }

    private static boolean isAsMade(Index index, BsonDocument found) {
        return found.getDocument("key").keySet().equals(index.keys().keySet())
                && isUnique(found)
                && index.over().equals(found.get("partialFilterExpression"))
                && !found.containsKey("collation");
    }

    private static boolean isUnique(BsonDocument found) {
        return found.getBoolean("unique", BsonBoolean.FALSE).getValue();
    }
}
