package io.holdfast.mongo;

import static io.holdfast.mongo.MongoStatements.IS_NOT_LAST;
import static io.holdfast.mongo.MongoStatements.document;
import static io.holdfast.mongo.MongoStatements.pipeline;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** What is sent to the database about save tokens, one document each; made as {@link MongoStatements} are. */
final class MongoSaveStatements {
    private MongoSaveStatements() {}

    /**
     * What is missing of the document of a token that was just issued: an insert cannot ask the database's clock, so the time of
     * its expiry comes with {@link #DATE}, and until then it can be used as little as one that is over.
     */
    static final BsonDocument FRESH = document("""
            { over_at: NumberLong(0), attempt: null, fence: NumberLong(0), held: false, holder: null, since: NumberLong(0),
              beat: NumberLong(0), silence_limit: NumberLong(0), free_at: NumberLong(0), taken_over: null, payload: null,
              result: null }
            """);

    /** Lets the time run for which a token can be used; of one whose time runs already, changes nothing. */
    static final List<BsonDocument> DATE = pipeline("""
            [
              { $set: {
                  over_at: { $cond: [{ $eq: ['$over_at', NumberLong(0)] }, { $add: [{now}, '$valid_for'] }, '$over_at'] } } }
            ]
            """);

    /** Takes the token if it may be taken; if this attempt has it already, renews; else changes nothing. */
    static final List<BsonDocument> RESERVE = pipeline("""
            [
              { $set: {
                  takes: { $and: [
                    { $lte: ['$free_at', {now}] },
                    { $ne: ['$attempt', '$$attempt'] },
                    { $not: [{ $and: ['$held', '$refuse'] }] },
                    { $eq: ['$result', null] },
                    { $gt: ['$over_at', {now}] },
                    { $or: [{ $eq: ['$payload', null] }, { $eq: ['$payload', '$$payload'] }] },
                    %s ] },
                  repeats: { $and: [
                    '$held', { $eq: ['$attempt', '$$attempt'] }, { $eq: ['$payload', '$$payload'] } ] } } },
              { $set: {
                  fence: { $cond: ['$takes', { $max: [{ $add: ['$fence', NumberLong(1)] }, {now}] }, '$fence'] },
                  attempt: { $cond: ['$takes', '$$attempt', '$attempt'] },
                  held: { $cond: ['$takes', true, '$held'] },
                  holder: { $cond: ['$takes', '$$holder', '$holder'] },
                  since: { $cond: ['$takes', {now}, '$since'] },
                  beat: { $cond: ['$takes', {now}, { $cond: ['$repeats', { $max: ['$beat', {now}] }, '$beat'] }] },
                  silence_limit: { $cond: ['$takes', '$$silence_limit', '$silence_limit'] },
                  free_at: { $cond: ['$takes', { $add: [{now}, '$$silence_limit'] },
                    { $cond: ['$repeats', { $max: ['$free_at', { $add: [{now}, '$silence_limit'] }] }, '$free_at'] }] },
                  taken_over: { $cond: [{ $and: ['$takes', '$held'] }, '$attempt', '$taken_over'] },
                  payload: { $cond: ['$takes', '$$payload', '$payload'] } } },
              { $unset: ['takes', 'repeats'] }
            ]
            """.formatted(IS_NOT_LAST));

    /** Who has the token now. */
    static final BsonDocument HOLD = document("""
            { attempt: 1, fence: 1, held: 1, holder: 1, since: 1, beat: 1, free_at: 1, now: {now} }
            """);

    /** What each change answers with: all that there is. */
    static final BsonDocument TOKEN = document("""
            { attempt: 1, fence: 1, held: 1, holder: 1, since: 1, beat: 1, free_at: 1, refuse: 1, over_at: 1, taken_over: 1,
              payload: 1, result: 1, now: {now} }
            """);

    /**
     * Ends what this very hold has; without an attempt, what is in doubt; else changes nothing. With a result the token is used,
     * without one given back: by an attempt for itself alone, so that the payload stays of whom it took over.
     */
    static final List<BsonDocument> END = pipeline("""
            [
              { $set: {
                  ends: { $and: [
                    { $eq: ['$fence', '$$fence'] },
                    { $or: [
                      { $and: ['$held', { $eq: ['$attempt', '$$attempt'] }] },
                      { $and: [
                        { $eq: ['$$attempt', null] },
                        { $lte: ['$free_at', {now}] },
                        { $or: ['$held', { $and: [{ $ne: ['$taken_over', null] }, { $eq: ['$result', null] }] }] } ] } ] } ] },
                  clears: { $and: [{ $not: ['$$saved'] }, { $eq: ['$$attempt', null] }] } } },
              { $set: {
                  held: { $cond: ['$ends', false, '$held'] },
                  free_at: { $cond: ['$ends', NumberLong(0), '$free_at'] },
                  result: { $cond: ['$ends', '$$result', '$result'] },
                  over_at: { $cond: [{ $and: ['$ends', '$$saved'] }, {now}, '$over_at'] },
                  taken_over: { $cond: [{ $and: ['$ends', '$clears'] }, null, '$taken_over'] },
                  payload: { $cond: [
                    { $and: [
                      '$ends', { $not: ['$$saved'] }, { $or: ['$clears', { $eq: ['$taken_over', null] }] } ] },
                    null, '$payload'] } } },
              { $unset: ['ends', 'clears'] }
            ]
            """);

    /** Finds tokens that have been over for as long as {@code $$keep}. */
    static List<BsonDocument> over(int atMost) {
        return pipeline("""
                [
                  { $match: { held: false, $or: [{ taken_over: null }, { result: { $ne: null } }] } },
                  { $project: { over_at: 1, over: { $lte: ['$over_at', { $subtract: [{now}, '$$keep'] }] } } },
                  { $match: { over: true } },
                  { $limit: %d }
                ]
                """.formatted(atMost));
    }

    /** These, if nobody has them and they were over at this time. */
    static BsonDocument areOver(BsonArray tokens, BsonValue overAt) {
        return MongoStatements.are(tokens)
                .append("held", BsonBoolean.FALSE)
                .append("over_at", new BsonDocument("$lte", overAt));
    }
}
