package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** What is changed in a command, and that nothing else is. */
final class MongoMutantsTest {
    private static final BsonDocument RENEW = BsonDocument.parse("""
                    { update: 'holdfast_lease', let: { holds: { $literal: [] } }, writeConcern: { w: 'majority', j: true } }
                    """)
            .append(
                    "updates",
                    new BsonArray(List.of(BsonDocument.parse("""
                            { q: { _id: { $in: ['a'] }, held: true,
                                $expr: { $in: [{ key: '$_id', fence: '$fence' }, '$$holds'] } }, multi: true }
                            """).append("u", new BsonArray(MongoStatements.RENEW)))));

    private static final BsonDocument RELEASE =
            BsonDocument.parse("""
                    { findAndModify: 'holdfast_lease', query: { _id: 'a' }, new: true,
                      let: { attempt: { $literal: '$secret' }, minimum: { $literal: 1 } } }
                    """).append("update", new BsonArray(MongoLeaseStatements.RELEASE));

    @Test
    void aRenewalLosesOneConditionOrOneTermOrOneConcern() {
        assertThat(MongoMutants.of(RENEW))
                .containsOnlyKeys(
                        "lease.RENEW: acknowledged by one",
                        "lease.RENEW: not in the journal",
                        "lease.RENEW: where _id removed",
                        "lease.RENEW: where held removed",
                        "lease.RENEW: where $expr removed",
                        "lease.RENEW: where $expr.$in key not compared",
                        "lease.RENEW: where $expr.$in fence not compared",
                        "lease.RENEW: beat not set",
                        "lease.RENEW: beat.$max only [0]",
                        "lease.RENEW: beat.$max only [1]",
                        "lease.RENEW: beat.$max[1] now by a client's clock",
                        "lease.RENEW: free_at not set",
                        "lease.RENEW: free_at.$max only [0]",
                        "lease.RENEW: free_at.$max only [1]",
                        "lease.RENEW: free_at.$max[1].$add only [0]",
                        "lease.RENEW: free_at.$max[1].$add[0] now by a client's clock",
                        "lease.RENEW: one only");
    }

    @Test
    void oneThingIsChangedAndTheRestIsAsItWas() {
        BsonDocument changed =
                MongoMutants.of(RENEW).get("lease.RENEW: where held removed").get();
        BsonDocument query = changed.getArray("updates").get(0).asDocument().getDocument("q");
        assertThat(query.keySet()).containsExactly("_id", "$expr");
        query.append("held", BsonDocument.parse("{ held: true }").get("held"));
        assertThat(changed).isEqualTo(RENEW);
    }

    @Test
    void noTwoMutantsAreTheSameAndNoneIsTheCommand() {
        for (BsonDocument command : List.of(RENEW, RELEASE)) {
            BsonDocument before = command.clone();
            Map<String, BsonDocument> all = MongoMutants.of(command).entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey, each -> each.getValue().get()));
            assertThat(all).doesNotContainValue(command);
            assertThat(all.values()).doesNotHaveDuplicates();
            assertThat(command).isEqualTo(before);
        }
    }

    /** Nothing else can look like an expression. */
    @Test
    void onlyTextsAreLeftUnquoted() {
        assertThat(MongoMutants.of(RELEASE).keySet())
                .contains("lease.RELEASE: $$attempt not quoted")
                .doesNotContain("lease.RELEASE: $$minimum not quoted");
    }

    @Test
    void whatIsNoneOfTheAdaptersStatementsHasNoName() {
        for (String command : List.of(
                "{ hello: 1 }",
                "{ find: 'others', filter: {} }",
                "{ update: 'holdfast_app', updates: [{ q: {}, u: [{ $set: { since: 1 } }] }] }")) {
            assertThat(MongoSent.statement(BsonDocument.parse(command))).isEmpty();
        }
    }
}
