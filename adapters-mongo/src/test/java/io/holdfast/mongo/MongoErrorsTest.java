package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoSocketReadTimeoutException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import com.mongodb.ServerAddress;
import com.mongodb.WriteConcernResult;
import com.mongodb.WriteError;
import com.mongodb.bulk.WriteConcernError;
import io.holdfast.StoreUnavailable.Effect;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What errors mean, those included that no server of these tests can be brought to say. */
final class MongoErrorsTest {
    private static final ServerAddress SERVER = new ServerAddress();

    private static MongoException refused(int code, String message) {
        return new MongoCommandException(
                new BsonDocument("ok", new BsonInt32(0))
                        .append("code", new BsonInt32(code))
                        .append("errmsg", new BsonString(message)),
                SERVER);
    }

    private static BsonDocument notPrimary() {
        return new BsonDocument("code", new BsonInt32(10107)).append("errmsg", new BsonString("not primary"));
    }

    @Test
    void aDuplicateIsOneOnEitherServer() {
        assertThat(List.of(
                        refused(11000, "E11000 duplicate key error collection: a.b index: slug"),
                        new MongoWriteException(
                                new WriteError(11000, "Duplicate key violation", new BsonDocument()), SERVER, Set.of()),
                        refused(1, "conflicting key value violates exclusion constraint \"documents_rum_index_4\""),
                        refused(1, "duplicate key value violates unique constraint \"collection_pk_4\"")))
                .allMatch(MongoErrors::isDuplicate);
        assertThat(MongoErrors.isDuplicate(refused(1, "out of memory"))).isFalse();
        assertThat(MongoErrors.isDuplicate(refused(112, "WriteConflict"))).isFalse();
    }

    @Test
    void whatTheEngineAsksToRepeat() {
        assertThat(List.of(
                        refused(112, "WriteConflict error: this operation conflicted with another operation"),
                        refused(1, "deadlock detected"),
                        refused(16908292, "deadlock detected")))
                .allMatch(MongoErrors::asksToRepeat)
                .allMatch(e -> MongoErrors.unavailable(e).effect() == Effect.NOT_APPLIED);
        assertThat(MongoErrors.asksToRepeat(new MongoNotPrimaryException(notPrimary(), SERVER)))
                .isTrue();
        assertThat(MongoErrors.asksToRepeat(refused(1, "out of memory"))).isFalse();
        assertThat(MongoErrors.asksToRepeat(refused(11000, "E11000"))).isFalse();
    }

    @Test
    void whatWasRefusedOrNotSentIsNotApplied() {
        assertThat(List.of(
                        refused(13, "not authorized on a to execute command"),
                        refused(166, "Namespace a.b is a view, not a collection"),
                        new MongoOperationTimeoutException("Timed out while waiting for a server that matches"),
                        new MongoSocketOpenException("Exception opening socket", SERVER, new IOException()),
                        new MongoClientException("this version of the server is not supported")))
                .allSatisfy(e -> assertThat(MongoErrors.unavailable(e).effect())
                        .as("%s", e)
                        .isEqualTo(Effect.NOT_APPLIED));
    }

    /**
     * K15: a write concern that was not reached in time was told as a failure, and the lock had been stored. The driver makes
     * the same exception of "not primary" and of a time limit whether the write was refused or had been made already.
     */
    @Test
    void whatMayHaveBeenAppliedIsUnknown() {
        WriteConcernError notReached = new WriteConcernError(64, "WriteConcernFailed", "timed out", new BsonDocument());
        assertThat(List.of(
                        new MongoWriteConcernException(
                                notReached, WriteConcernResult.acknowledged(1, true, null), SERVER, Set.of()),
                        new MongoOperationTimeoutException(
                                "Operation exceeded the timeout limit", new MongoExecutionTimeoutException(50, "")),
                        new MongoExecutionTimeoutException(50, "operation exceeded time limit"),
                        new MongoNotPrimaryException(notPrimary(), SERVER),
                        new MongoSocketReadException("Prematurely reached end of stream", SERVER),
                        new MongoOperationTimeoutException(
                                "Operation exceeded the timeout limit",
                                new MongoSocketReadTimeoutException("Timeout", SERVER, new IOException())),
                        new MongoOperationTimeoutException("The operation exceeded the timeout limit."),
                        refused(11600, "interrupted at shutdown"),
                        refused(11602, "operation was interrupted"),
                        refused(1, "unexpected EOF")))
                .allSatisfy(e -> assertThat(MongoErrors.unavailable(e).effect())
                        .as("%s", e)
                        .isEqualTo(Effect.UNKNOWN));
    }

    @Test
    void anInterruptKeepsItsFlag() {
        MongoException interrupted = new MongoInterruptedException("Interrupted", new InterruptedException());
        assertThat(MongoErrors.unavailable(interrupted).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(Thread.interrupted()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {13, 50, 112, 11000, 11600})
    void aMessageSaysWhatIsKnownAndWhatTheServerSaid(int code) {
        assertThat(MongoErrors.unavailable(refused(code, "the server's own words")))
                .hasMessageContaining("changed")
                .hasMessageContaining("the server's own words");
    }
}
