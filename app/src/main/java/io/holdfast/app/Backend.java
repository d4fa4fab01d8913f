package io.holdfast.app;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Budget;
import io.holdfast.StoreUnavailable;
import io.holdfast.UnfitDatabase;
import io.holdfast.lease.LeaseStore;
import io.holdfast.mongo.MongoStores;
import io.holdfast.mysql.MysqlStores;
import io.holdfast.postgres.PostgresStores;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.save.SaveTokenStore;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.sql.DataSource;
import org.bson.Document;

/**
 * One opened database: the stores on it, and what they stand on. Heartbeats have connections of their own (E9). Thread-safe;
 * closed after everything that uses it.
 */
public final class Backend implements AutoCloseable {
    private static final int WORK_CONNECTIONS = 10;
    /** One for the heart's batch, and one for when that hangs and is given up. */
    private static final int HEARTBEAT_CONNECTIONS = 2;

    private static final String DATABASE_OF_A_URI_WITHOUT_ONE = "holdfast";

    /** What the three adapters have in common. */
    private record Stores(
            ClaimStore claims,
            Deployments deployments,
            LeaseStore leases,
            SaveTokenStore saveTokens,
            SanctionStore sanctions,
            RefreshTokenStore refreshTokens,
            Runnable migrate,
            Runnable check) {}

    /** What the stores stand on: one of the two. */
    private sealed interface Ground {
        record Sql(DataSource work) implements Ground {}

        record Mongo(MongoDatabase work) implements Ground {}
    }

    private final String url;
    private final Deque<AutoCloseable> open;
    private final Stores stores;
    private final Ground ground;

    private Backend(String url, Deque<AutoCloseable> open, Stores stores, Ground ground) {
        this.url = url;
        this.open = open;
        this.stores = stores;
        this.ground = ground;
    }

    /**
     * Opens a database.
     *
     * @param data the folder of the embedded one
     * @param budget for each call
     * @throws CannotStart if it cannot be opened
     */
    public static Backend open(StoreAddress store, Path data, String tablePrefix, Budget budget) {
        Deque<AutoCloseable> open = new ArrayDeque<>();
        try {
            return switch (store.kind()) {
                case EMBEDDED -> {
                    EmbeddedServer server = EmbeddedServer.start(data);
                    open.push(server);
                    yield postgres(server.url(), open, tablePrefix, budget);
                }
                case POSTGRES -> postgres(store.url(), open, tablePrefix, budget);
                case MYSQL -> mysql(store.url(), open, tablePrefix, budget);
                case MONGO -> mongo(store.url(), open, tablePrefix, budget);
            };
        } catch (IllegalArgumentException | MongoException e) {
            closeAll(open);
            throw new CannotStart("the store " + store + " cannot be used: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            closeAll(open);
            throw e;
        }
    }

    /**
     * Deletes an embedded database, and stops its server if a program that was killed left it running. Waits a moment for
     * that program to be gone, and does nothing to a database that is in use.
     */
    public static void removeEmbedded(Path data) throws IOException {
        EmbeddedServer.remove(data);
    }

    private static Backend postgres(String url, Deque<AutoCloseable> open, String prefix, Budget budget) {
        HikariDataSource work = pool(url, "holdfast-work", WORK_CONNECTIONS, "connectTimeout", seconds(budget), budget);
        open.push(work);
        HikariDataSource beats =
                pool(url, "holdfast-beats", HEARTBEAT_CONNECTIONS, "connectTimeout", seconds(budget), budget);
        open.push(beats);
        PostgresStores stores =
                PostgresStores.of(work).heartbeatsOn(beats).within(budget).tables(prefix);
        return new Backend(
                url,
                open,
                new Stores(
                        stores.claims(),
                        stores.deployments(),
                        stores.leases(),
                        stores.saveTokens(),
                        stores.sanctions(),
                        stores.refreshTokens(),
                        stores::migrate,
                        stores::check),
                new Ground.Sql(work));
    }

    private static Backend mysql(String url, Deque<AutoCloseable> open, String prefix, Budget budget) {
        HikariDataSource work = pool(url, "holdfast-work", WORK_CONNECTIONS, "connectTimeout", millis(budget), budget);
        open.push(work);
        HikariDataSource beats =
                pool(url, "holdfast-beats", HEARTBEAT_CONNECTIONS, "connectTimeout", millis(budget), budget);
        open.push(beats);
        MysqlStores stores =
                MysqlStores.of(work).heartbeatsOn(beats).within(budget).tables(prefix);
        return new Backend(
                url,
                open,
                new Stores(
                        stores.claims(),
                        stores.deployments(),
                        stores.leases(),
                        stores.saveTokens(),
                        stores.sanctions(),
                        stores.refreshTokens(),
                        stores::migrate,
                        stores::check),
                new Ground.Sql(work));
    }

    private static Backend mongo(String url, Deque<AutoCloseable> open, String prefix, Budget budget) {
        ConnectionString uri = new ConnectionString(url);
        String name = uri.getDatabase() == null ? DATABASE_OF_A_URI_WITHOUT_ONE : uri.getDatabase();
        MongoDatabase work = client(uri, open, WORK_CONNECTIONS, budget).getDatabase(name);
        MongoDatabase beats = client(uri, open, HEARTBEAT_CONNECTIONS, budget).getDatabase(name);
        MongoStores stores =
                MongoStores.of(work).heartbeatsOn(beats).within(budget).tables(prefix);
        return new Backend(
                url,
                open,
                new Stores(
                        stores.claims(),
                        stores.deployments(),
                        stores.leases(),
                        stores.saveTokens(),
                        stores.sanctions(),
                        stores.refreshTokens(),
                        stores::migrate,
                        stores::check),
                new Ground.Mongo(work));
    }

    private static HikariDataSource pool(
            String url, String name, int connections, String property, String value, Budget budget) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        // The rest when they are needed: the processes of a race share what the server allows.
        config.setMinimumIdle(1);
        config.setConnectionTimeout(Math.max(250, budget.value().toMillis()));
        // Connector/J waits without end otherwise, and so would the pool's one thread that connects.
        config.addDataSourceProperty(property, value);
        try {
            // Connects once, so that a wrong address or password is found at once, in the server's own words.
            return new HikariDataSource(config);
        } catch (RuntimeException e) {
            throw unreachable(url, e);
        }
    }

    private static String seconds(Budget budget) {
        return Long.toString(Math.max(1, budget.value().toSeconds()));
    }

    private static String millis(Budget budget) {
        return Long.toString(budget.value().toMillis());
    }

    private static MongoClient client(ConnectionString uri, Deque<AutoCloseable> open, int connections, Budget budget) {
        long millis = budget.value().toMillis();
        MongoClient client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(uri)
                .applicationName("holdfast")
                .applyToConnectionPoolSettings(
                        pool -> pool.maxSize(connections).maxWaitTime(millis, TimeUnit.MILLISECONDS))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(millis, TimeUnit.MILLISECONDS))
                .applyToSocketSettings(socket -> socket.connectTimeout(millis, TimeUnit.MILLISECONDS))
                .build());
        open.push(client);
        return client;
    }

    private static String productOf(DataSource work) throws SQLException {
        try (Connection connection = work.getConnection()) {
            DatabaseMetaData about = connection.getMetaData();
            return about.getDatabaseProductName() + " " + about.getDatabaseProductVersion();
        }
    }

    private static String productOf(MongoDatabase work) {
        Document about = work.runCommand(new Document("buildInfo", 1));
        Document ferret = about.get("ferretdb", Document.class);
        return ferret == null
                ? "MongoDB " + about.getString("version")
                : "FerretDB " + ferret.getString("version") + " (as MongoDB " + about.getString("version") + ")";
    }

    public ClaimStore claims() {
        return stores.claims();
    }

    public Deployments deployments() {
        return stores.deployments();
    }

    public LeaseStore leases() {
        return stores.leases();
    }

    public SaveTokenStore saveTokens() {
        return stores.saveTokens();
    }

    public SanctionStore sanctions() {
        return stores.sanctions();
    }

    public RefreshTokenStore refreshTokens() {
        return stores.refreshTokens();
    }

    /** Applies whichever of the two fits the database, for statements that are not the stores'. */
    public <R> R on(Function<? super DataSource, ? extends R> sql, Function<? super MongoDatabase, ? extends R> mongo) {
        return ground instanceof Ground.Sql s ? sql.apply(s.work()) : mongo.apply(((Ground.Mongo) ground).work());
    }

    /** Creates what is missing; also while others do. */
    public void migrate() {
        stores.migrate().run();
    }

    /**
     * Looks whether the database is fit to decide.
     *
     * @throws UnfitDatabase if it is not
     */
    public void check() {
        stores.check().run();
    }

    /**
     * Makes the database ready: what is missing is created, and what it then is, is checked. A database that is ready
     * already is only looked at, so a user who may not create tables will do.
     *
     * @throws CannotStart if it cannot be reached, or is not fit to decide
     */
    public void prepare() {
        try {
            if (!isFit()) {
                migrate();
                check();
            }
        } catch (UnfitDatabase e) {
            throw new CannotStart("at " + url + ": " + e.getMessage(), e);
        } catch (StoreUnavailable e) {
            throw new CannotStart("at " + url + ": " + e.getMessage() + " (" + reason(e) + ")", e);
        }
    }

    private boolean isFit() {
        try {
            check();
            return true;
        } catch (UnfitDatabase e) {
            return false;
        }
    }

    /**
     * Engine and version, as the server says them.
     *
     * @throws CannotStart if it cannot be reached
     */
    public String describe() {
        try {
            return ground instanceof Ground.Sql sql ? productOf(sql.work()) : productOf(((Ground.Mongo) ground).work());
        } catch (SQLException | MongoException e) {
            throw unreachable(url, e);
        }
    }

    private static CannotStart unreachable(String url, Exception e) {
        return new CannotStart("the database at " + url + " cannot be reached: " + reason(e), e);
    }

    private static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    /** How another process reaches this very database, also an embedded one. With the password: not for logs. */
    public String url() {
        return url;
    }

    /** Closes what was opened, the last first: so an embedded server stops when nobody is connected any more. */
    @Override
    public void close() {
        closeAll(open);
    }

    private static void closeAll(Deque<AutoCloseable> open) {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                System.getLogger(Backend.class.getName())
                        .log(System.Logger.Level.WARNING, "a connection pool or server did not close", e);
            }
        }
    }
}
