package io.holdfast.mongo;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import io.holdfast.Finding;
import io.holdfast.UnfitDatabase;
import io.holdfast.mongo.MongoCalls.Call;
import io.holdfast.mongo.MongoStatements.Index;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;

/** The collection and its two unique indexes: makes them, and looks at what is really there. */
final class MongoSchema {
    private static final List<Index> INDEXES = List.of(MongoStatements.SLUG, MongoStatements.IDS);

    private final MongoCalls calls;

    MongoSchema(MongoCalls calls) {
        this.calls = calls;
    }

    void migrate() {
        Call call = calls.begin();
        for (Index index : INDEXES) {
            // Makes the collection too; says yes if the index is there.
            call.ask(apps -> apps.createIndex(index.keys(), index.options()));
        }
    }

    void check() {
        Call call = calls.begin();
        List<Finding> findings = new ArrayList<>();
        Optional<BsonDocument> collection = description(call);
        if (collection.isEmpty()) {
            findings.add(new Finding("collection " + calls.collection() + " is missing", "Run migrate()"));
        } else {
            checkCollection(collection.get(), findings);
            List<BsonDocument> indexes =
                    call.ask(apps -> apps.listIndexes(BsonDocument.class).into(new ArrayList<>()));
            INDEXES.forEach(index -> checkIndex(index, indexes).ifPresent(findings::add));
            indexes.forEach(found -> checkNoOther(found).ifPresent(findings::add));
        }
        if (!findings.isEmpty()) {
            throw new UnfitDatabase(findings);
        }
        claimNothing(call);
    }

    /**
     * Sends a claim that finds no app, and a read as it tells a loss. A server that does not understand them, or not from this
     * user, or that is no replica set, refuses here. FerretDB
     * would make the collection, were it missing.
     */
    private static void claimNothing(Call call) {
        BsonDocument let = new BsonDocument();
        for (String name : List.of("attempt", "slug", "holder", "silence_limit", "request")) {
            MongoStatements.with(let, name, BsonNull.VALUE);
        }
        FindOneAndUpdateOptions options = new FindOneAndUpdateOptions()
                .projection(MongoStatements.CLAIMED)
                .let(let);
        call.ask(apps -> apps.findOneAndUpdate(MongoStatements.NO_APP, MongoStatements.CLAIM, options));
        call.ask(apps -> apps.withReadConcern(MongoClaims.STILL_PRIMARY)
                .find(MongoStatements.NO_APP)
                .first());
    }

    private Optional<BsonDocument> description(Call call) {
        return Optional.ofNullable(call.askDatabase(database -> database.listCollections(BsonDocument.class)
                .filter(Filters.eq("name", calls.collection()))
                .first()));
    }

    private void checkCollection(BsonDocument collection, List<Finding> findings) {
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
                            + "), so that two different apps may be one to it",
                    "Move the documents: db.%1$s.renameCollection('%1$s_old'), then migrate(), then db.%1$s_old.find().forEach(d => db.%1$s.insertOne(d))"
                            .formatted(calls.collection())));
        }
    }

    private Optional<Finding> checkIndex(Index index, List<BsonDocument> indexes) {
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

    private Optional<Finding> checkNoOther(BsonDocument found) {
        boolean isOurs = found.getDocument("key").containsKey("_id")
                || INDEXES.stream().anyMatch(index -> isAsMade(index, found));
        if (isOurs || !isUnique(found)) {
            return Optional.empty();
        }
        return Optional.of(new Finding(
                "collection " + calls.collection() + " has another unique index, which refuses claims: "
                        + found.toJson(),
                "In the mongo shell: db.%s.dropIndex('%s')"
                        .formatted(calls.collection(), found.getString("name").getValue())));
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
