package io.holdfast.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.containers.Container;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A PostgreSQL of its own, and two PgBouncers before it that lend a session for a transaction: as it is since 1.21, with the
 * prepared statements of its clients wherever they come to, and as it was before, without. Register it as a static extension,
 * before what connects to it.
 */
final class PostgresPooler implements BeforeAllCallback, AfterAllCallback {
    private static final int BEFORE_121 = 6432;
    private static final int SINCE_121 = 6433;

    /** Debian's images have it packed; the official ones have the same packages within reach. */
    private static final String INSTALL =
            "command -v pgbouncer || { apt-get update && apt-get install -y pgbouncer; } >&2";

    /** Sessions are lent in turn, so that nobody gets the same one twice by luck. */
    private static final String START = """
            cat >/tmp/%1$d.ini <<'END'
            [databases]
            * = host=127.0.0.1 port=5432
            [pgbouncer]
            listen_addr = 0.0.0.0
            listen_port = %1$d
            unix_socket_dir =
            auth_type = scram-sha-256
            auth_file = /tmp/users
            pool_mode = transaction
            server_round_robin = 1
            default_pool_size = 8
            max_client_conn = 400
            max_prepared_statements = %2$d
            ignore_startup_parameters = extra_float_digits
            logfile = /tmp/%1$d.log
            pidfile = /tmp/%1$d.pid
            END
            printf '"%%s" "%%s"\\n' '%3$s' '%4$s' >/tmp/users
            pgbouncer -d -u postgres /tmp/%1$d.ini || { cat /tmp/%1$d.log; exit 1; } >&2
            until (: <>/dev/tcp/127.0.0.1/%1$d); do sleep 0.05; done""";

    private final PostgreSQLContainer container = new PostgreSQLContainer(
            DockerImageName.parse(System.getenv().getOrDefault("HOLDFAST_IMAGE_POSTGRES", "postgres:18"))
                    .asCompatibleSubstituteFor("postgres"));

    @Override
    public void beforeAll(ExtensionContext context) {
        container.addExposedPorts(BEFORE_121, SINCE_121);
        container.withCommand("postgres");
        try {
            container.start();
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "there is no PostgreSQL to put a pooler before: have Docker running; ./verify sees to that", e);
        }
        run(INSTALL);
        start(BEFORE_121, 0);
        start(SINCE_121, 200);
    }

    private void start(int port, int preparedStatements) {
        run(START.formatted(port, preparedStatements, container.getUsername(), container.getPassword()));
    }

    private void run(String script) {
        try {
            Container.ExecResult result = container.execInContainer("timeout", "60", "bash", "-c", script);
            if (result.getExitCode() != 0) {
                throw new IllegalStateException("PgBouncer does not start: it needs to be in the image,"
                        + " or its system's packages within reach: " + result.getStderr());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a pooler is started", e);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        container.stop();
    }

    /** The server itself, with user and password. */
    String url() {
        return "jdbc:postgresql://%s:%d/%s?user=%s&password=%s"
                .formatted(
                        container.getHost(),
                        container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
                        container.getDatabaseName(),
                        container.getUsername(),
                        container.getPassword());
    }

    /** The database of {@code server}, by the pooler that takes prepared statements for the session's own. */
    String urlBefore121(PostgresServer server) {
        return server.url(container.getHost(), container.getMappedPort(BEFORE_121));
    }

    /** The database of {@code server}, by the pooler that knows them. */
    String urlSince121(PostgresServer server) {
        return server.url(container.getHost(), container.getMappedPort(SINCE_121));
    }

    /** Name and version, such as "PgBouncer 1.26.1". */
    String version() {
        try {
            String told = container.execInContainer("pgbouncer", "--version").getStdout();
            return told.lines().findFirst().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a pooler is asked its version", e);
        }
    }
}
