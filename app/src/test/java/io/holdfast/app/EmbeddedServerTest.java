package io.holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedServerTest {
    @TempDir
    private Path folder;

    @Test
    void keepsItsDataBetweenStarts() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(folder)) {
            ask(server.url(), "CREATE TABLE kept AS SELECT 'here' AS word");
        }
        try (EmbeddedServer server = EmbeddedServer.start(folder)) {
            assertThat(ask(server.url(), "SELECT word FROM kept")).isEqualTo("here");
        }
    }

    @Test
    void syncsToTheDiskAndLetsNobodyInWithoutThePassword() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(folder)) {
            assertThat(ask(server.url(), "SHOW fsync")).isEqualTo("on");
            assertThat(ask(server.url(), "SHOW synchronous_commit")).isEqualTo("on");
            assertThat(ask(server.url(), "SHOW unix_socket_directories")).isEmpty();
            String stranger = server.url().replaceFirst("password=.*", "password=guess");
            assertThatThrownBy(() -> ask(stranger, "SELECT 1"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password authentication failed");
        }
    }

    @Test
    void aSecondProgramIsToldHowToShareIt() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(folder)) {
            String port = server.url().replaceFirst(".*:(\\d+)/.*", "$1");
            assertThatThrownBy(() -> EmbeddedServer.start(folder))
                    .isInstanceOf(CannotStart.class)
                    .hasMessageContaining("another program uses the data in " + folder)
                    .hasMessageContaining("--store 'jdbc:postgresql://127.0.0.1:" + port + "/")
                    .hasMessageContaining("&password='$(cat " + folder)
                    .hasMessageNotContaining(Files.readString(folder.resolve("password")));
            assertThat(ask(server.url(), "SELECT 'alive'")).isEqualTo("alive");
        }
    }

    @Test
    void makesTheDatabaseAnewIfMakingItWasCutOff() throws Exception {
        Files.createDirectories(folder.resolve("data"));
        Files.writeString(folder.resolve("data/half"), "made");
        Files.writeString(folder.resolve("unfinished"), "");
        try (EmbeddedServer server = EmbeddedServer.start(folder)) {
            assertThat(ask(server.url(), "SELECT 'fine'")).isEqualTo("fine");
        }
        assertThat(folder.resolve("unfinished")).doesNotExist();
    }

    private static String ask(String url, String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement sent = connection.createStatement()) {
            if (!sent.execute(statement)) {
                return "";
            }
            try (ResultSet row = sent.getResultSet()) {
                row.next();
                return row.getString(1);
            }
        }
    }
}
