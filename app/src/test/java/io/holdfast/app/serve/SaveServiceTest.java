package io.holdfast.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.app.Backend;
import io.holdfast.app.serve.Client.Answer;
import io.holdfast.app.serve.TestOrchestrator.Order;
import io.holdfast.app.serve.TestOrchestrator.Reply;
import io.holdfast.contract.FaultProxy;
import io.holdfast.save.SaveToken;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Saves over HTTP, on a real database, with a writer over HTTP. */
class SaveServiceTest {
    private static final String JSON = "application/json";
    private static final String CONTENT = "{\"title\": \"été\", \"pages\": 3}";
    private static final Reply SAVED = new Reply(201, "{\"state\": \"saved\", \"result\": {\"b\": 1, \"a\": \"é\"}}");

    @TempDir
    private static Path folder;

    private static Backend backend;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private TestOrchestrator writer;
    private Service service;
    private Client client;

    @BeforeAll
    static void openDatabase() {
        backend = Nodes.open(folder);
    }

    @AfterAll
    static void closeDatabase() {
        backend.close();
    }

    @BeforeEach
    void start() throws Exception {
        writer = new TestOrchestrator();
        service = start(backend, Duration.ofSeconds(60));
        client = new Client(service.port());
    }

    @AfterEach
    void stop() {
        writer.close();
        service.close();
        threads.shutdownNow();
    }

    private Service start(Backend on, Duration limit) {
        Outside simulated = Nodes.simulated();
        Outside outside = new Outside(
                simulated.orchestrator(), simulated.releaser(), new WebhookWriter(writer.webhook("writer", threads)));
        return Service.start(Ports.of(on), outside, Nodes.settings(limit, 100, Optional.empty()));
    }

    private Answer issued(String ifInDoubt) throws Exception {
        Answer issued = client.post("/save-tokens", "{\"ifInDoubt\": \"" + ifInDoubt + "\"}");
        assertThat(issued.status()).as(issued.toString()).isEqualTo(201);
        assertThat(issued.header("Cache-Control")).isEqualTo("no-store");
        assertThat(issued.text("token")).matches("hfs_[A-Za-z0-9_-]{43}");
        assertThat(issued.text("idempotencyKey")).matches("[0-9a-f]{64}");
        return issued;
    }

    private static Answer save(Client at, String token, String type, String content) throws Exception {
        return at.send(at.request("/saves", "Holdfast-Save-Token", token, "Content-Type", type)
                .POST(BodyPublishers.ofString(content))
                .build());
    }

    private Answer save(String token) throws Exception {
        return save(client, token, JSON, CONTENT);
    }

    private Future<Answer> saving(String token) {
        return threads.submit(() -> save(token));
    }

    private Answer settle(String idempotencyKey, String fence, String ending) throws Exception {
        return client.post(
                "/save-tokens/" + idempotencyKey + "/settlements", "{\"fence\": " + fence + ", " + ending + "}");
    }

    @Test
    void ofFiveAtOnceOneSavesAndEverybodyGetsItsResult() throws Exception {
        Answer issued = issued("refuse");
        String token = issued.text("token");
        List<Future<Answer>> sent = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            sent.add(saving(token));
        }
        Order order = writer.order(0);
        assertThat(order.raw()).isEqualTo(CONTENT);
        assertThat(order.headers().getFirst("Content-Type")).isEqualTo(JSON);
        assertThat(order.headers().getFirst("Idempotency-Key")).isEqualTo(issued.text("idempotencyKey"));
        assertThat(order.headers()).doesNotContainKey("Holdfast-taken-over-from");
        Eventually.seen(
                "four who wait", () -> sent.stream().filter(Future::isDone).count(), done -> done == 4);
        order.reply().complete(SAVED);
        List<Answer> answers = new ArrayList<>();
        for (Future<Answer> answer : sent) {
            answers.add(answer.get());
        }
        assertThat(answers).extracting(Answer::status).containsExactlyInAnyOrder(200, 409, 409, 409, 409);
        assertThat(answers).filteredOn(answer -> answer.status() == 409).allSatisfy(busy -> {
            assertThat(busy.problem()).isEqualTo("save_in_progress");
            assertThat(busy.text("attempt")).isEqualTo(order.headers().getFirst("Holdfast-Attempt"));
            assertThat(busy.text("fence")).isEqualTo(order.headers().getFirst("Holdfast-Fence"));
            assertThat(busy.text("holder")).isEqualTo("test");
            assertThat(busy.text("idempotencyKey")).isEqualTo(issued.text("idempotencyKey"));
            assertThat(busy.header("Retry-After")).isEqualTo("5");
            assertThat(busy.toString()).doesNotContain(token);
        });
        Answer won = answers.stream()
                .filter(answer -> answer.status() == 200)
                .findFirst()
                .orElseThrow();
        assertThat(new String(won.raw().body(), StandardCharsets.UTF_8)).isEqualTo("{\"b\":1,\"a\":\"é\"}");
        assertThat(won.header("Idempotent-Replayed")).isEmpty();
        Answer again = save(token);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(again.raw().body()).isEqualTo(won.raw().body());
        assertThat(writer.orders()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json         | {\"pages\":3.0,\"title\":\"\\u00e9t\\u00e9\"} | 200",
                "application/JSON; a=b    | {\"pages\": 3, \"title\": \"été\"}            | 200",
                "application/vnd.doc+json | {\"pages\": 3, \"title\": \"été\"}            | 200",
                "application/json         | {\"pages\": 3, \"title\": \"ete\"}            | 422",
                "application/json         | {\"pages\": \"3\", \"title\": \"été\"}        | 422",
                "text/plain               | {\"pages\": 3, \"title\": \"été\"}            | 422",
            })
    void anotherPayloadIsRefusedBeforeAnythingElse(String type, String content, int status) throws Exception {
        String token = issued("refuse").text("token");
        Future<Answer> first = saving(token);
        Order order = writer.order(0);
        // While it is saved, and when it is.
        assertThat(save(client, token, type, content).status()).isEqualTo(status == 200 ? 409 : status);
        order.reply().complete(SAVED);
        first.get();
        Answer then = save(client, token, type, content);
        assertThat(then.status()).isEqualTo(status);
        assertThat(then.problem()).isEqualTo(status == 200 ? "" : "save_token_reused");
        assertThat(writer.orders()).hasSize(1);
    }

    @Test
    void whatIsNotSavedGivesTheTokenBack() throws Exception {
        String token = issued("refuse").text("token");
        Future<Answer> first = saving(token);
        writer.order(0).reply().complete(new Reply(507, "{\"state\": \"not_saved\", \"why\": \"quota\"}"));
        assertThat(first.get().status()).isEqualTo(502);
        assertThat(first.get().problem()).isEqualTo("not_saved");
        assertThat(first.get().text("detail")).contains("quota");

        Future<Answer> other = threads.submit(() -> save(client, token, "text/plain", "short"));
        Order order = writer.order(1);
        assertThat(order.raw()).isEqualTo("short");
        order.reply().complete(new Reply(200, "{\"state\": \"saved\"}"));
        assertThat(other.get().body().isEmpty()).isTrue();
        assertThat(other.get().status()).isEqualTo(200);
    }

    @Test
    void whereNobodyListensNothingWasSaved() throws Exception {
        String token = issued("refuse").text("token");
        writer.close();
        for (int i = 0; i < 2; i++) {
            assertThat(save(token).problem()).isEqualTo("not_saved");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"500 | ''", "200 | OK", "202 | ''", "200 | {\"state\": \"done\"}"})
    void whatIsInDoubtIsSettledBySomebodyWhoHasLooked(int status, String body) throws Exception {
        Answer issued = issued("refuse");
        String token = issued.text("token");
        String key = issued.text("idempotencyKey");
        try (Service brief = start(backend, Duration.ofMillis(400))) {
            Client at = new Client(brief.port());
            Future<Answer> first = threads.submit(() -> save(at, token, JSON, CONTENT));
            Order order = writer.order(0);
            order.reply().complete(new Reply(status, body));
            assertThat(first.get().status()).isEqualTo(502);
            assertThat(first.get().problem()).isEqualTo("save_unanswered");
            assertThat(first.get().text("idempotencyKey")).isEqualTo(key);

            Answer doubt = Eventually.seen(
                    "the doubt", () -> save(token), seen -> !seen.problem().equals("save_in_progress"));
            assertThat(doubt.status()).isEqualTo(409);
            assertThat(doubt.problem()).isEqualTo("save_in_doubt");
            assertThat(doubt.text("advice")).isEqualTo("settle");
            assertThat(doubt.text("fence")).isEqualTo(order.headers().getFirst("Holdfast-Fence"));
            assertThat(doubt.text("detail")).contains("/save-tokens/" + key + "/settlements", doubt.text("fence"));

            assertThat(settle(key, "5", "\"state\": \"not_saved\"").problem()).isEqualTo("not_in_doubt");
            Answer settled = settle(key, doubt.text("fence"), "\"state\": \"saved\", \"result\": [1, \"x\"]");
            assertThat(settled.status()).as(settled.toString()).isEqualTo(200);
            assertThat(settled.text("state")).isEqualTo("saved");
            Answer replayed = save(token);
            assertThat(new String(replayed.raw().body(), StandardCharsets.UTF_8))
                    .isEqualTo("[1,\"x\"]");
            assertThat(replayed.header("Idempotent-Replayed")).isEqualTo("true");
        }
        assertThat(writer.orders()).hasSize(1);
    }

    @Test
    void whatMayBeRunAgainIs() throws Exception {
        String token = issued("run_again").text("token");
        try (Service brief = start(backend, Duration.ofMillis(400))) {
            Client at = new Client(brief.port());
            Future<Answer> first = threads.submit(() -> save(at, token, JSON, CONTENT));
            Order order = writer.order(0);
            order.reply().complete(new Reply(500, ""));
            first.get();
            Future<Answer> second = threads.submit(
                    () -> Eventually.seen("the result", () -> save(token), seen -> seen.status() == 200));
            Order next = writer.order(1);
            assertThat(next.headers().getFirst("Holdfast-Taken-Over-From"))
                    .isEqualTo(order.headers().getFirst("Holdfast-Attempt"));
            assertThat(next.headers().getFirst("Idempotency-Key"))
                    .isEqualTo(order.headers().getFirst("Idempotency-Key"));
            assertThat(Long.parseLong(next.headers().getFirst("Holdfast-Fence")))
                    .isGreaterThan(Long.parseLong(order.headers().getFirst("Holdfast-Fence")));
            next.reply().complete(SAVED);
            assertThat(second.get().status()).isEqualTo(200);
        }
    }

    @Test
    void aResultThatIsTooLongIsDoubt() throws Exception {
        String token = issued("refuse").text("token");
        Future<Answer> first = saving(token);
        writer.order(0)
                .reply()
                .complete(new Reply(200, "{\"state\": \"saved\", \"result\": \"" + "x".repeat(300_000) + "\"}"));
        assertThat(first.get().problem()).isEqualTo("save_unanswered");
    }

    @Test
    void anUnknownAndAnExpiredTokenSaveNothing() throws Exception {
        Answer unknown = save(SaveToken.random().reveal());
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.problem()).isEqualTo("no_such_save_token");
        String brief = client.post("/save-tokens", "{\"ifInDoubt\": \"refuse\", \"validForMs\": 1}")
                .text("token");
        Answer expired = save(brief);
        assertThat(expired.status()).isEqualTo(410);
        assertThat(expired.problem()).isEqualTo("save_token_expired");
        assertThat(writer.orders()).isEmpty();
    }

    @Test
    void aTokenComesInItsHeaderAndInNoOtherPlace() throws Exception {
        String token = issued("refuse").text("token");
        Answer inQuery = client.post("/saves?token=" + token, CONTENT);
        assertThat(inQuery.status()).isEqualTo(400);
        assertThat(inQuery.problem()).isEqualTo("token_is_missing");
        Answer malformed = save(token + "x");
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(malformed.problem()).isEqualTo("malformed_request");
        assertThat(malformed.toString()).doesNotContain(token);
        assertThat(client.post("/saves", CONTENT, "Holdfast-Save-Token", token, "Holdfast-Save-Token", token)
                        .problem())
                .isEqualTo("malformed_request");
        assertThat(writer.orders()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"a\": 1, \"a\": 1}",
                "{\"a\": 9007199254740993}",
                "[-9007199254740992]",
                "{\"a\": 1e999}",
                "[\"\\ud800\"]",
                "{\"\\udc00\": 1}",
                "1 2",
            })
    void jsonThatNotEverybodyReadsAlikeIsRefused(String content) throws Exception {
        String token = issued("refuse").text("token");
        Answer refused = save(client, token, JSON, content);
        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.problem()).isEqualTo("malformed_request");
        assertThat(refused.text("detail")).endsWith(".");
        assertThat(writer.orders()).isEmpty();
    }

    @Test
    void aContentHasItsLimit() throws Exception {
        String token = issued("refuse").text("token");
        assertThat(save(client, token, "text/plain", "x".repeat(1024 * 1024 + 1))
                        .problem())
                .isEqualTo("request_too_large");
        assertThat(save(client, token, JSON, "[".repeat(100_000)).problem()).isEqualTo("malformed_request");
        assertThat(writer.orders()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}",
                "{\"ifInDoubt\": \"perhaps\"}",
                "{\"ifInDoubt\": \"refuse\", \"validForMs\": 0}",
                "{\"ifInDoubt\": \"refuse\", \"validForMs\": 31536000001}",
                "{\"ifInDoubt\": \"refuse\", \"for\": \"me\"}",
            })
    void badTermsAreRefused(String terms) throws Exception {
        assertThat(client.post("/save-tokens", terms).problem()).isEqualTo("invalid_request");
    }

    @Test
    void badSettlementsAreRefused() throws Exception {
        String key = issued("refuse").text("idempotencyKey");
        assertThat(settle(key, "5", "\"state\": \"maybe\"").problem()).isEqualTo("invalid_request");
        assertThat(settle(key, "-5", "\"state\": \"saved\"").problem()).isEqualTo("invalid_request");
        assertThat(settle("abc", "5", "\"state\": \"saved\"").problem()).isEqualTo("malformed_request");
        assertThat(settle(key, "5", "\"state\": \"saved\", \"result\": \"" + "x".repeat(300_000) + "\"")
                        .problem())
                .isEqualTo("invalid_request");
    }

    @Test
    void withoutADatabaseNothingIsSaved() throws Exception {
        String token = issued("refuse").text("token");
        URI real = URI.create(backend.url().substring("jdbc:".length()));
        try (FaultProxy proxy = new FaultProxy(real.getHost(), real.getPort());
                Backend far = Nodes.through(proxy, backend, folder);
                Service cut = start(far, Duration.ofSeconds(60))) {
            Client caller = new Client(cut.port());
            proxy.set(FaultProxy.Mode.REFUSE);
            Answer away = save(caller, token, JSON, CONTENT);
            assertThat(away.status()).isEqualTo(503);
            assertThat(away.problem()).isEqualTo("store_unavailable");
            assertThat(away.text("leftBehind")).isIn("nothing", "maybe_a_save");
            assertThat(away.header("Retry-After")).isNotEmpty();
            Answer issued = caller.post("/save-tokens", "{\"ifInDoubt\": \"refuse\"}");
            assertThat(issued.status()).isEqualTo(503);
            assertThat(issued.text("leftBehind")).isIn("nothing", "maybe_a_token");
            assertThat(writer.orders()).isEmpty();
        }
    }
}
