package io.holdfast.mongo;

import io.holdfast.sanction.SanctionStore;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * What is sent about sanctions, made as what {@link MongoStatements} has. There is one document per account, with its last
 * sanctions, the newest first: so that one can take another's place in one write (decision 0033). Only the first of them may be
 * active; what decides is the unique index over the accounts, which every collection has.
 */
final class MongoSanctionStatements {
    private MongoSanctionStatements() {}

    /** Whether the account has an active one whose time is not over. */
    private static final String STANDS = """
            { $set: { first: { $arrayElemAt: ['$sanctions', 0] } } },
            { $set: { stands: { $and: [
                { $eq: ['$first.state', 'active'] },
                { $or: [{ $eq: ['$first.ends_at', null] }, { $gt: ['$first.ends_at', {now}] }] } ] } } }""";

    private static final String NEW = """
            [{ id: '$$id', reason: '$$reason', by: '$$by', since: {now},
               ends_at: { $cond: [{ $eq: ['$$lasting', null] }, null, { $add: [{now}, '$$lasting'] }] },
               state: 'active', lifted_by: null, lifted_at: null, replaced_by: null }]""";

    /** Imposes a sanction if the account has none and never had this one; else changes nothing. */
    static final List<BsonDocument> IMPOSE = pipeline("""
            [
              {stands},
              { $set: { does: { $and: [{ $not: ['$stands'] }, { $not: [{ $in: ['$$id', '$sanctions.id'] }] }] } } },
              { $set: { sanctions: { $cond: ['$does',
                  { $concatArrays: [{new},
                    { $map: { input: { $slice: ['$sanctions', {older}] }, as: 's', in: {
                        $cond: [{ $eq: ['$$s.state', 'active'] },
                          { $mergeObjects: ['$$s', { state: 'ran_out' }] }, '$$s'] } } }] },
                  '$sanctions'] } } },
              { $set: { ids: { $cond: ['$does', '$sanctions.id', '$ids'] } } },
              { $unset: ['first', 'stands', 'does'] }
            ]
            """);

    /** Imposes a sanction in the place of the one that was seen; else changes nothing. */
    static final List<BsonDocument> REPLACE = pipeline("""
            [
              {stands},
              { $set: { does: { $and: [
                  '$stands', { $eq: ['$first.id', '$$seen'] }, { $not: [{ $in: ['$$id', '$sanctions.id'] }] }] } } },
              { $set: { sanctions: { $cond: ['$does',
                  { $concatArrays: [{new},
                    { $map: { input: { $slice: ['$sanctions', {older}] }, as: 's', in: {
                        $cond: [{ $eq: ['$$s.id', '$$seen'] },
                          { $mergeObjects: ['$$s', { state: 'replaced', replaced_by: '$$id' }] }, '$$s'] } } }] },
                  '$sanctions'] } } },
              { $set: { ids: { $cond: ['$does', '$sanctions.id', '$ids'] } } },
              { $unset: ['first', 'stands', 'does'] }
            ]
            """);

    /** Lifts the sanction that was seen; else changes nothing. */
    static final List<BsonDocument> LIFT = pipeline("""
            [
              {stands},
              { $set: { does: { $and: ['$stands', { $eq: ['$first.id', '$$id'] }] } } },
              { $set: { sanctions: { $cond: ['$does',
                  { $map: { input: '$sanctions', as: 's', in: {
                      $cond: [{ $eq: ['$$s.id', '$$id'] },
                        { $mergeObjects: ['$$s', { state: 'lifted', lifted_by: '$$by', lifted_at: {now} }] }, '$$s'] } } },
                  '$sanctions'] } } },
              { $unset: ['first', 'stands', 'does'] }
            ]
            """);

    /** What each of these answers with: the one that was asked about, and the one that is active. */
    static final BsonDocument TRUTH = document("""
            { now: {now}, sanctions: { $filter: { input: '$sanctions', as: 's', cond:
                { $or: [{ $eq: ['$$s.id', '$$id'] }, { $eq: ['$$s.state', 'active'] }] } } } }
            """);

    /** The newest first: that is the order in which they are kept. */
    static BsonDocument newest(int atMost) {
        return document("{ _id: 1, now: {now}, sanctions: { $slice: %d } }".formatted(atMost));
    }

    /**
     * The document of an account that was never sanctioned. It has no {@code ids}, as {@link MongoStatements#FREE}.
     */
    static BsonDocument free(BsonValue account) {
        return MongoStatements.is(account).append("sanctions", new BsonArray());
    }

    /** Another account that has this id. */
    static BsonDocument rival(BsonValue account, BsonValue id) {
        return new BsonDocument("_id", new BsonDocument("$ne", account)).append("ids", id);
    }

    /** No account has this id, since none is blank. */
    static final BsonDocument NO_ACCOUNT = new BsonDocument("_id", new BsonString(""));

    private static List<BsonDocument> pipeline(String text) {
        return MongoStatements.pipeline(text.replace("{stands}", STANDS)
                .replace("{new}", NEW)
                .replace("{older}", Integer.toString(SanctionStore.HISTORY - 1)));
    }

    private static BsonDocument document(String text) {
        return MongoStatements.document(text);
    }
}
