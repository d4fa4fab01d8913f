package io.holdfast.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.app.Backend;
import io.holdfast.app.serve.Client.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sanctions over HTTP, on a real database. */
class SanctionServiceTest {
    @TempDir
    private static Path folder;

    private static Backend backend;
    private static Service service;
    private static Client client;

    private final String account = "account-" + UUID.randomUUID();
    private final String sanctions = "/accounts/" + account + "/sanctions";

    @BeforeAll
    static void start() {
        backend = Nodes.open(folder);
        service = Service.start(
                Ports.of(backend), Nodes.simulated(), Nodes.settings(Duration.ofSeconds(60), 100, Optional.empty()));
        client = new Client(service.port());
    }

    @AfterAll
    static void stop() {
        service.close();
        backend.close();
    }

    private Answer impose(String reason) throws Exception {
        return client.post(sanctions, "{\"reason\": \"" + reason + "\", \"by\": \"ann\"}");
    }

    private Answer active() throws Exception {
        return client.get("/accounts/" + account + "/sanction");
    }

    @Test
    void ofFiveAtOnceOneIsImposedAndTheOthersAreToldThatOne() throws Exception {
        List<Answer> answers = Nodes.atOnce(5, () -> impose("spam"));

        assertThat(answers).extracting(Answer::status).containsExactlyInAnyOrder(201, 409, 409, 409, 409);
        Answer won = answers.stream()
                .filter(answer -> answer.status() == 201)
                .findFirst()
                .orElseThrow();
        assertThat(won.text("state")).isEqualTo("active");
        assertThat(won.text("account")).isEqualTo(account);
        assertThat(answers).filteredOn(answer -> answer.status() == 409).allSatisfy(lost -> {
            assertThat(lost.problem()).isEqualTo("already_sanctioned");
            assertThat(lost.body().path("sanction")).isEqualTo(won.body());
            assertThat(lost.text("detail")).contains(won.text("id"), "ann");
            assertThat(lost.text("advice")).isEqualTo("replace_that_one");
        });
        assertThat(active().body()).isEqualTo(won.body());
    }

    @Test
    void whatWasSeenIsReplacedAndLiftedAndAnotherOneIsLeftAlone() throws Exception {
        String first = impose("spam").text("id");
        String terms = "{\"reason\": \"fraud\", \"by\": \"bob\", \"lastingMs\": 60000}";
        Answer second = client.post(sanctions + "/" + first + "/replace", terms);
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.text("lastingMs")).isEqualTo("60000");
        assertThat(second.body().path("endsInMs").asLong()).isBetween(1L, 60_000L);

        for (String path : new String[] {"/replace", "/lift"}) {
            Answer stale =
                    client.post(sanctions + "/" + first + path, path.equals("/lift") ? "{\"by\": \"bob\"}" : terms);
            assertThat(stale.status()).isEqualTo(409);
            assertThat(stale.problem()).isEqualTo("another_sanction");
            assertThat(stale.body().at("/sanction/id").asText()).isEqualTo(second.text("id"));
            assertThat(stale.body().at("/sanction/state").asText()).isEqualTo("active");
        }
        String lift = sanctions + "/" + second.text("id") + "/lift";
        Answer lifted = client.post(lift, "{\"by\": \"bob\"}");
        assertThat(lifted.status()).isEqualTo(200);
        assertThat(lifted.text("state")).isEqualTo("lifted");
        assertThat(lifted.text("liftedBy")).isEqualTo("bob");
        assertThat(client.post(lift, "{\"by\": \"carl\"}").body())
                .as("the first ending stands")
                .isEqualTo(lifted.body());

        assertThat(active().status()).isEqualTo(404);
        assertThat(active().problem()).isEqualTo("not_sanctioned");
        assertThat(client.post(sanctions + "/" + first + "/replace", terms).problem())
                .isEqualTo("nothing_to_replace");
        assertThat(client.get(sanctions).body().path("sanctions"))
                .extracting(sanction -> sanction.path("state").asText())
                .containsExactly("lifted", "replaced");
        assertThat(client.get(sanctions).body().at("/sanctions/1/replacedBy").asText())
                .isEqualTo(second.text("id"));
    }

    @Test
    void afterALiftAnotherOneIsImposedAtOnce() throws Exception {
        String first = impose("spam").text("id");
        client.post(sanctions + "/" + first + "/lift", "{\"by\": \"ann\"}");
        Answer again = impose("spam");
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.text("id")).isNotEqualTo(first);
    }

    @Test
    void aTimedOneEndsByItself() throws Exception {
        String terms = "{\"reason\": \"\", \"by\": \"ann\", \"lastingMs\": 100}";
        assertThat(client.post(sanctions, terms).status()).isEqualTo(201);
        Eventually.seen("its end", this::active, answer -> answer.status() == 404);
        assertThat(client.get(sanctions).body().at("/sanctions/0/state").asText())
                .isEqualTo("ran_out");
        assertThat(impose("again").status()).isEqualTo(201);
    }

    @Test
    void aReasonIsCutAndNeverRefused() throws Exception {
        String reason = impose("\\u0000" + "é".repeat(1_000)).text("reason");
        assertThat(reason).startsWith("\uFFFDé");
        assertThat(reason.getBytes(java.nio.charset.StandardCharsets.UTF_8)).hasSizeBetween(990, 1_000);
    }

    @Test
    void anUnknownOneIsNotFound() throws Exception {
        Answer missed = client.post(sanctions + "/" + UUID.randomUUID() + "/lift", "{\"by\": \"ann\"}");
        assertThat(missed.status()).isEqualTo(404);
        assertThat(missed.problem()).isEqualTo("no_such_sanction");
        assertThat(client.get(sanctions).body().path("sanctions")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "422 | invalid_request   | {\"reason\": \"spam\"}",
                "422 | invalid_request   | {\"by\": \"ann\"}",
                "422 | invalid_request   | {\"reason\": \"spam\", \"by\": \" \"}",
                "422 | invalid_request   | {\"reason\": \"spam\", \"by\": \"ann\", \"lastingMs\": 0}",
                "422 | invalid_request   | {\"reason\": \"spam\", \"by\": \"ann\", \"lastingMs\": -5}",
                "422 | invalid_request   | {\"reason\": \"spam\", \"by\": \"ann\", \"lastingMs\": 31536000001}",
                "422 | invalid_request   | {\"reason\": \"spam\", \"by\": \"ann\", \"lastingMs\": 1.5}",
                "422 | invalid_request   | {\"reason\": \"spam\", \"by\": \"ann\", \"lastingMs\": 99999999999999999999}",
                "422 | invalid_request   | {\"reason\": \"spam\", \"by\": \"ann\", \"until\": 5}",
                "400 | malformed_request | {\"reason\": \"spam\", \"by\": \"ann\"",
            })
    void badTermsAreRefused(int status, String problem, String terms) throws Exception {
        Answer refused = client.post(sanctions, terms);
        assertThat(refused.status()).as(refused.toString()).isEqualTo(status);
        assertThat(refused.problem()).isEqualTo(problem);
        assertThat(refused.text("detail")).endsWith(".");
        assertThat(active().status()).isEqualTo(404);
    }

    @Test
    void badPathsAreRefused() throws Exception {
        assertThat(client.post("/accounts/%20/sanctions", "{\"reason\": \"r\", \"by\": \"b\"}")
                        .problem())
                .isEqualTo("invalid_request");
        assertThat(client.post(sanctions + "/1/lift", "{\"by\": \"b\"}").problem())
                .isEqualTo("malformed_request");
        assertThat(client.get("/accounts/" + "a".repeat(256) + "/sanction").problem())
                .isEqualTo("invalid_request");
    }
}
