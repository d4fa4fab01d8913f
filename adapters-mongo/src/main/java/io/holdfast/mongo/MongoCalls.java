package io.holdfast.mongo;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import io.holdfast.Budget;
import io.holdfast.Deadline;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Begins calls on a collection. Whatever the client's settings or its URI say (E2), what a call writes is acknowledged only
 * when a majority has it in its journal, and what it reads is what a majority has, from the primary, unless the reader asks
 * for something else. No call has a session of a caller's, so none joins a caller's transaction (E1). Thread-safe.
 */
final class MongoCalls {
    private static final WriteConcern DURABLE = WriteConcern.MAJORITY.withJournal(true);

    private final MongoDatabase database;
    private final String collection;
    private final Budget budget;

    MongoCalls(MongoDatabase database, String collection, Budget budget) {
        this.database = database.withCodecRegistry(MongoClientSettings.getDefaultCodecRegistry())
                .withWriteConcern(DURABLE)
                .withReadConcern(ReadConcern.MAJORITY)
                .withReadPreference(ReadPreference.primary());
        this.collection = collection;
        this.budget = budget;
    }

    String collection() {
        return collection;
    }

    Call begin() {
        return new Call(budget.begin());
    }

    /** One call of a port: the commands that it sends, within one budget. For one thread. */
    final class Call {
        private final Deadline deadline;
        private @Nullable StoreUnavailable doubt;

        private Call(Deadline deadline) {
            this.deadline = deadline;
        }

        Duration left() {
            return deadline.left();
        }

        /**
         * Sends one command to the collection, and again while the engine asks for that. Each command is one change of one
         * document that says itself what it may change, so that a repetition is always safe.
         *
         * @throws MongoException if it ran into a unique index, and for nothing else
         */
        <R> R ask(Function<MongoCollection<BsonDocument>, R> command) {
            return askDatabase(database -> command.apply(database.getCollection(collection, BsonDocument.class)));
        }

        /** The same, to the database. */
        <R> R askDatabase(Function<MongoDatabase, R> command) {
            while (true) {
                try {
                    return send(left(), command);
                } catch (MongoException e) {
                    if (MongoErrors.isDuplicate(e)) {
                        throw e;
                    }
                    StoreUnavailable failure = worst(MongoErrors.unavailable(e));
                    if (!MongoErrors.asksToRepeat(e)) {
                        throw failure;
                    }
                    pause();
                }
            }
        }

        /**
         * Fails if it is not known what came of a command before: what somebody seems to have changed may then be this call's
         * own doing.
         */
        void failIfInDoubt() {
            if (doubt != null) {
                throw doubt;
            }
        }

        /**
         * Sends one command to the collection, once, for a part of the call's time. False if that was not enough: then the
         * command may have its effect all the same, or have it yet.
         */
        boolean isDoneWithin(Duration atMost, Function<MongoCollection<BsonDocument>, ?> command) {
            try {
                send(atMost, database -> command.apply(database.getCollection(collection, BsonDocument.class)));
                return true;
            } catch (MongoException e) {
                StoreUnavailable failure = worst(MongoErrors.unavailable(e));
                if (!MongoErrors.isTooSlow(e) && !MongoErrors.asksToRepeat(e)) {
                    throw failure;
                }
                return false;
            }
        }

        /**
         * The time limit bounds everything: choosing the server, waiting for a connection, the network, and, because the
         * driver passes it on, every wait for a lock in the server.
         */
        private <R> R send(Duration atMost, Function<MongoDatabase, R> command) {
            long millis = atMost.toMillis();
            // To the driver, 0 is without end.
            if (millis <= 0) {
                throw over();
            }
            try {
                return command.apply(database.withTimeout(millis, TimeUnit.MILLISECONDS));
            } catch (IllegalStateException e) {
                throw new StoreUnavailable(
                        Effect.NOT_APPLIED, "the MongoClient is closed, and nothing was changed: make a new one", e);
            }
        }

        /** Waits a little, or gives up. */
        void pause() {
            if (!deadline.pause()) {
                throw over();
            }
        }

        private StoreUnavailable over() {
            String why = Thread.currentThread().isInterrupted()
                    ? "the thread was interrupted"
                    : "rivals were in the way until the time was over: ask again";
            return worst(
                    new StoreUnavailable(Effect.NOT_APPLIED, "nothing was changed: " + why, new TimeoutException(why)));
        }

        /** What can be said of the call: that a command was surely not applied says nothing about the one before it. */
        private StoreUnavailable worst(StoreUnavailable failure) {
            if (failure.effect() == Effect.UNKNOWN) {
                doubt = failure;
            }
            return doubt == null ? failure : doubt;
        }
    }
}
