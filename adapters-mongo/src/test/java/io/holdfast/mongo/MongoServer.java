package io.holdfast.mongo;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.mongodb.MongoDBContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A database of its own for each test class, migrated, on the server that {@code HOLDFAST_TEST_MONGO} names, else on one in
 * a container. Register it as a static extension.
 */
public final class MongoServer implements BeforeAllCallback, AfterAllCallback {
    private static final String ENVIRONMENT = "HOLDFAST_TEST_MONGO";

    private static volatile @Nullable ServerAddress over;

    private final String database = "holdfast_" + UUID.randomUUID().toString().replace('-', '_');
    private final List<MongoClient> clients = new ArrayList<>();
    private final Supplier<String> serverUri;

    public MongoServer() {
        this(MongoServer::anyServer);
    }

    /** On another server than all other classes. */
    MongoServer(Supplier<String> serverUri) {
        this.serverUri = serverUri;
    }

    /** Started once for all classes; Testcontainers stops it when this JVM ends. */
    private static final class Container {
        static final String URI = start();

        @SuppressWarnings("resource")
        private static String start() {
            String image = System.getenv().getOrDefault("HOLDFAST_IMAGE_MONGO", "mongo:8");
            try {
                MongoDBContainer container =
                        new MongoDBContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("mongo"));
                // MongoDB locks for a stranger in a transaction, and has those on a replica set only; FerretDB has
                // neither.
                (image.contains("ferretdb") ? container : container.withReplicaSet()).start();
                return container.getConnectionString() + "/?directConnection=true";
            } catch (RuntimeException e) {
                throw new IllegalStateException(
                        "there is no MongoDB to test against: set " + ENVIRONMENT + " to the URI of one whose user may"
                                + " create databases, or have Docker running; ./verify sees to either",
                        e);
            }
        }
    }

    private static String anyServer() {
        String uri = System.getenv(ENVIRONMENT);
        return uri == null || uri.isBlank() ? Container.URI : uri;
    }

    private ConnectionString server() {
        return new ConnectionString(serverUri.get());
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        MongoStores.of(database()).migrate();
        report(context.getRequiredTestClass().getName());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        database().drop();
        clients.forEach(MongoClient::close);
    }

    /** For the last lines of {@code ./verify}. */
    private void report(String suite) throws IOException {
        Path lines = Path.of("target", "engines", suite + ".txt");
        Files.createDirectories(lines.getParent());
        Files.writeString(lines, suite + "\t" + nameAndVersion("\t") + "\n");
    }

    /** Name and version, such as "FerretDB over DocumentDB 2.7.0". */
    public String engine() {
        return nameAndVersion(" ");
    }

    private String nameAndVersion(String between) {
        Document about = about();
        Document ferret = about.get("ferretdb", Document.class);
        return ferret == null
                ? "MongoDB" + between + about.getString("version")
                : "FerretDB over DocumentDB" + between
                        + ferret.getString("version").replaceFirst("^v", "");
    }

    /** Whether this is MongoDB itself, and not another server that speaks its protocol. */
    boolean isMongo() {
        return !about().containsKey("ferretdb");
    }

    private Document about() {
        return database().runCommand(new Document("buildInfo", 1));
    }

    /** The database's URI, with user and password. */
    public String uri() {
        String uri = server().getConnectionString();
        int scheme = uri.indexOf("://") + 3;
        int path = uri.indexOf('/', scheme);
        int query = uri.indexOf('?', scheme);
        String authority = uri.substring(scheme, path >= 0 ? path : query >= 0 ? query : uri.length());
        return uri.substring(0, scheme) + authority + "/" + database + (query >= 0 ? uri.substring(query) : "");
    }

    public String host() {
        return address().getHost();
    }

    public int port() {
        return address().getPort();
    }

    private ServerAddress address() {
        ServerAddress elsewhere = over;
        return elsewhere == null ? new ServerAddress(server().getHosts().get(0)) : elsewhere;
    }

    /** From now on, whatever is connected to a server is connected to this in its place; with null, to itself again. */
    static void connectOver(@Nullable ServerAddress next) {
        over = next;
    }

    /** The database, by a new client as a host would have it; closed after the class. */
    public MongoDatabase database() {
        return database(settings -> settings);
    }

    /** The database, by a new client with other settings. */
    MongoDatabase database(UnaryOperator<MongoClientSettings.Builder> change) {
        return client(change).getDatabase(database);
    }

    /** A new client; closed after the class. */
    MongoClient client(UnaryOperator<MongoClientSettings.Builder> change) {
        MongoClient client = MongoClients.create(change.apply(MongoClientSettings.builder()
                        .applyConnectionString(server())
                        .applyToClusterSettings(cluster -> {
                            if (over != null) {
                                cluster.hosts(List.of(over));
                            }
                        }))
                .build());
        clients.add(client);
        return client;
    }

    String name() {
        return database;
    }
}
