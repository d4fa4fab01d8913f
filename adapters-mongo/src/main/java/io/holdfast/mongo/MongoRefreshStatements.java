package io.holdfast.mongo;

import static io.holdfast.mongo.MongoStatements.document;
import static io.holdfast.mongo.MongoStatements.pipeline;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** What is sent to the collection of families; made as {@link MongoStatements} are, and for the same reasons. */
final class MongoRefreshStatements {
    private MongoRefreshStatements() {}

    /**
     * What a presented generation is, in the order of {@link io.holdfast.refresh.RefreshTokenStore#rotate}, unless this very
     * call has changed the document already. Those in capitals are named as the domain names them; 'rotated' and 'reused' change
     * the document, and the others leave it alone.
     */
    private static final String VERDICT = """
            { $switch: {
                branches: [
                  { case: { $eq: ['$turn', '$$turn'] }, then: 'done' },
                  { case: { $eq: ['$generation', NumberLong(0)] }, then: 'UNKNOWN' },
                  { case: { $ne: ['$revoked_at', NumberLong(0)] }, then: 'REVOKED' },
                  { case: { $lte: ['$expires_at', {now}] }, then: 'EXPIRED' },
                  { case: { $gt: ['$$presented', '$generation'] }, then: 'rotated' },
                  { case: { $and: [
                      { $eq: ['$$presented', '$generation'] },
                      { $lt: [{now}, { $add: ['$born', '$token_valid'] }] }] }, then: 'rotated' },
                  { case: { $eq: ['$$presented', '$generation'] }, then: 'EXPIRED' },
                  { case: { $and: [
                      { $eq: ['$$presented', { $subtract: ['$generation', NumberLong(1)] }] },
                      { $lt: [{now}, { $add: ['$born', '$grace'] }] }] }, then: 'replayed' },
                  { case: { $and: [
                      { $eq: ['$$presented', { $subtract: ['$generation', NumberLong(2)] }] },
                      { $lt: [{now}, { $add: ['$born_before', '$grace'] }] }] }, then: 'OVERTAKEN' } ],
                default: 'reused' } }""";

    /** The document of a family that is about to be opened; until it is, all of its generations are unknown. */
    static final BsonDocument UNOPENED = document("""
            { generation: NumberLong(0), born: NumberLong(0), born_before: NumberLong(0), token_valid: NumberLong(0),
              grace: NumberLong(0), expires_at: NumberLong(0), revoked_at: NumberLong(0), turn: null }
            """);

    /** Opens it, unless somebody has. */
    static final List<BsonDocument> OPEN = pipeline("""
            [
              { $set: { opens: { $eq: ['$generation', NumberLong(0)] } } },
              { $set: {
                  generation: { $cond: ['$opens', NumberLong(1), '$generation'] },
                  born: { $cond: ['$opens', {now}, '$born'] },
                  born_before: { $cond: ['$opens', {now}, '$born_before'] },
                  token_valid: { $cond: ['$opens', '$$token_valid', '$token_valid'] },
                  grace: { $cond: ['$opens', '$$grace', '$grace'] },
                  expires_at: { $cond: ['$opens', { $add: [{now}, '$$family_valid'] }, '$expires_at'] } } },
              { $unset: 'opens' }
            ]
            """);

    /**
     * Rotates, or revokes what was reused: whichever of two comes second is judged by what the first has left. The turn tells
     * the call that changed the document from those that found it changed: also when it is sent again, because its answer was lost,
     * and comes after the grace as a thief would.
     *
     * <p>The birth of a generation that is ahead is lost; that the one before it was used just now does no harm.
     */
    static final List<BsonDocument> ROTATE = pipeline("""
            [
              { $set: { verdict: %s } },
              { $set: {
                  born_before: { $cond: [
                    { $eq: ['$verdict', 'rotated'] },
                    { $cond: [{ $eq: ['$$presented', '$generation'] }, '$born', {now}] },
                    '$born_before'] },
                  born: { $cond: [{ $eq: ['$verdict', 'rotated'] }, {now}, '$born'] },
                  generation: { $cond: [
                    { $eq: ['$verdict', 'rotated'] }, { $add: ['$$presented', NumberLong(1)] }, '$generation'] },
                  revoked_at: { $cond: [{ $eq: ['$verdict', 'reused'] }, {now}, '$revoked_at'] },
                  turn: { $cond: [{ $in: ['$verdict', ['rotated', 'reused']] }, '$$turn', '$turn'] } } },
              { $unset: 'verdict' }
            ]
            """.formatted(VERDICT));

    /** What {@link #ROTATE} answers with; the verdict is on what it has left, and for those who have changed nothing. */
    static final BsonDocument ROTATED = document("""
            { turn: 1, revoked_at: 1, verdict: %s }
            """.formatted(VERDICT));

    static final List<BsonDocument> REVOKE = pipeline("""
            [
              { $set: { ends: { $and: [
                  { $ne: ['$generation', NumberLong(0)] }, { $eq: ['$revoked_at', NumberLong(0)] }] } } },
              { $set: {
                  revoked_at: { $cond: ['$ends', {now}, '$revoked_at'] },
                  turn: { $cond: ['$ends', null, '$turn'] } } },
              { $unset: 'ends' }
            ]
            """);

    /** The oldest families, as far as they are over: candidates. Reads all; an index would have to be kept for this alone. */
    static List<BsonDocument> over(int atMost) {
        return pipeline("""
                [
                  { $sort: { expires_at: 1 } },
                  { $limit: %d },
                  { $project: { expires_at: 1, over: { $lte: [{ $add: ['$expires_at', '$$keep'] }, {now}] } } },
                  { $match: { over: true } }
                ]
                """.formatted(atMost));
    }

    /** Those of them that are over still: when a family ends is said once, when it is opened. */
    static BsonDocument over(BsonArray families, BsonValue last) {
        return new BsonDocument("_id", new BsonDocument("$in", families))
                .append("expires_at", new BsonDocument("$lte", last));
    }

    /** No family has this id, since it is no random one. */
    static final BsonDocument NO_FAMILY = MongoStatements.is(new BsonBinary(new byte[0]));
}
