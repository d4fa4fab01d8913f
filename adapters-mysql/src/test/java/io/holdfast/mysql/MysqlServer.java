package io.holdfast.mysql;

import com.mysql.cj.conf.ConnectionUrl;
import com.mysql.cj.conf.HostInfo;
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
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.mysql.MySQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A database of its own for each test class, migrated, on the server that {@code HOLDFAST_TEST_MYSQL} names, else on one in a
 * container. Register it as a static extension.
 */
public final class MysqlServer implements BeforeAllCallback, AfterAllCallback {
    private static final String ENVIRONMENT = "HOLDFAST_TEST_MYSQL";

    /** What the pools send, while it is open. */
    static final Wire<String> WIRE = new Wire<>();

    /** That a statement is none, or names or joins what cannot be: ER_PARSE_ERROR, ER_BAD_FIELD_ERROR and the like. */
    private static final Set<Integer> NONSENSE =
            Set.of(1052, 1054, 1064, 1066, 1093, 1109, 1210, 1221, 1235, 1241, 1582, 3568);

    /** Those whose tests run again and again. */
    private static final Set<MysqlServer> KEPT = new LinkedHashSet<>();

    private final String database = "holdfast_" + UUID.randomUUID().toString().replace('-', '_');
    private final String user = "user_" + database.substring(database.length() - 12);
    private final List<HikariDataSource> pools = new ArrayList<>();
    private boolean isMade;
    private final Supplier<String> serverUrl;

    public MysqlServer() {
        this(MysqlServer::anyServer);
    }

    /** On another server than all other classes. */
    MysqlServer(Supplier<String> serverUrl) {
        this.serverUrl = serverUrl;
    }

    /** Started once for all classes; Testcontainers stops it when this JVM ends. */
    private static final class Container {
        static final String URL = start();

        private static String start() {
            String image = System.getenv().getOrDefault("HOLDFAST_IMAGE_MYSQL", "mysql:9");
            try {
                @SuppressWarnings("resource")
                MySQLContainer container =
                        new MySQLContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("mysql"));
                // The tests make databases, and look at the server's settings: as root, who has the same password.
                container.withCommand("mysqld", "--max-connections=400").start();
                return "jdbc:mysql://%s:%d/?user=root&password=%s"
                        .formatted(
                                container.getHost(),
                                container.getMappedPort(MySQLContainer.MYSQL_PORT),
                                container.getPassword());
            } catch (RuntimeException e) {
                throw new IllegalStateException(
                        "there is no MySQL to test against: set " + ENVIRONMENT
                                + " to the JDBC URL of one whose user may"
                                + " create databases, or have Docker running; ./verify sees to either",
                        e);
            }
        }
    }

    private static String anyServer() {
        String url = System.getenv(ENVIRONMENT);
        return url == null || url.isBlank() ? Container.URL : url;
    }

    private HostInfo server() {
        return ConnectionUrl.getConnectionUrlInstance(serverUrl.get(), null).getMainHost();
    }

    private void onServer(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(server().getHost(), server().getPort(), ""));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) throws SQLException, IOException {
        if (!isMade) {
            onServer("CREATE DATABASE " + database);
            MysqlStores.of(pool()).migrate();
            isMade = true;
        }
        report(context.getRequiredTestClass().getName());
    }

    @Override
    public void afterAll(ExtensionContext context) throws SQLException {
        close();
    }

    private void close() throws SQLException {
        pools.forEach(HikariDataSource::close);
        pools.clear();
        if (WIRE.isOpen()) {
            KEPT.add(this);
            return;
        }
        onServer("DROP DATABASE " + database);
        onServer("DROP USER IF EXISTS '" + user + "'");
        isMade = false;
    }

    /** Drops the databases that were kept while the wire was open, for the next mutant. */
    static void dropKept() throws SQLException {
        for (MysqlServer kept : KEPT) {
            kept.close();
        }
        KEPT.clear();
    }

    /** For the last lines of {@code ./verify}. */
    private void report(String suite) throws IOException {
        Path lines = Path.of("target", "engines", suite + ".txt");
        Files.createDirectories(lines.getParent());
        Files.writeString(lines, suite + "\tMySQL\t" + version() + "\n");
    }

    /** Name and version, such as "MySQL 9.7.1". */
    public String engine() {
        return "MySQL " + version();
    }

    private String version() {
        return text("SELECT version()");
    }

    /** The JDBC URL of the database, with user and password. */
    public String url() {
        return url(host(), port());
    }

    /** The same, at another address. */
    public String url(String host, int port) {
        return url(host, port, database);
    }

    private String url(String host, int port, String database) {
        // The password of a test's user may cross the wire in the clear, or be asked for with a key that is not
        // checked.
        return "jdbc:mysql://%s:%d/%s?user=%s&password=%s&sslMode=DISABLED&allowPublicKeyRetrieval=true"
                .formatted(host, port, database, server().getUser(), server().getPassword());
    }

    /** The JDBC URL for a user who may do this, and what was asked for before, to all tables, and nothing else. */
    String urlOfUser(String privileges) {
        run("CREATE USER IF NOT EXISTS '%s' IDENTIFIED BY 'known'".formatted(user));
        run("GRANT %s ON %s.* TO '%s'".formatted(privileges, database, user));
        return url().replaceFirst("user=[^&]*", "user=" + user).replaceFirst("password=[^&]*", "password=known");
    }

    public String host() {
        return server().getHost();
    }

    public int port() {
        return server().getPort();
    }

    /** The name of the database. */
    String database() {
        return database;
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
            pool.setDataSource(plain(url));
        }
        pool.setMaximumPoolSize(16);
        pool.setMinimumIdle(0);
        pools.add(pool);
        return pool;
    }

    /** Connections of no pool. */
    static DataSource plain(String url) {
        return JdbcWire.to(url, WIRE, MysqlServer::isNonsense);
    }

    /** Connections of no pool, whose statements go over this wire last of all. */
    DataSource over(Wire<String> last) {
        return JdbcWire.to(JdbcWire.to(url(), last, e -> false), WIRE, MysqlServer::isNonsense);
    }

    private static boolean isNonsense(SQLException e) {
        return NONSENSE.contains(e.getErrorCode());
    }

    /** A connection beside all pools. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    /** Runs a statement by hand. */
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
}
