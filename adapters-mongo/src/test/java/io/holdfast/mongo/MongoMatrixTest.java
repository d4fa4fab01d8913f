package io.holdfast.mongo;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.MatrixContract;
import io.holdfast.contract.Ports;
import io.holdfast.contract.Setting;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.UuidRepresentation;
import org.bson.codecs.configuration.CodecRegistries;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MongoMatrixTest implements MatrixContract<MongoClientSettings.Builder> {
    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    private static MongoSubject subject;

    @BeforeAll
    static void open() {
        subject = new MongoSubject(SERVER.database());
    }

    @Override
    public EngineSubject subject() {
        return subject;
    }

    @Override
    public String met() {
        return SERVER.engine();
    }

    @Override
    public void hosted(Consumer<? super MongoClientSettings.Builder> set, Consumer<Ports> use) {
        MongoClient client = SERVER.client(builder -> {
            set.accept(builder);
            return builder;
        });
        try (client) {
            use.accept(new MongoPorts(MongoStores.of(client.getDatabase(SERVER.name()))));
        }
    }

    @Override
    public List<Setting<MongoClientSettings.Builder>> settings() {
        return List.of(
                Setting.<MongoClientSettings.Builder>of("write concern")
                        .or("w: 0", client -> client.writeConcern(WriteConcern.UNACKNOWLEDGED))
                        .or("w: 1", client -> client.writeConcern(WriteConcern.W1))
                        .or("no journal", client -> client.writeConcern(WriteConcern.MAJORITY.withJournal(false)))
                        .or(
                                "w: majority within 1 ms",
                                client -> client.writeConcern(
                                        WriteConcern.MAJORITY.withWTimeout(1, TimeUnit.MILLISECONDS))),
                Setting.<MongoClientSettings.Builder>of("read preference")
                        .or("secondary", client -> client.readPreference(ReadPreference.secondary()))
                        .or("secondaryPreferred", client -> client.readPreference(ReadPreference.secondaryPreferred()))
                        .or("nearest", client -> client.readPreference(ReadPreference.nearest())),
                Setting.<MongoClientSettings.Builder>of("read concern")
                        .or("local", client -> client.readConcern(ReadConcern.LOCAL))
                        .or("available", client -> client.readConcern(ReadConcern.AVAILABLE))
                        .or("linearizable", client -> client.readConcern(ReadConcern.LINEARIZABLE)),
                Setting.<MongoClientSettings.Builder>of("retries")
                        .or("no repeated writes", client -> client.retryWrites(false))
                        .or(
                                "no repetition at all",
                                client -> client.retryWrites(false).retryReads(false)),
                Setting.<MongoClientSettings.Builder>of("form of UUIDs")
                        .or("standard", client -> client.uuidRepresentation(UuidRepresentation.STANDARD))
                        .or(
                                "of the old Java driver",
                                client -> client.uuidRepresentation(UuidRepresentation.JAVA_LEGACY))
                        .or(
                                "of the old C# driver",
                                client -> client.uuidRepresentation(UuidRepresentation.C_SHARP_LEGACY)),
                Setting.<MongoClientSettings.Builder>of("codecs")
                        .or("none at all", client -> client.codecRegistry(CodecRegistries.fromCodecs())),
                Setting.<MongoClientSettings.Builder>of("time limit of the client")
                        .or("a minute", client -> client.timeout(1, TimeUnit.MINUTES)),
                Setting.<MongoClientSettings.Builder>of("size of the pool")
                        .or("one connection", client -> client.applyToConnectionPoolSettings(pool -> pool.maxSize(1))));
    }
}
