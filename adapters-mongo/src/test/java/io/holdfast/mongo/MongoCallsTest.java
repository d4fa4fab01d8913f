package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Slug;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is really sent, by a client that was told to be careless (E2). */
final class MongoCallsTest {
    private static final Set<String> WRITES = Set.of("findAndModify", "insert", "update", "delete");

    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    @Test
    void whatTheClientSaysOfConcernsIsNotWhatIsSent() {
        List<BsonDocument> sent = sentWhilePublishing();
        assertThat(sent).extracting(BsonDocument::getFirstKey).contains("findAndModify", "insert", "update", "find");
        assertThat(sent)
                .filteredOn(command -> WRITES.contains(command.getFirstKey()))
                .allSatisfy(write -> assertThat(write.getDocument("writeConcern"))
                        .containsEntry("w", WriteConcern.MAJORITY.asDocument().get("w"))
                        .containsEntry("j", WriteConcern.JOURNALED.asDocument().get("j"))
                        .doesNotContainKey("wtimeout"));
        assertThat(sent)
                .filteredOn(command -> command.getFirstKey().equals("find"))
                .extracting(command -> command.get("readConcern"))
                .containsExactlyInAnyOrder(
                        ReadConcern.LINEARIZABLE.asDocument(), // of a renewal, which may tell a loss
                        ReadConcern.MAJORITY.asDocument());
    }

    /** Decision 0030. */
    @Test
    void nothingIsAnUpsert() {
        assertThat(sentWhilePublishing())
                .isNotEmpty()
                .allSatisfy(command -> assertThat(command.toJson()).doesNotContain("upsert\": true"));
    }

    @Test
    void theServerIsToldForHowLongToTry() {
        assertThat(sentWhilePublishing())
                .isNotEmpty()
                .allSatisfy(command ->
                        assertThat(command.getNumber("maxTimeMS").longValue()).isBetween(1L, 5_000L));
    }

    private static List<BsonDocument> sentWhilePublishing() {
        List<BsonDocument> sent = new CopyOnWriteArrayList<>();
        MongoStores stores =
                MongoStores.of(SERVER.database(client -> client.writeConcern(WriteConcern.W1.withJournal(false))
                        .readConcern(ReadConcern.AVAILABLE)
                        .addCommandListener(new CommandListener() {
                            @Override
                            public void commandStarted(CommandStartedEvent event) {
                                sent.add(event.getCommand().clone());
                            }
                        })));
        AppId app = AppId.of("app-" + AttemptId.random());
        Claim claim = ((Claimed) stores.claims()
                        .claim(new ClaimRequest(
                                AttemptId.random(),
                                app,
                                Slug.of("s-" + AttemptId.random()),
                                new Holder("a"),
                                SilenceLimit.of(Duration.ofMinutes(5)),
                                Optional.empty())))
                .claim();
        stores.claims().renew(List.of(claim));
        stores.deployments().current(app);
        stores.claims().finish(claim, new Ending.Failed("no"));
        return sent;
    }
}
