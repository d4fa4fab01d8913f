package io.holdfast.mongo;

import com.mongodb.client.model.IndexOptions;
import io.holdfast.publish.Deployments;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * What is sent to the database, as the mongo shell would take it. The texts are constant: what a caller gave is bound by
 * name, as {@code $$name}, to a {@code $literal}, so that text which looks like an expression is just text (G10).
 *
 * <p>There is one document per app. The guards of its changes are in the pipelines and not in the filters, for two reasons:
 * the document that comes back tells the truth about the winner, from the very write that lost; and DocumentDB refuses
 * {@code $$NOW} in a filter as soon as the collection has another index. There is no upsert: DocumentDB lets a racing one
 * overwrite the other silently (decision 0030).
 *
 * <p>In a {@code $set} every expression sees the document as it was before the stage. A stage that sets each field to what
 * it was, and takes its own helpers away, writes nothing, on either server; {@code $replaceWith} would rewrite the row on
 * DocumentDB even if nothing changed.
 */
final class MongoStatements {
    private MongoStatements() {}

    /** The database's clock in microseconds. BSON's dates have milliseconds, so the last three digits are zeros. */
    private static final String NOW = "{ $multiply: [{ $toLong: '$$NOW' }, NumberLong(1000)] }";

    /** Takes the app if nobody holds it; if this attempt holds it already, renews; else changes nothing. */
    static final List<BsonDocument> CLAIM = pipeline("""
            [
              { $set: {
                  takes: { $and: [
                    { $lte: ['$free_at', {now}] },
                    { $lt: ['$fence', NumberLong('9223372036854775807')] },
                    { $not: [{ $in: ['$$attempt', '$deployments.id'] }] },
                    { $or: [{ $eq: ['$$request', null] }, { $not: [{ $in: ['$$request', '$deployments.request'] }] }] },
                    { $or: [{ $eq: ['$live', null] }, { $eq: ['$slug', '$$slug'] }] } ] },
                  repeats: { $and: ['$building', { $eq: ['$attempt', '$$attempt'] }] } } },
              { $set: {
                  fence: { $cond: ['$takes', { $max: [{ $add: ['$fence', NumberLong(1)] }, {now}] }, '$fence'] },
                  kept: { $slice: [
                    { $filter: { input: '$deployments.id', as: 'id', cond: { $ne: ['$$id', '$live'] } } }, {history}] } } },
              { $set: {
                  attempt: { $cond: ['$takes', '$$attempt', '$attempt'] },
                  building: { $cond: ['$takes', true, '$building'] },
                  holder: { $cond: ['$takes', '$$holder', '$holder'] },
                  since: { $cond: ['$takes', {now}, '$since'] },
                  beat: { $cond: ['$takes', {now}, { $cond: ['$repeats', { $max: ['$beat', {now}] }, '$beat'] }] },
                  silence_limit: { $cond: ['$takes', '$$silence_limit', '$silence_limit'] },
                  free_at: { $cond: ['$takes', { $add: [{now}, '$$silence_limit'] },
                    { $cond: ['$repeats', { $max: ['$free_at', { $add: [{now}, '$silence_limit'] }] }, '$free_at'] }] },
                  slug: { $cond: ['$takes', '$$slug', '$slug'] },
                  deployments: { $cond: ['$takes',
                    { $concatArrays: [
                      [{ id: '$$attempt', fence: '$fence', slug: '$$slug', holder: '$$holder', request: '$$request',
                         started: {now}, state: 'building', detail: null, by_id: null,
                         taken_over: { $cond: ['$building', '$attempt', null] } }],
                      { $map: {
                          input: { $filter: { input: '$deployments', as: 'd', cond:
                            { $or: [{ $in: ['$$d.id', '$kept'] }, { $eq: ['$$d.id', '$live'] }] } } },
                          as: 'd',
                          in: { $cond: [{ $eq: ['$$d.state', 'building'] },
                            { $mergeObjects: ['$$d', { state: 'abandoned', by_id: '$$attempt' }] }, '$$d'] } } }] },
                    '$deployments'] } } },
              { $set: { ids: { $cond: ['$takes', '$deployments.id', '$ids'] } } },
              { $unset: ['takes', 'repeats', 'kept'] }
            ]
            """);

    /** No app has this id, since none is blank. */
    static final BsonDocument NO_APP = new BsonDocument("_id", new BsonString(""));

    /** What {@link #CLAIM} answers with: the hold as it is now, and the deployments that this request may be about. */
    static final BsonDocument CLAIMED = document("""
            { attempt: 1, fence: 1, held: '$building', holder: 1, since: 1, beat: 1, free_at: 1, slug: 1, live: 1, now: {now},
              deployments: { $filter: { input: '$deployments', as: 'd', cond: { $or: [
                { $eq: ['$$d.id', '$$attempt'] },
                { $and: [{ $ne: ['$$request', null] }, { $eq: ['$$d.request', '$$request'] }] } ] } } } }
            """);

    /**
     * The document of an app that nobody ever claimed. It has no {@code slug} and no {@code ids}: the unique indexes take in
     * only documents that have, and an empty array would be a value like any other.
     */
    static final BsonDocument FREE = document("""
            { attempt: null, fence: NumberLong(0), building: false, holder: null, since: NumberLong(0),
              beat: NumberLong(0), silence_limit: NumberLong(0), free_at: NumberLong(0), live: null, deployments: [] }
            """);

    /** This app. */
    static BsonDocument is(BsonValue app) {
        return new BsonDocument("_id", app);
    }

    /** This app, if it was never claimed. */
    static BsonDocument isFree(BsonValue app) {
        return is(app).append("fence", FREE.get("fence"));
    }

    /** Other apps that have this slug, or this attempt: one of them is why a claim ran into a unique index. */
    static BsonDocument rivals(BsonValue app, BsonValue slug, BsonValue attempt) {
        return new BsonDocument("_id", new BsonDocument("$ne", app))
                .append(
                        "$or",
                        new BsonArray(List.of(new BsonDocument("slug", slug), new BsonDocument("ids", attempt))));
    }

    /** Tells a rival by its attempts from one by its slug. */
    static final BsonDocument RIVAL = document("{ ids: 1 }");

    /** These apps or whatever else, as far as they are held by one of {@code $$holds}. Whom somebody else has is not even locked. */
    static BsonDocument held(BsonArray keys, String isHeld) {
        return are(keys)
                .append(isHeld, BsonBoolean.TRUE)
                .append(
                        "$expr",
                        document("{ $in: [{ key: '$_id', attempt: '$attempt', fence: '$fence' }, '$$holds'] }"));
    }

    /** These. */
    static BsonDocument are(BsonArray keys) {
        return new BsonDocument("_id", new BsonDocument("$in", keys));
    }

    /** Gives a hold its own limit again, and never less than it has. */
    static final List<BsonDocument> RENEW = pipeline("""
            [
              { $set: {
                  beat: { $max: ['$beat', {now}] },
                  free_at: { $max: ['$free_at', { $add: [{now}, '$silence_limit'] }] } } }
            ]
            """);

    /** Who holds an app now. */
    static final BsonDocument HOLD = document("""
            { attempt: 1, fence: 1, held: '$building', holder: 1, since: 1, beat: 1, free_at: 1, now: {now} }
            """);

    /** Ends the deployment and lets the app go if this very hold has it; else changes nothing. */
    static final List<BsonDocument> FINISH = pipeline("""
            [
              { $set: {
                  ends: { $and: [
                    '$building', { $eq: ['$attempt', '$$attempt'] }, { $eq: ['$fence', '$$fence'] } ] } } },
              { $set: {
                  building: { $cond: ['$ends', false, '$building'] },
                  free_at: { $cond: ['$ends', NumberLong(0), '$free_at'] },
                  live: { $cond: [{ $and: ['$ends', { $eq: ['$$state', 'live'] }] }, '$attempt', '$live'] },
                  deployments: { $cond: ['$ends',
                    { $map: { input: '$deployments', as: 'd', in: { $cond: [{ $eq: ['$$d.id', '$$attempt'] },
                      { $mergeObjects: ['$$d', {
                          state: '$$state',
                          detail: '$$detail',
                          request: { $cond: [{ $eq: ['$$state', 'not_started'] }, null, '$$d.request'] } }] },
                      '$$d'] } } },
                    '$deployments'] } } },
              { $unset: 'ends' }
            ]
            """);

    /** What {@link #FINISH} answers with: the hold as it is now, and the deployment that was to end. */
    static final BsonDocument FINISHED = deployments("{ $eq: ['$$d.id', '$$attempt'] }");

    /** This app, as long as it has this fence: so that a fence which was moved on is one that the change has moved on. */
    static BsonDocument at(BsonValue app, BsonValue fence) {
        return is(app).append("fence", fence);
    }

    /** Takes the app from its holder and abandons its deployment, if {@code ends}; else changes nothing. */
    private static final String END = """
            { $set: {
                fence: { $cond: ['$ends', { $max: [{ $add: ['$fence', NumberLong(1)] }, {now}] }, '$fence'] },
                building: { $cond: ['$ends', false, '$building'] },
                deployments: { $cond: ['$ends',
                  { $map: { input: '$deployments', as: 'd', in: { $cond: [{ $eq: ['$$d.id', '$attempt'] },
                    { $mergeObjects: ['$$d', { state: 'abandoned' }] }, '$$d'] } } },
                  '$deployments'] },
                free_at: { $cond: [{ $and: ['$ends', %s] }, NumberLong(0), '$free_at'] } } },
            { $unset: 'ends' }""";

    static final String IS_NOT_LAST = "{ $lt: ['$fence', NumberLong('9223372036854775807')] }";

    /** The holder has been silent for twice its own limit, and the caller could see that run out. */
    private static final String IS_DEAD = """
            { $and: [
              '$building',
              { $lte: [{ $add: ['$beat', { $multiply: ['$silence_limit', NumberLong(2)] }] }, {now}] },
              { $lte: ['$silence_limit', '$$longest'] },
              %s ] }""".formatted(IS_NOT_LAST);

    /** Evicts whoever holds the app, or keeps others from taking it. */
    static final List<BsonDocument> EVICT = pipeline("""
            [ { $set: { ends: { $and: [{ $or: ['$building', { $gt: ['$free_at', {now}] }] }, %s] } } }, %s ]
            """.formatted(IS_NOT_LAST, END.formatted("'$$at_once'")));

    /** Finds holds that have been silent for too long: candidates, about which {@link #END_SILENT} decides. */
    static List<BsonDocument> silent(int atMost) {
        return pipeline("""
                [
                  { $match: { building: true } },
                  { $project: { attempt: 1, fence: 1, dead: %s } },
                  { $match: { dead: true } },
                  { $limit: %d }
                ]
                """.formatted(IS_DEAD, atMost));
    }

    /** Ends a hold that has been silent for too long, and still is. */
    static final List<BsonDocument> END_SILENT = pipeline("""
            [ { $set: { ends: %s } }, %s ]
            """.formatted(IS_DEAD, END.formatted("true")));

    /** One deployment, by its id. */
    static final BsonDocument WITH_ID = deployments("{ $eq: ['$$d.id', '$$id'] }");

    /** The deployment that users see. */
    static final BsonDocument LIVE = deployments("{ $eq: ['$$d.id', '$live'] }");

    /** The newest deployments first: that is the order in which they are kept. */
    static BsonDocument newest(int atMost) {
        return document("""
                { attempt: 1, fence: 1, holder: 1, since: 1, beat: 1, free_at: 1, now: {now}, deployments: { $slice: %d } }
                """.formatted(atMost));
    }

    /** An app's name in its address is its own. */
    static final Index SLUG = new Index("slug");

    /** A deployment is one app's, and is found by its id. Multikey: each element of the array is an entry. */
    static final Index IDS = new Index("ids");

    /** A unique index over the documents that have the field. */
    record Index(String field) {
        BsonDocument keys() {
            return document("{ %s: 1 }".formatted(field));
        }

        BsonDocument over() {
            return document("{ %s: { $exists: true } }".formatted(field));
        }

        IndexOptions options() {
            return new IndexOptions().name(field).unique(true).partialFilterExpression(over());
        }

        /** As the mongo shell would take it. */
        String creation(String collection) {
            return "db.%s.createIndex({ %s: 1 }, { name: '%s', unique: true, partialFilterExpression: { %s: { $exists: true } } })"
                    .formatted(collection, field, field, field);
        }
    }

    /** Binds values to the names that a text calls {@code $$name}. */
    static BsonDocument let(String name, BsonValue value) {
        return with(new BsonDocument(), name, value);
    }

    /** Binds one more. */
    static BsonDocument with(BsonDocument let, String name, BsonValue value) {
        return let.append(name, new BsonDocument("$literal", value));
    }

    private static BsonDocument deployments(String which) {
        return document("""
                { attempt: 1, fence: 1, held: '$building', holder: 1, since: 1, beat: 1, free_at: 1, now: {now},
                  deployments: { $filter: { input: '$deployments', as: 'd', cond: %s } } }
                """.formatted(which));
    }

    static List<BsonDocument> pipeline(String text) {
        return BsonArray.parse(complete(text)).stream()
                .map(BsonValue::asDocument)
                .toList();
    }

    static BsonDocument document(String text) {
        return BsonDocument.parse(complete(text));
    }

    private static String complete(String text) {
        return text.replace("{now}", NOW).replace("{history}", Integer.toString(Deployments.HISTORY));
    }
}
