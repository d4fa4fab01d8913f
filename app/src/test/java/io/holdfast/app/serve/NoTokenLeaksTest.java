package io.holdfast.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.app.Backend;
import io.holdfast.app.serve.Client.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** S8, R8: the real program at its most talkative. What it logs and what its database holds is searched for known secrets. */
class NoTokenLeaksTest {
    private static final byte[] KEY = new byte[32];

    /** What the JDK and the driver say at their lowest level, parameters of statements included. */
    private static final String EVERYTHING = """
            handlers = java.util.logging.ConsoleHandler
            java.util.logging.ConsoleHandler.level = ALL
            .level = ALL
            """;

    static {
        new Random(8).nextBytes(KEY);
    }

    @TempDir
    private Path folder;

    private final List<String> tokens = new ArrayList<>();

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void s8_r8_noTokenAndNoKeyIsInTheLogOrInTheDatabase() throws Exception {
        Path key = Files.write(folder.resolve("key"), KEY);
        Path logging = Files.writeString(folder.resolve("logging.properties"), EVERYTHING);
        List<String> talkative = List.of(
                "-DHOLDFAST_LOG_LEVEL=TRACE",
                "-DHOLDFAST_LIBRARY_LOG_LEVEL=TRACE",
                "-Djava.util.logging.config.file=" + logging);
        String log;
        try (TestOrchestrator writer = new TestOrchestrator();
                Program program = Program.serve(
                        folder,
                        talkative,
                        "--refresh-key-files",
                        key.toString(),
                        "--writer",
                        writer.url(),
                        "--writer-timeout",
                        "1m")) {
            save(program.client(), writer);
            refresh(program.client());
            log = program.output();
        }
        assertThat(log).as("this is the most talkative log").contains("TRACE", "DEBUG", "/saves", "FINEST");
        String dump;
        try (Backend backend = Nodes.open(folder.resolve("data"))) {
            dump = backend.on(NoTokenLeaksTest::dump, mongo -> "");
        }
        assertThat(dump).as("this is the database").contains("holdfast_save", "holdfast_refresh");
        assertThat(tokens).hasSizeGreaterThan(5);
        for (byte[] secret : secrets()) {
            for (String form : forms(secret)) {
                assertThat(log.contains(form)).as("the log has " + form).isFalse();
                assertThat(dump.contains(form)).as("the database has " + form).isFalse();
            }
        }
    }

    private void save(Client client, TestOrchestrator writer) throws Exception {
        String token =
                client.post("/save-tokens", "{\"ifInDoubt\": \"refuse\"}").text("token");
        tokens.add(token);
        Thread saves = new Thread(() -> save(client, token, "{\"a\": 1}"));
        saves.start();
        writer.order(0).reply().complete(new TestOrchestrator.Reply(200, "{\"state\": \"saved\"}"));
        saves.join();
        assertThat(save(client, token, "{\"a\": 1}").status()).isEqualTo(200);
        assertThat(save(client, token, "{\"a\": 2}").status()).isEqualTo(422);
        assertThat(save(client, token + "-", "{\"a\": 1}").status()).isEqualTo(400);
        String other =
                client.post("/save-tokens", "{\"ifInDoubt\": \"run_again\"}").text("token");
        tokens.add(other);
        assertThat(save(client, other, "{").status()).isEqualTo(400);
    }

    private static Answer save(Client client, String token, String content) {
        try {
            return client.post("/saves", content, "Holdfast-Save-Token", token);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void refresh(Client client) throws Exception {
        String token = client.post("/refresh-families", "{\"graceMs\": 1}").text("refresh_token");
        tokens.add(token);
        for (int i = 0; i < 3; i++) {
            Answer next = form(client, "/refresh", "grant_type=refresh_token&refresh_token=" + token);
            assertThat(next.status()).isEqualTo(200);
            token = next.text("refresh_token");
            tokens.add(token);
        }
        String json = "{\"grant_type\": \"refresh_token\", \"refresh_token\": \"" + tokens.get(2) + "\"";
        assertThat(client.post("/refresh", json).status()).as("it is no JSON").isEqualTo(400);
        assertThat(client.post("/refresh", json + "}").text("error")).isEqualTo("invalid_grant");
        assertThat(form(client, "/refresh/revocations", "token=" + token).status())
                .isEqualTo(200);
    }

    private static Answer form(Client client, String path, String form) throws Exception {
        return client.send(client.request(path, "Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form))
                .build());
    }

    /** The key; each token; what it is made of, without its prefix; and of a refresh token its signature alone. */
    private List<byte[]> secrets() {
        List<byte[]> secrets = new ArrayList<>();
        secrets.add(KEY);
        for (String token : tokens) {
            secrets.add(token.getBytes(StandardCharsets.US_ASCII));
            byte[] made = Base64.getUrlDecoder().decode(token.substring(4));
            secrets.add(made);
            if (token.startsWith("hfr_")) {
                secrets.add(Arrays.copyOfRange(made, made.length - 32, made.length));
            }
        }
        return secrets;
    }

    private static List<String> forms(byte[] secret) {
        return List.of(
                new String(secret, StandardCharsets.ISO_8859_1),
                HexFormat.of().formatHex(secret),
                HexFormat.of().withUpperCase().formatHex(secret),
                Base64.getEncoder().encodeToString(secret),
                Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    private static String dump(javax.sql.DataSource database) {
        StringBuilder dump = new StringBuilder();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : column(
                    statement, "select table_name from information_schema.tables where table_schema = 'public'")) {
                dump.append(table).append('\n');
                column(statement, "select t::text from \"" + table + "\" t")
                        .forEach(row -> dump.append(row).append('\n'));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return dump.toString();
    }

    private static List<String> column(Statement statement, String query) throws SQLException {
        List<String> values = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }
}
