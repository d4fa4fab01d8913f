package io.holdfast.postgres;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.contract.cluster.Cluster;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.testcontainers.containers.Container;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** A primary that commits nothing before its stand-by has it, and that stand-by. */
final class PostgresCluster implements Cluster {
    private static final String PRIMARY = "primary";
    private static final String IMAGE = System.getenv().getOrDefault("HOLDFAST_IMAGE_POSTGRES", "postgres:18");

    /** Where Debian and the official image have it. The password comes by PGPASSWORD. */
    private static final String FOLLOW = """
            set -e
            PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
            data=/var/lib/postgresql/standby
            install -d -o postgres -g postgres -m 0700 $data /var/run/postgresql
            setpriv --reuid=postgres --regid=postgres --init-groups \\
                pg_basebackup -D $data -R -X stream -c fast -d "host=%s user=%s application_name=standby"
            exec setpriv --reuid=postgres --regid=postgres --init-groups postgres -D $data -c listen_addresses='*'
            """;

    private static final String IS_SYNCHRONOUS =
            "SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'";

    private final Network network = Network.newNetwork();
    private final PostgreSQLContainer primary;
    private final GenericContainer<?> standby;
    private final HikariDataSource pool = new HikariDataSource();
    private final PostgresStores stores;

    @SuppressWarnings("resource")
    PostgresCluster() {
        primary = new PostgreSQLContainer(DockerImageName.parse(IMAGE).asCompatibleSubstituteFor("postgres"))
                .withNetwork(network)
                .withNetworkAliases(PRIMARY);
        primary.withCommand("postgres").start();
        admitStandby();

        standby = new GenericContainer<>(DockerImageName.parse(IMAGE))
                .withNetwork(network)
                .withEnv("PGPASSWORD", primary.getPassword())
                .withCommand("bash", "-c", FOLLOW.formatted(PRIMARY, primary.getUsername()))
                .withExposedPorts(PostgreSQLContainer.POSTGRESQL_PORT)
                .waitingFor(Wait.forLogMessage(".*ready to accept read.only connections.*", 1));
        standby.start();
        run(primary, "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
        run(primary, "SELECT pg_reload_conf()");
        Cluster.await(
                "the stand-by is synchronous",
                () -> text(primary, IS_SYNCHRONOUS).equals("t"));

        pool.setJdbcUrl("jdbc:postgresql://%s,%s/%s?targetServerType=primary&connectTimeout=2"
                .formatted(address(primary), address(standby), primary.getDatabaseName()));
        pool.setUsername(primary.getUsername());
        pool.setPassword(primary.getPassword());
        pool.setMaximumPoolSize(16);
        pool.setConnectionTimeout(2_000);
        stores = PostgresStores.of(pool);
        stores.migrate();
    }

    /** As an image comes, its primary lets nobody but itself replicate it. */
    private void admitStandby() {
        String rules = text(primary, "SHOW hba_file");
        try {
            Container.ExecResult added =
                    primary.execInContainer("bash", "-c", "echo 'host replication all all scram-sha-256' >> " + rules);
            if (added.getExitCode() != 0) {
                throw new IllegalStateException(added.getStderr());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        run(primary, "SELECT pg_reload_conf()");
    }

    @Override
    public ClaimStore claims() {
        return stores.claims();
    }

    @Override
    public Deployments deployments() {
        return stores.deployments();
    }

    @Override
    public void failOver() {
        primary.getDockerClient().killContainerCmd(primary.getContainerId()).exec();
        // It waits until that is done.
        run(standby, "SELECT pg_promote()");
    }

    @Override
    public String engine() {
        return "PostgreSQL " + text(standby, "SHOW server_version").split(" ", 2)[0];
    }

    @Override
    public String toString() {
        return "a primary and its synchronous stand-by";
    }

    @Override
    public void close() {
        pool.close();
        standby.close();
        primary.close();
        network.close();
    }

    private static String address(GenericContainer<?> server) {
        return server.getHost() + ":" + server.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT);
    }

    private void run(GenericContainer<?> server, String sql) {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private String text(GenericContainer<?> server, String sql) {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private Connection connect(GenericContainer<?> server) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://" + address(server) + "/" + primary.getDatabaseName(),
                primary.getUsername(),
                primary.getPassword());
    }
}
