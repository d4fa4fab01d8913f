package io.holdfast.postgres;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.contract.mutation.JdbcWire;
import io.holdfast.contract.mutation.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A database of its own for each test class, migrated, on the server that {@code HOLDFAST_TEST_POSTGRES} names, else on one
 * in a container. Register it as a static extension.
 */
public final class PostgresServer implements BeforeAllCallback, AfterAllCallback {
    private static final String ENVIRONMENT = "HOLDFAST_TEST_POSTGRES";

    /** What the pools send, while it is open. */
    static final Wire<String> WIRE = new Wire<>();

    /** Class 42 without what is told of rights and of tables: these statements are whole. */
    private static final Pattern NONSENSE = Pattern.compile("0A000|42(?!501|P01).*");

    private static final String OTHER_SESSIONS = """
            SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()""";

    private final String database = "holdfast_" + UUID.randomUUID().toString().replace('-', '_');
    private final List<HikariDataSource> pools = new ArrayList<>();
    private final Supplier<String> serverUrl;

    public PostgresServer() {
        this(PostgresServer::anyServer);
    }

    /** On another server than all other classes. */
    PostgresServer(Supplier<String> serverUrl) {
        this.serverUrl = serverUrl;
    }

    /** Started once for all classes; Testcontainers stops it when this JVM ends. */
    private static final class Container {
        static final String URL = start();

        private static String start() {
            String image = System.getenv().getOrDefault("HOLDFAST_IMAGE_POSTGRES", "postgres:18");
            try {
                @SuppressWarnings("resource")
                PostgreSQLContainer container =
                        new PostgreSQLContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("postgres"));
                // Without it Testcontainers turns fsync off, which check() refuses.
                container.withCommand("postgres");
                container.start();
                return url(
                        container.getHost(),
                        container.getMappedPort(5432),
                        container.getDatabaseName(),
                        container.getUsername(),
                        container.getPassword());
            } catch (RuntimeException e) {
                throw new IllegalStateException(
                        "there is no PostgreSQL to test against: set " + ENVIRONMENT
                                + " to the JDBC URL of one whose user"
                                + " may create databases, or have Docker running; ./verify sees to either",
                        e);
            }
        }
    }

    private static String anyServer() {
        String url = System.getenv(ENVIRONMENT);
        return url == null || url.isBlank() ? Container.URL : url;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws SQLException, IOException {
        try (Connection connection = DriverManager.getConnection(serverUrl.get());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + database + " ENCODING 'UTF8' TEMPLATE template0");
        }
        PostgresStores.of(source("")).migrate();
        report(context.getRequiredTestClass().getName());
    }

    @Override
    public void afterAll(ExtensionContext context) throws SQLException {
        pools.forEach(HikariDataSource::close);
        try (Connection connection = DriverManager.getConnection(serverUrl.get());
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE " + database + " WITH (FORCE)");
        }
    }

    /** For the last lines of {@code ./verify}. */
    private void report(String suite) throws IOException {
        Path lines = Path.of("target", "engines", suite + ".txt");
        Files.createDirectories(lines.getParent());
        Files.writeString(lines, suite + "\tPostgreSQL\t" + version() + "\n");
    }

    /** Name and version, such as "PostgreSQL 18.6". */
    public String engine() {
        return "PostgreSQL " + version();
    }

    private String version() {
        return text("SHOW server_version").split(" ", 2)[0];
    }

    /** The JDBC URL of the database, with user and password. */
    public String url() {
        return url(host(), port());
    }

    /** The same, at another address. */
    public String url(String host, int port) {
        Properties parsed = parsed();
        return url(
                host, port, database, PGProperty.USER.getOrDefault(parsed), PGProperty.PASSWORD.getOrDefault(parsed));
    }

    private static String url(String host, int port, String database, String user, String password) {
        return "jdbc:postgresql://%s:%d/%s?user=%s&password=%s".formatted(host, port, database, user, password);
    }

    public String host() {
        return PGProperty.PG_HOST.getOrDefault(parsed());
    }

    public int port() {
        return Integer.parseInt(PGProperty.PG_PORT.getOrDefault(parsed()));
    }

    private Properties parsed() {
        return Driver.parseURL(serverUrl.get(), null);
    }

    /** A new pool, as a host would have it; closed after the class. */
    public HikariDataSource pool() {
        return pool(url());
    }

    /** A new pool that connects when it is first asked. */
    HikariDataSource pool(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        if (WIRE.isOpen()) {
            pool.setDataSource(JdbcWire.to(
                    url,
                    WIRE,
                    e -> NONSENSE.matcher(String.valueOf(e.getSQLState())).matches()));
        }
        pool.setMaximumPoolSize(16);
        pool.setMinimumIdle(0);
        pools.add(pool);
        return pool;
    }

    /** Connections without a pool, with this parameter in their URL. */
    DataSource source(String parameter) {
        return source(database, parameter);
    }

    DataSource source(String otherDatabase, String parameter) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url().replace(database, otherDatabase) + "&" + parameter);
        return source;
    }

    String name() {
        return database;
    }

    /** A connection beside all pools. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    /** Runs statements by hand. */
    void run(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The only value of a query. */
    String text(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /**
     * How many transactions were rolled back in this database since it was made. Each error does that, and no statement of the
     * store's does it otherwise; so this is the number of error lines in the server's log, without having to read it. A
     * session has reported its count when it is gone.
     *
     * @param close the pools' connections; again and again, because a pool may be about to open one that nobody waits for any
     *     more
     */
    long rolledBack(Runnable close) {
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            do {
                close.run();
            } while (!text(OTHER_SESSIONS).equals("0"));
        });
        return Long.parseLong(text("SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()"));
    }

    /** The same, once all pools are closed. */
    long rolledBack() {
        return rolledBack(() -> {});
    }
}
