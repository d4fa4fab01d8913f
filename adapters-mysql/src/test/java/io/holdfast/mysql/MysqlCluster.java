package io.holdfast.mysql;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.contract.cluster.Cluster;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.testcontainers.containers.Network;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.mysql.MySQLContainer;
import org.testcontainers.utility.DockerImageName;

/** Group Replication of three members, of which one takes writes. What it commits, a majority has. */
final class MysqlCluster implements Cluster {
    private static final int MEMBERS = 3;
    private static final String IMAGE = System.getenv().getOrDefault("HOLDFAST_IMAGE_MYSQL", "mysql:9");
    private static final String GROUP = UUID.randomUUID().toString();

    private static final String PRIMARY = """
            SELECT member_host FROM performance_schema.replication_group_members
             WHERE member_role = 'PRIMARY' AND member_state = 'ONLINE'""";

    private final Network network = Network.newNetwork();
    private final List<MySQLContainer> members = new ArrayList<>();
    private final Map<String, HikariDataSource> pools = new HashMap<>();
    private final MysqlStores stores;

    /** What the pools' user would get from a router: a connection to the member that takes writes. */
    private volatile String primary = name(0);

    MysqlCluster() {
        for (int i = 0; i < MEMBERS; i++) {
            members.add(member(i));
        }
        Startables.deepStart(members).join();
        for (int i = 0; i < MEMBERS; i++) {
            pools.put(name(i), pool(members.get(i)));
            join(members.get(i), i == 0);
        }
        Cluster.await(
                "three members are online", () -> text(members.get(0), """
                SELECT count(*) FROM performance_schema.replication_group_members WHERE member_state = 'ONLINE'""").equals("3"));
        stores = MysqlStores.of(router());
        stores.migrate();
    }

    private static String name(int i) {
        return "member" + i;
    }

    @SuppressWarnings("resource")
    private MySQLContainer member(int i) {
        String all = names().stream().map(name -> name + ":33061").collect(Collectors.joining(","));
        MySQLContainer member = new MySQLContainer(DockerImageName.parse(IMAGE).asCompatibleSubstituteFor("mysql"))
                .withNetwork(network)
                .withNetworkAliases(name(i))
                .withCreateContainerCmdModifier(container -> container.withHostName(name(i)));
        return member.withCommand(
                "mysqld",
                "--server-id=" + (i + 1),
                "--gtid-mode=ON",
                "--enforce-gtid-consistency=ON",
                "--log-bin=binlog",
                "--report-host=" + name(i),
                "--plugin-load-add=group_replication.so",
                "--loose-group_replication_group_name=" + GROUP,
                "--loose-group_replication_local_address=" + name(i) + ":33061",
                "--loose-group_replication_group_seeds=" + all,
                "--loose-group_replication_start_on_boot=OFF",
                "--loose-group_replication_recovery_get_public_key=ON",
                "--loose-group_replication_ip_allowlist=0.0.0.0/0",
                // Who is suspected is expelled at once; five seconds later, by default.
                "--loose-group_replication_member_expel_timeout=0");
    }

    /** A member brings no transaction of its own, not even those of its first start. */
    private static void join(MySQLContainer member, boolean isFirst) {
        run(
                member,
                "SET sql_log_bin = OFF",
                "CREATE USER 'replication'@'%' IDENTIFIED BY 'known'",
                "GRANT REPLICATION SLAVE, CONNECTION_ADMIN, BACKUP_ADMIN, GROUP_REPLICATION_STREAM ON *.* TO 'replication'@'%'",
                "SET sql_log_bin = ON",
                "RESET BINARY LOGS AND GTIDS",
                "CHANGE REPLICATION SOURCE TO SOURCE_USER = 'replication', SOURCE_PASSWORD = 'known'"
                        + " FOR CHANNEL 'group_replication_recovery'",
                "SET GLOBAL group_replication_bootstrap_group = " + (isFirst ? "ON" : "OFF"),
                "START GROUP_REPLICATION",
                "SET GLOBAL group_replication_bootstrap_group = OFF");
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
        int dead = names().indexOf(primary);
        MySQLContainer killed = members.get(dead);
        killed.getDockerClient().killContainerCmd(killed.getContainerId()).exec();
        MySQLContainer witness = members.get((dead + 1) % MEMBERS);
        Cluster.await("another member takes writes", () -> {
            String elected = text(witness, PRIMARY);
            boolean isAnother = !elected.equals(primary);
            primary = elected;
            return isAnother;
        });
    }

    @Override
    public String engine() {
        return "MySQL " + text(members.get(names().indexOf(primary)), "SELECT version()");
    }

    @Override
    public String toString() {
        return "Group Replication of three members";
    }

    @Override
    public void close() {
        pools.values().forEach(HikariDataSource::close);
        members.forEach(MySQLContainer::close);
        network.close();
    }

    private static List<String> names() {
        return IntStream.range(0, MEMBERS).mapToObj(MysqlCluster::name).toList();
    }

    private static HikariDataSource pool(MySQLContainer member) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url(member) + "&connectTimeout=2000");
        pool.setUsername("root");
        pool.setPassword(member.getPassword());
        pool.setMaximumPoolSize(16);
        pool.setMinimumIdle(0);
        pool.setConnectionTimeout(2_000);
        return pool;
    }

    private DataSource router() {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                    try {
                        return method.invoke(pools.get(primary), args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static String url(MySQLContainer member) {
        return "jdbc:mysql://%s:%d/%s?sslMode=DISABLED&allowPublicKeyRetrieval=true"
                .formatted(member.getHost(), member.getMappedPort(MySQLContainer.MYSQL_PORT), member.getDatabaseName());
    }

    private static void run(MySQLContainer member, String... statements) {
        try (Connection connection = connect(member);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(String.join("; ", statements), e);
        }
    }

    private static String text(MySQLContainer member, String sql) {
        try (Connection connection = connect(member);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static Connection connect(MySQLContainer member) throws SQLException {
        return DriverManager.getConnection(url(member), "root", member.getPassword());
    }
}
