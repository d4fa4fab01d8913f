package io.holdfast.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.UnfitDatabase;
import io.holdfast.contract.Evidence;
import io.holdfast.contract.Evidence.Method;
import io.holdfast.contract.fault.OwnContainer;
import io.holdfast.lease.LeaseName;
import io.holdfast.publish.AppId;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.Publishing;
import io.holdfast.publish.Slug;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * MariaDB speaks MySQL's protocol, and is another database: it knows no LATERAL, and before 11 no {@code
 * transaction_isolation}. Whoever comes to it is told so, and nothing is written (E8).
 */
final class MysqlMariaDbTest {
    @RegisterExtension
    static final OwnContainer OLD = server("HOLDFAST_IMAGE_MARIADB_10", "mariadb:10.11");

    @RegisterExtension
    static final OwnContainer NEW = server("HOLDFAST_IMAGE_MARIADB", "mariadb:latest");

    private static OwnContainer server(String variable, String image) {
        return new OwnContainer(
                variable,
                image,
                3306,
                List.of("MARIADB_ROOT_PASSWORD=test", "MARIADB_DATABASE=test"),
                (host, port) -> DriverManager.getConnection(url(host, port)).close());
    }

    private static String url(String host, int port) {
        return "jdbc:mysql://%s:%d/test?user=root&password=test&sslMode=DISABLED".formatted(host, port);
    }

    static List<OwnContainer> servers() {
        return List.of(OLD, NEW);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void e8_itIsRefusedAndNothingIsWritten(OwnContainer server) throws SQLException {
        MysqlDataSource source = new MysqlDataSource();
        source.setUrl(url(server.host(), server.port()));
        String version = text(source, "SELECT version()").split("-", 2)[0];
        MysqlStores stores = MysqlStores.of(source);
        List<String> findings = new ArrayList<>();

        for (Runnable start : List.<Runnable>of(stores::check, stores::migrate)) {
            Throwable told = catchThrowable(start::run);
            if (!(told instanceof UnfitDatabase)
                    || !told.getMessage().contains("the server is MariaDB " + version + "-MariaDB")
                    || !told.getMessage().contains("Use MySQL 8.4 or newer")) {
                findings.add("a start was told " + told);
            }
        }
        // Who did not ask whether it is fit: by each of these it is told what to ask, and then it is told.
        for (Runnable take : List.<Runnable>of(
                () -> stores.claims().claim(claim()),
                () -> stores.leases()
                        .acquire(
                                LeaseName.of("job"),
                                AttemptId.random(),
                                new Holder("test"),
                                Publishing.DEFAULT_LIMIT))) {
            Throwable told = catchThrowable(take::run);
            if (!(told instanceof StoreUnavailable down)
                    || down.effect() != Effect.NOT_APPLIED
                    || !told.getMessage().matches(".*run (check|migrate)\\(\\).*")) {
                findings.add("a take was told " + told);
            }
        }
        String tables = text(source, "SELECT count(*) FROM information_schema.tables WHERE table_schema = DATABASE()");
        if (!tables.equals("0")) {
            findings.add("there are tables now: " + tables);
        }

        Evidence.of(
                        Method.MATRIX,
                        "MariaDB " + version,
                        "E8 G9",
                        "check() and migrate() refuse it, a take is not applied, nothing is written",
                        4,
                        findings.size(),
                        "")
                .tell();
        assertThat(findings).isEmpty();
    }

    private static ClaimRequest claim() {
        return new ClaimRequest(
                AttemptId.random(),
                AppId.of("app"),
                Slug.of("slug"),
                new Holder("test"),
                Publishing.DEFAULT_LIMIT,
                Optional.empty());
    }

    private static String text(MysqlDataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
