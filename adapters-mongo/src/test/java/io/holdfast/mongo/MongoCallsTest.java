package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RotateOutcome.Refused;
import io.holdfast.refresh.RotateOutcome.Why;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.LiftOutcome.Missed;
import io.holdfast.sanction.ReplaceOutcome.NoneActive;
import io.holdfast.sanction.Terms;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is really sent, by a client that was told to be careless (E2). */
final class MongoCallsTest implements MongoCallsContract {
    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    @Override
    public List<BsonDocument> sent() {
        List<BsonDocument> sent = new CopyOnWriteArrayList<>();
        MongoTour.of(new MongoSubject(SERVER.database(), careless(sent)));
        return sent;
    }

    /** Decision 0032: it ends a session, or tells an operator that there is nothing to be ended. */
    @Test
    void thatThereIsNoSuchThingIsConfirmed() {
        Account account = Account.of("account-" + AttemptId.random());
        Terms terms = new Terms(account, "spam", new Holder("a"), Optional.empty());
        assertConfirmed(stores -> assertThat(stores.refreshTokens().rotate(Generation.first(FamilyId.random())))
                .isEqualTo(new Refused<>(Why.UNKNOWN)));
        assertConfirmed(stores -> assertThat(stores.sanctions().lift(account, AttemptId.random(), new Holder("a")))
                .isEqualTo(new Missed(Optional.empty())));
        assertConfirmed(stores -> assertThat(stores.sanctions().replace(AttemptId.random(), AttemptId.random(), terms))
                .isEqualTo(new NoneActive()));
    }

    private static void assertConfirmed(Consumer<MongoStores> call) {
        List<BsonDocument> sent = new CopyOnWriteArrayList<>();
        call.accept(careless(sent));
        assertThat(sent).extracting(BsonDocument::getFirstKey).containsExactly("findAndModify", "find");
        assertThat(sent.get(1)).containsEntry("readConcern", ReadConcern.LINEARIZABLE.asDocument());
    }

    /** The ids of a delete have to fit into one document of 16 MB. */
    @Test
    void familiesAreForgottenSoManyAtATime() {
        MongoCollection<BsonDocument> families =
                SERVER.database().getCollection("holdfast_refresh", BsonDocument.class);
        families.insertMany(IntStream.range(0, 2_500)
                .mapToObj(n -> new BsonDocument("_id", MongoRows.value(AttemptId.random()))
                        .append("expires_at", new BsonInt64((2_500 - n) / 7)))
                .toList());
        List<BsonDocument> sent = new CopyOnWriteArrayList<>();
        assertThat(careless(sent).refreshTokens().forget(Duration.ZERO, 2_400)).isEqualTo(2_400);
        assertThat(sent)
                .filteredOn(command -> command.getFirstKey().equals("delete"))
                .extracting(delete -> delete.getArray("deletes")
                        .get(0)
                        .asDocument()
                        .getDocument("q")
                        .getDocument("_id")
                        .getArray("$in")
                        .size())
                .containsExactly(1_000, 1_000, 400);
        assertThat(families.deleteMany(new BsonDocument()).getDeletedCount()).isEqualTo(100);
    }

    private static MongoStores careless(List<BsonDocument> sent) {
        return MongoStores.of(SERVER.database(client -> client.writeConcern(WriteConcern.W1.withJournal(false))
                .readConcern(ReadConcern.AVAILABLE)
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        sent.add(event.getCommand().clone());
                    }
                })));
    }
}
