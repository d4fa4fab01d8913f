package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** What every statement says of how it is to be done, whatever the client says (E2). */
interface MongoCallsContract {
    Set<String> WRITES = Set.of("findAndModify", "insert", "update", "delete");

    /** What is sent on a {@link MongoTour}. */
    List<BsonDocument> sent();

    @Test
    default void e2_everyWriteIsInTheJournalsOfAMajority() {
        List<BsonDocument> sent = sent();
        assertThat(sent).extracting(BsonDocument::getFirstKey).containsAll(WRITES);
        assertThat(sent)
                .filteredOn(command -> WRITES.contains(command.getFirstKey()))
                .allSatisfy(write -> assertThat(write.getDocument("writeConcern"))
                        .as(MongoSent.statement(write))
                        .containsEntry("w", WriteConcern.MAJORITY.asDocument().get("w"))
                        .containsEntry("j", WriteConcern.JOURNALED.asDocument().get("j"))
                        .doesNotContainKey("wtimeout"));
    }

    /** Decision 0032: what may tell somebody for good that something is lost, or not there. */
    @Test
    default void e2_everyReadIsOfWhatAMajorityHasAndConfirmedIfItTellsALoss() {
        assertThat(sent())
                .filteredOn(command -> Set.of("find", "aggregate").contains(command.getFirstKey()))
                .extracting(read -> MongoSent.statement(read) + ", "
                        + read.getDocument("readConcern").getString("level").getValue())
                .containsOnly(
                        "publish.find(_id $in) HOLD confirmed, linearizable",
                        "publish.find(_id) FINISHED confirmed, linearizable",
                        "publish.find(_id) HOLD confirmed, linearizable",
                        "lease.find(_id $in) HOLD confirmed, linearizable",
                        "lease.find(_id) HOLD confirmed, linearizable",
                        "save.find(_id $in) HOLD confirmed, linearizable",
                        "save.find(_id) HOLD confirmed, linearizable",
                        "refresh.find(_id) confirmed, linearizable",
                        "sanction.find(_id) _id confirmed, linearizable",
                        "publish.aggregate, majority",
                        "publish.find(_id $ne,$or) RIVAL, majority",
                        "publish.find(_id) LIVE, majority",
                        "publish.find(_id) newest, majority",
                        "publish.find(ids) WITH_ID, majority",
                        "lease.find(_id) HOLD, majority",
                        "save.aggregate, majority",
                        "refresh.aggregate, majority",
                        "sanction.find(_id $ne,ids), majority",
                        "sanction.find(_id) newest, majority");
    }

    /** What a change answers with is what it has left, so that nothing is sent again and nothing more is read (E7). */
    @Test
    default void e7_nothingIsAskedTwice() {
        assertThat(sent())
                .extracting(MongoSent::statement)
                .containsExactly(
                        "publish.CLAIM",
                        "publish.insert",
                        "publish.CLAIM",
                        "publish.RENEW",
                        "publish.find(_id $in) HOLD confirmed",
                        "publish.find(ids) WITH_ID",
                        "publish.find(_id) newest",
                        "publish.find(_id) LIVE",
                        "publish.CLAIM",
                        "publish.insert",
                        "publish.CLAIM",
                        "publish.find(_id $ne,$or) RIVAL",
                        "publish.delete(_id,fence)",
                        "publish.EVICT",
                        "publish.find(_id) HOLD confirmed",
                        "publish.EVICT",
                        "publish.FINISH",
                        "publish.find(_id) FINISHED confirmed",
                        "publish.CLAIM",
                        "publish.FINISH",
                        "publish.CLAIM",
                        "publish.aggregate",
                        "publish.END_SILENT",
                        "lease.TAKE",
                        "lease.insert",
                        "lease.TAKE",
                        "lease.RENEW",
                        "lease.find(_id $in) HOLD confirmed",
                        "lease.find(_id) HOLD",
                        "lease.EVICT",
                        "lease.find(_id) HOLD confirmed",
                        "lease.EVICT",
                        "lease.RELEASE",
                        "lease.find(_id) HOLD confirmed",
                        "save.RESERVE",
                        "save.find(_id) HOLD confirmed",
                        "save.insert",
                        "save.DATE",
                        "save.RESERVE",
                        "save.RENEW",
                        "save.find(_id $in) HOLD confirmed",
                        "save.END",
                        "save.aggregate",
                        "save.delete(_id $in,held,over_at $lte)",
                        "refresh.ROTATE",
                        "refresh.find(_id) confirmed",
                        "refresh.insert",
                        "refresh.OPEN",
                        "refresh.ROTATE",
                        "refresh.REVOKE",
                        "refresh.aggregate",
                        "refresh.delete(_id $in,expires_at $lte)",
                        "sanction.LIFT",
                        "sanction.find(_id) _id confirmed",
                        "sanction.IMPOSE",
                        "sanction.insert",
                        "sanction.IMPOSE",
                        "sanction.REPLACE",
                        "sanction.LIFT",
                        "sanction.find(_id) newest",
                        "sanction.IMPOSE",
                        "sanction.insert",
                        "sanction.IMPOSE",
                        "sanction.find(_id $ne,ids)",
                        "sanction.delete(_id,sanctions)");
    }

    /** Decision 0030. */
    @Test
    default void nothingIsAnUpsert() {
        assertThat(sent())
                .isNotEmpty()
                .allSatisfy(command -> assertThat(command.toJson()).doesNotContain("upsert\": true"));
    }

    @Test
    default void theServerIsToldForHowLongToTry() {
        assertThat(sent())
                .isNotEmpty()
                .allSatisfy(command ->
                        assertThat(command.getNumber("maxTimeMS").longValue()).isBetween(1L, 5_000L));
    }
}
