package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import io.holdfast.Budget;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.SaveToken;
import io.holdfast.save.SaveTokenStore;
import io.holdfast.save.TokenDigest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is told of a call of several commands, if the time is over between two of them. */
final class MongoSaveBudgetTest {
    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    private static final Budget BUDGET = Budget.of(Duration.ofSeconds(3));

    @Test
    void aTokenThatWasInsertedIsNoTokenThatWasNotIssued() {
        TokenDigest token = SaveToken.random().digest();
        assertThatThrownBy(() -> lateAfter("insert").issue(token, Duration.ofDays(1), IfInDoubt.REFUSE))
                .isInstanceOfSatisfying(
                        StoreUnavailable.class,
                        told -> assertThat(told.effect()).isEqualTo(Effect.UNKNOWN));
    }

    @Test
    void whatWasForgottenInTimeIsTold() {
        List<BsonDocument> backlog = IntStream.range(0, MongoSaveTokens.BATCH + 1)
                .mapToObj(n -> new BsonDocument(
                        "_id", new BsonBinary(SaveToken.random().digest().bytes())))
                .toList();
        backlog.forEach(token -> token.putAll(MongoSaveStatements.FRESH));
        SERVER.database().getCollection("holdfast_save", BsonDocument.class).insertMany(backlog);
        assertThat(lateAfter("delete").forget(Duration.ZERO, backlog.size())).isEqualTo(MongoSaveTokens.BATCH);
    }

    /** The answer to this command takes all the time that the call has. */
    private static SaveTokenStore lateAfter(String command) {
        return MongoStores.of(SERVER.database(client -> client.addCommandListener(new CommandListener() {
                    @Override
                    public void commandSucceeded(CommandSucceededEvent event) {
                        long over = System.nanoTime() + BUDGET.value().toNanos();
                        while (event.getCommandName().equals(command) && System.nanoTime() < over) {
                            LockSupport.parkNanos(over - System.nanoTime());
                        }
                    }
                })))
                .within(BUDGET)
                .saveTokens();
    }
}
