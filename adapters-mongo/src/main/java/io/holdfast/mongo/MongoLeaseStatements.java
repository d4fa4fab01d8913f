package io.holdfast.mongo;

import static io.holdfast.mongo.MongoStatements.IS_NOT_LAST;
import static io.holdfast.mongo.MongoStatements.document;
import static io.holdfast.mongo.MongoStatements.pipeline;

import java.util.List;
import org.bson.BsonDocument;

/** What is sent to the database about leases, one document each; made as {@link MongoStatements} are. */
final class MongoLeaseStatements {
    private MongoLeaseStatements() {}

    /** Takes the lease if others may; if this attempt holds it already, renews; else changes nothing. */
    static final List<BsonDocument> TAKE = pipeline("""
            [
              { $set: {
                  takes: { $and: [{ $lte: ['$free_at', {now}] }, { $ne: ['$attempt', '$$attempt'] }, %s] },
                  repeats: { $and: ['$held', { $eq: ['$attempt', '$$attempt'] }] } } },
              { $set: {
                  fence: { $cond: ['$takes', { $max: [{ $add: ['$fence', NumberLong(1)] }, {now}] }, '$fence'] },
                  attempt: { $cond: ['$takes', '$$attempt', '$attempt'] },
                  held: { $cond: ['$takes', true, '$held'] },
                  holder: { $cond: ['$takes', '$$holder', '$holder'] },
                  since: { $cond: ['$takes', {now}, '$since'] },
                  beat: { $cond: ['$takes', {now}, { $cond: ['$repeats', { $max: ['$beat', {now}] }, '$beat'] }] },
                  silence_limit: { $cond: ['$takes', '$$silence_limit', '$silence_limit'] },
                  free_at: { $cond: ['$takes', { $add: [{now}, '$$silence_limit'] },
                    { $cond: ['$repeats', { $max: ['$free_at', { $add: [{now}, '$silence_limit'] }] }, '$free_at'] }] } } },
              { $unset: ['takes', 'repeats'] }
            ]
            """.formatted(IS_NOT_LAST));

    /** The document of a lease that nobody ever took. */
    static final BsonDocument FREE = document("""
            { attempt: null, fence: NumberLong(0), held: false, holder: null, since: NumberLong(0),
              beat: NumberLong(0), silence_limit: NumberLong(0), free_at: NumberLong(0) }
            """);

    /** What each change answers with: the lease as it is now. */
    static final BsonDocument HOLD = document("""
            { attempt: 1, fence: 1, held: 1, holder: 1, since: 1, beat: 1, free_at: 1, now: {now} }
            """);

    /**
     * Lets the lease go if this very hold has it; else changes nothing. What is free at once is free whatever the clock says;
     * what is not counts from the take, as far as the clock admits that.
     */
    static final List<BsonDocument> RELEASE = pipeline("""
            [
              { $set: {
                  ends: { $and: ['$held', { $eq: ['$attempt', '$$attempt'] }, { $eq: ['$fence', '$$fence'] }] } } },
              { $set: {
                  held: { $cond: ['$ends', false, '$held'] },
                  free_at: { $cond: ['$ends',
                    { $cond: [{ $eq: ['$$minimum', NumberLong(0)] }, NumberLong(0),
                      { $add: [{ $min: ['$since', {now}] }, '$$minimum'] }] },
                    '$free_at'] } } },
              { $unset: 'ends' }
            ]
            """);

    /** Evicts whoever holds the lease, or keeps others from taking it. */
    static final List<BsonDocument> EVICT = pipeline("""
            [
              { $set: { ends: { $and: [{ $or: ['$held', { $gt: ['$free_at', {now}] }] }, %s] } } },
              { $set: {
                  fence: { $cond: ['$ends', { $max: [{ $add: ['$fence', NumberLong(1)] }, {now}] }, '$fence'] },
                  held: { $cond: ['$ends', false, '$held'] },
                  free_at: { $cond: [{ $and: ['$ends', '$$at_once'] }, NumberLong(0), '$free_at'] } } },
              { $unset: 'ends' }
            ]
            """.formatted(IS_NOT_LAST));
}
