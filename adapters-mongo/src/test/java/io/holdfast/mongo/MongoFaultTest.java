package io.holdfast.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import io.holdfast.contract.FaultContract;
import io.holdfast.contract.fault.OwnContainer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MongoFaultTest implements FaultContract {
    private static final String VARIABLE = "HOLDFAST_IMAGE_MONGO";

    @RegisterExtension
    @Order(1)
    static final OwnContainer BROKEN =
            new OwnContainer(VARIABLE, "mongo:8", 27017, List.of(), MongoFaultTest::knock, command());

    @RegisterExtension
    @Order(2)
    static final MongoServer SERVER = new MongoServer(() -> uri(BROKEN.host(), BROKEN.port()));

    private static MongoEngine engine;

    @BeforeAll
    static void open() {
        engine = new MongoEngine(SERVER);
    }

    /** Alone MongoDB would acknowledge what is not in its journal yet; FerretDB knows no replica sets. */
    private static String[] command() {
        return System.getenv().getOrDefault(VARIABLE, "").contains("ferretdb")
                ? new String[0]
                : new String[] {"mongod", "--replSet", "alone", "--bind_ip_all"};
    }

    private static void knock(String host, int port) {
        try (MongoClient client = MongoClients.create(uri(host, port) + "&serverSelectionTimeoutMS=500")) {
            MongoDatabase admin = client.getDatabase("admin");
            Document hello = admin.runCommand(new Document("hello", 1));
            if (hello.containsKey("isreplicaset")) {
                admin.runCommand(Document.parse("""
                        {replSetInitiate: {_id: 'alone', members: [{_id: 0, host: 'localhost:27017'}]}}"""));
            }
            if (!hello.getBoolean("isWritablePrimary", false)) {
                throw new IllegalStateException("nobody is elected yet");
            }
        }
    }

    private static String uri(String host, int port) {
        return "mongodb://%s:%d/?directConnection=true".formatted(host, port);
    }

    @Override
    public MongoEngine engine() {
        return engine;
    }

    @Override
    public OwnContainer server() {
        return BROKEN;
    }

    @Override
    public Runnable backup() {
        MongoDatabase database = SERVER.database();
        Map<MongoCollection<BsonDocument>, List<BsonDocument>> copies = new LinkedHashMap<>();
        for (String name : List.of("holdfast_app", "holdfast_lease", "holdfast_save")) {
            MongoCollection<BsonDocument> collection = database.getCollection(name, BsonDocument.class);
            copies.put(collection, collection.find().into(new ArrayList<>()));
        }
        return () -> copies.forEach((collection, documents) -> {
            collection.deleteMany(new BsonDocument());
            if (!documents.isEmpty()) {
                collection.insertMany(documents);
            }
        });
    }

    /** MongoDB's primary steps down, and is elected again; FerretDB's PostgreSQL, in the same container, is told. */
    @Override
    public void setReadOnly(boolean readOnly) {
        if (SERVER.isMongo()) {
            standDown(readOnly);
        } else {
            String psql = "psql -h /run/postgresql -U postgres -qAt";
            String value = readOnly ? "on" : "off";
            BROKEN.run("%s -c 'ALTER SYSTEM SET default_transaction_read_only = %s' -c 'SELECT pg_reload_conf()'"
                    .formatted(psql, value));
            BROKEN.await(
                    "read-only: " + value,
                    () -> BROKEN.run(psql + " -c 'SHOW default_transaction_read_only'")
                            .strip()
                            .equals(value));
        }
    }

    private static void standDown(boolean forLong) {
        MongoDatabase admin = SERVER.client(settings -> settings).getDatabase("admin");
        admin.runCommand(Document.parse(
                forLong
                        ? "{replSetStepDown: 3600, secondaryCatchUpPeriodSecs: 0, force: true}"
                        : "{replSetFreeze: 0}"));
        BROKEN.await(
                "read-only: " + forLong,
                () -> admin.runCommand(new Document("hello", 1)).getBoolean("isWritablePrimary") != forLong);
    }
}
