package io.holdfast.mongo;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.ServerAddress;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.connection.ServerMonitoringMode;
import com.mongodb.event.ConnectionCheckedOutEvent;
import com.mongodb.event.ConnectionPoolListener;
import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.contract.Engine;
import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.Ports;
import io.holdfast.contract.Row;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.bson.BsonBinary;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.bson.codecs.configuration.CodecRegistries;

/** MongoDB, or what speaks its protocol, and what can be done to it. */
final class MongoEngine implements Engine {
    private final MongoServer server;
    private final MongoClient client;
    private final MongoDatabase database;
    private final MongoSubject subject;
    private final Map<String, Ports> settings;
    private final AtomicInteger spoilt = new AtomicInteger();

    MongoEngine(MongoServer server) {
        this.server = server;
        this.client = server.client(settings -> settings);
        this.database = client.getDatabase(server.name());
        this.subject = new MongoSubject(database);
        this.settings = settings(server);
    }

    @Override
    public String name() {
        return server.engine();
    }

    @Override
    public EngineSubject subject() {
        return subject;
    }

    @Override
    public Ports within(Budget budget) {
        return new MongoPorts(subject.stores().within(budget));
    }

    @Override
    public Ports through(int port, Budget budget) {
        return new MongoPorts(MongoStores.of(server.database(settings -> settings.applyToClusterSettings(
                                cluster -> cluster.hosts(List.of(new ServerAddress("localhost", port))))
                        .applyToConnectionPoolSettings(pool -> pool.maxSize(1))
                        // The monitor has a connection of its own, and speaks when that is made and not again.
                        .applyToServerSettings(monitor -> monitor.serverMonitoringMode(ServerMonitoringMode.POLL)
                                .heartbeatFrequency(1, TimeUnit.HOURS)
                                // After a connection has broken, the next call waits for this long.
                                .minHeartbeatFrequency(10, TimeUnit.MILLISECONDS))))
                .within(budget));
    }

    @Override
    public String host() {
        return server.host();
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public Lock lock(Row row) {
        return switch (row.table()) {
            case APP -> MongoLock.of(server, "holdfast_app", row.key());
            case SAVE ->
                MongoLock.of(
                        server, "holdfast_save", new BsonBinary(HexFormat.of().parseHex(row.key())));
            case LEASE -> MongoLock.of(server, "holdfast_lease", row.key());
            case REFRESH -> MongoLock.of(server, "holdfast_refresh", MongoRows.value(AttemptId.parse(row.key())));
            case SANCTION -> MongoLock.of(server, "holdfast_sanction", row.key());
        };
    }

    /** The driver tells the server the very limit that it has itself (decision 0031). */
    @Override
    public Effect lockedOut() {
        return Effect.UNKNOWN;
    }

    /** A session of the caller's is never ours; on FerretDB, which has no transactions, it is all that a caller has. */
    @Override
    public void inCallersTransaction(Consumer<Ports> call) {
        MongoCollection<Document> callers = database.getCollection("callers");
        callers.insertOne(new Document());
        try (ClientSession session = client.startSession()) {
            if (server.isMongo()) {
                session.startTransaction();
            }
            callers.insertOne(session, new Document("note", "open"));
            call.accept(new MongoPorts(subject.stores()));
            if (session.hasActiveTransaction() != server.isMongo()) {
                throw new AssertionError("the caller's transaction was ended");
            }
            if (callers.countDocuments(session, new Document("note", "open")) != 1) {
                throw new AssertionError("what the caller had written is gone");
            }
            if (server.isMongo()) {
                session.abortTransaction();
            }
        } finally {
            callers.drop();
        }
    }

    @Override
    public Map<String, Ports> settings() {
        return settings;
    }

    private static Map<String, Ports> settings(MongoServer server) {
        Map<String, Ports> settings = new LinkedHashMap<>();
        settings.put("write concern 0", with(server, client -> client.writeConcern(WriteConcern.UNACKNOWLEDGED)));
        settings.put("write concern 1, no journal", with(server, client -> client.writeConcern(WriteConcern.W1)));
        settings.put(
                "read preference secondary", with(server, client -> client.readPreference(ReadPreference.secondary())));
        settings.put("read concern local", with(server, client -> client.readConcern(ReadConcern.LOCAL)));
        settings.put(
                "no retries", with(server, client -> client.retryWrites(false).retryReads(false)));
        settings.put("a time limit of the client's own", with(server, client -> client.timeout(1, TimeUnit.MINUTES)));
        for (UuidRepresentation representation : UuidRepresentation.values()) {
            settings.put(
                    "UUIDs as " + representation, with(server, client -> client.uuidRepresentation(representation)));
        }
        settings.put("no codecs", with(server, client -> client.codecRegistry(CodecRegistries.fromCodecs())));
        settings.put(
                "one connection",
                with(server, client -> client.applyToConnectionPoolSettings(pool -> pool.maxSize(1))));
        return settings;
    }

    private static Ports with(MongoServer server, UnaryOperator<MongoClientSettings.Builder> setting) {
        return new MongoPorts(MongoStores.of(server.database(setting)));
    }

    @Override
    public Map<String, Ports> unable() {
        Map<String, Ports> unable = new LinkedHashMap<>();
        MongoClient closed = server.client(settings -> settings);
        unable.put("the client is closed", new MongoPorts(MongoStores.of(closed.getDatabase(server.name()))));
        closed.close();
        if (server.isMongo()) {
            for (String each : List.of("app", "lease", "sanction")) {
                database.createView("seen_" + each, "holdfast_" + each, List.of());
            }
            unable.put("a view", new MongoPorts(subject.stores().tables("seen_")));
        }
        return unable;
    }

    @Override
    public Trips trips() {
        return new Trips(1, 1, 2, 1, 2, 2);
    }

    @Override
    public void migrateAndCheck() {
        subject.stores().migrate();
        subject.stores().check();
    }

    @Override
    public List<Defect> defects() {
        return MongoDefect.all(server).stream()
                .map(defect -> new Defect(
                        defect.name(),
                        () -> defect.spoil(database, "spoilt_" + spoilt.incrementAndGet() + "_")
                                .check(),
                        defect.said()))
                .toList();
    }

    /** The pool's only connection waits for an answer, because what it asked for is locked. */
    @Override
    public void whilePoolIsExhausted(Consumer<Ports> work) {
        CountDownLatch exhausted = new CountDownLatch(1);
        MongoDatabase busy = server.database(client -> client.applyToConnectionPoolSettings(
                pool -> pool.maxSize(1).addConnectionPoolListener(new ConnectionPoolListener() {
                    @Override
                    public void connectionCheckedOut(ConnectionCheckedOutEvent event) {
                        exhausted.countDown();
                    }
                })));
        database.getCollection("busy").insertOne(new Document("_id", "locked"));
        Thread user = new Thread(() -> busy.withTimeout(1, TimeUnit.MINUTES)
                .getCollection("busy")
                .updateOne(Filters.eq("locked"), Updates.set("used", true)));
        try {
            Lock lock = MongoLock.of(server, "busy", "locked");
            try {
                user.start();
                exhausted.await();
                work.accept(new MongoPorts(
                        MongoStores.of(busy).heartbeatsOn(database).within(Budget.of(Duration.ofSeconds(1)))));
            } finally {
                lock.close();
            }
            user.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        database.getCollection("busy").drop();
    }
}
