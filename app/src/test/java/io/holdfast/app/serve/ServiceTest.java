package io.holdfast.app.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Budget;
import io.holdfast.app.Backend;
import io.holdfast.app.CannotStart;
import io.holdfast.app.StoreAddress;
import io.holdfast.app.serve.Client.Answer;
import io.holdfast.app.serve.TestOrchestrator.Order;
import io.holdfast.app.serve.TestOrchestrator.Reply;
import io.holdfast.contract.FaultProxy;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
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

/** The service over HTTP, on a real database, with an orchestrator over HTTP. */
class ServiceTest {
    private static final String NIL = "00000000-0000-0000-0000-000000000000";

    @TempDir
    private static Path folder;

    private static Backend backend;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final String app = "app-" + UUID.randomUUID();
    private final String slug = "s" + UUID.randomUUID();
    private TestOrchestrator orchestrator;
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
        orchestrator = new TestOrchestrator();
        service = start(backend, Nodes.settings(Duration.ofSeconds(60), 100, Optional.empty()));
        client = new Client(service.port());
    }

    @AfterEach
    void stop() {
        orchestrator.close();
        service.close();
        threads.shutdownNow();
    }

    private Service start(Backend on, Service.Settings settings) {
        Outside simulated = Nodes.simulated();
        Outside outside = new Outside(
                new WebhookOrchestrator(orchestrator.webhook("orchestrator", threads)),
                simulated.releaser(),
                simulated.writer());
        return Service.start(Ports.of(on), outside, settings);
    }

    private Answer ended(String id) throws Exception {
        return Eventually.seen(
                "the end of " + id,
                () -> client.get("/deployments/" + id),
                seen -> !seen.text("state").equals("building"));
    }

    // ---- publishing

    @Test
    void ofThreeAtOnceOneStartsAndTheOthersAreToldWhich() throws Exception {
        List<Answer> answers = Nodes.atOnce(3, () -> client.publish(app, slug));

        assertThat(answers).extracting(Answer::status).containsExactlyInAnyOrder(202, 409, 409);
        Answer won = answers.stream()
                .filter(answer -> answer.status() == 202)
                .findFirst()
                .orElseThrow();
        assertThat(won.header("Location")).isEqualTo("/deployments/" + won.text("id"));
        assertThat(won.text("state")).isEqualTo("building");
        assertThat(answers).filteredOn(answer -> answer.status() == 409).allSatisfy(lost -> {
            assertThat(lost.problem()).isEqualTo("publish_in_progress");
            assertThat(lost.text("runningDeploymentId")).isEqualTo(won.text("id"));
            assertThat(lost.text("deployment")).isEqualTo(won.header("Location"));
            assertThat(lost.text("advice")).isEqualTo("wait");
            assertThat(lost.text("startedAt")).isNotEmpty();
            assertThat(lost.text("detail")).contains(won.text("id"), "wait");
            assertThat(lost.body().path("sinceHeartbeatMs").asLong()).isBetween(0L, 60_000L);
            assertThat(lost.body().path("takeableInMs").asLong()).isBetween(1L, 60_000L);
            assertThat(Long.parseLong(lost.header("Retry-After"))).isBetween(1L, 60L);
        });
        Order order = orchestrator.orderFor(app);
        assertThat(order.deployment()).isEqualTo(won.text("id"));
        assertThat(order.body().path("slug").asText()).isEqualTo(slug);
        assertThat(order.headers().getFirst("Idempotency-Key")).isEqualTo(won.text("id"));
        assertThat(order.headers().getFirst("Holdfast-Fence")).isEqualTo(won.text("fence"));
        order.live();
        assertThat(ended(won.text("id")).text("url")).isEqualTo("https://x.example");
        assertThat(orchestrator.ordersFor(app)).hasSize(1);
    }

    @Test
    void theSameKeyGetsItsDeploymentBackWhileItBuildsAndAfterwards() throws Exception {
        List<Answer> answers = Nodes.atOnce(8, () -> client.publish(app, slug, "Idempotency-Key", "wish"));

        String id = answers.get(0).text("id");
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(202);
            assertThat(answer.text("id")).isEqualTo(id);
            assertThat(answer.header("Location")).isEqualTo("/deployments/" + id);
        });
        assertThat(answers)
                .filteredOn(answer -> answer.header("Idempotent-Replayed").equals("true"))
                .hasSize(7);
        orchestrator.orderFor(app).live();
        ended(id);
        Answer after = client.publish(app, slug, "Idempotency-Key", "wish");
        assertThat(after.status()).isEqualTo(200);
        assertThat(after.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(after.text("id")).isEqualTo(id);
        assertThat(after.text("state")).isEqualTo("live");
        Answer other = client.publish(app, "another", "Idempotency-Key", "wish");
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.problem()).isEqualTo("idempotency_key_reused");
        assertThat(other.text("deploymentId")).isEqualTo(id);
        assertThat(orchestrator.ordersFor(app)).hasSize(1);
    }

    @Test
    void aSlugIsRefusedWithAdvice() throws Exception {
        String id = client.publish(app, slug).text("id");
        orchestrator.orderFor(app).live();
        ended(id);

        Answer taken = client.publish("other-" + app, slug);
        assertThat(taken.status()).isEqualTo(409);
        assertThat(taken.problem()).isEqualTo("slug_taken");
        assertThat(taken.text("advice")).isEqualTo("choose_another_slug");
        Answer fixed = client.publish(app, "another");
        assertThat(fixed.status()).isEqualTo(409);
        assertThat(fixed.problem()).isEqualTo("slug_fixed");
        assertThat(fixed.text("slug")).isEqualTo(slug);
        assertThat(orchestrator.orders()).hasSize(1);
    }

    @Test
    void republishingTakesNothingDown() throws Exception {
        String first = client.publish(app, slug).text("id");
        orchestrator.orderFor(app).live();
        ended(first);
        String second = client.publish(app, slug).text("id");

        Answer between = client.get("/apps/" + app + "/deployment");
        assertThat(between.body().at("/current/id").asText()).isEqualTo(second);
        assertThat(between.body().at("/current/state").asText()).isEqualTo("building");
        assertThat(between.body().at("/live/id").asText()).isEqualTo(first);
        Eventually.seen("the second order", () -> orchestrator.ordersFor(app), orders -> orders.size() == 2)
                .get(1)
                .reply()
                .complete(new Reply(200, "{\"state\": \"failed\", \"error\": \"no\\u0000space\"}"));
        assertThat(ended(second).text("error")).isEqualTo("no\uFFFDspace");
        assertThat(client.get("/apps/" + app + "/deployment")
                        .body()
                        .at("/live/id")
                        .asText())
                .isEqualTo(first);
    }

    @Test
    void whatWasNotStartedSetsItsKeyFree() throws Exception {
        String first = client.publish(app, slug, "Idempotency-Key", "wish").text("id");
        orchestrator.orderFor(app).reply().complete(new Reply(503, "{\"state\": \"not_started\", \"why\": \"full\"}"));
        assertThat(ended(first).text("why")).isEqualTo("full");

        Answer again = client.publish(app, slug, "Idempotency-Key", "wish");
        assertThat(again.status()).isEqualTo(202);
        assertThat(again.text("id")).isNotEqualTo(first);
    }

    @Test
    void anAppMayHaveAnyName() throws Exception {
        String id = client.publish("a%2Fb%20%C3%A9%25", slug).text("id");

        assertThat(client.get("/deployments/" + id).text("app")).isEqualTo("a/b é%");
        assertThat(client.get("/apps/a%2Fb%20%c3%a9%25/deployment")
                        .body()
                        .at("/current/id")
                        .asText())
                .isEqualTo(id);
        assertThat(client.get("/apps/a/b%20%C3%A9%25/deployment").problem()).isEqualTo("no_such_path");
    }

    // ---- work that goes on elsewhere

    @Test
    void workElsewhereLivesByItsOwnSignsAndItsEndIsTakenAnywhere() throws Exception {
        try (Service other = start(backend, Nodes.settings(Duration.ofSeconds(60), 100, Optional.empty()))) {
            Answer started = client.publish(app, slug);
            orchestrator.orderFor(app).reply().complete(new Reply(202, ""));
            Client elsewhere = new Client(other.port());
            String path = "/deployments/" + started.text("id");
            String fence = "{\"fence\": " + started.text("fence");

            assertThat(elsewhere
                            .post(path + "/alive", fence + "}")
                            .body()
                            .path("remainingMs")
                            .asLong())
                    .isBetween(1L, 60_000L);
            Answer forged = elsewhere.post(path + "/alive", "{\"fence\": 5}");
            assertThat(forged.problem()).isEqualTo("claim_lost");
            assertThat(forged.text("runningDeploymentId")).isEqualTo(started.text("id"));
            String end = fence + ", \"state\": \"live\", \"url\": \"https://there.example\"}";
            assertThat(elsewhere.post(path + "/end", end).text("url")).isEqualTo("https://there.example");
            assertThat(elsewhere
                            .post(path + "/end", fence + ", \"state\": \"failed\", \"error\": \"late\"}")
                            .text("url"))
                    .as("the first ending stands")
                    .isEqualTo("https://there.example");
            assertThat(client.get(path).text("state")).isEqualTo("live");
            assertThat(elsewhere.post(path + "/alive", fence + "}").problem()).isEqualTo("claim_lost");
        }
    }

    @Test
    void aBuildWithTenMegabytesToSayCanEnd() throws Exception {
        Answer started = client.publish(app, slug);
        orchestrator.orderFor(app).reply().complete(new Reply(202, ""));
        String end = "{\"fence\": " + started.text("fence") + ", \"state\": \"failed\", \"error\": \"\\u0000"
                + "é".repeat(5_000_000) + "\"}";

        Answer ended = client.post("/deployments/" + started.text("id") + "/end", end);
        assertThat(ended.status()).isEqualTo(200);
        assertThat(ended.text("error").getBytes(StandardCharsets.UTF_8)).hasSizeBetween(3_990, 4_000);
    }

    // ---- evictions

    @Test
    void whoWasSeenIsEvictedAndNobodyElse() throws Exception {
        Answer started = client.publish(app, slug);
        Order first = orchestrator.orderFor(app);
        String evictions = "/apps/" + app + "/evictions";
        Answer moved = client.post(evictions, "{\"fence\": 5, \"when\": \"at_once\"}");
        assertThat(moved.status()).isEqualTo(409);
        assertThat(moved.problem()).isEqualTo("hold_moved");
        assertThat(moved.text("attempt")).isEqualTo(started.text("id"));
        assertThat(moved.text("fence")).isEqualTo(started.text("fence"));

        String seen = "{\"fence\": " + started.text("fence") + ", \"when\": ";
        Answer evicted = client.post(evictions, seen + "\"at_once\"}");
        assertThat(evicted.status()).as(evicted.toString()).isEqualTo(200);
        assertThat(evicted.body().path("fence").asLong())
                .isGreaterThan(started.body().path("fence").asLong());
        assertThat(evicted.body().path("takeableInMs").asLong()).isZero();
        assertThat(client.get("/deployments/" + started.text("id")).text("state"))
                .isEqualTo("abandoned");
        Answer again = client.post(evictions, seen + "\"at_once\"}");
        assertThat(again.problem()).isEqualTo("hold_moved");

        String second = client.publish(app, slug).text("id");
        first.live();
        assertThat(client.get("/apps/" + app + "/deployment")
                        .body()
                        .at("/current/id")
                        .asText())
                .isEqualTo(second);
        Eventually.seen("the second order", () -> orchestrator.ordersFor(app), orders -> orders.size() == 2)
                .get(1)
                .live();
        assertThat(ended(second).text("state")).isEqualTo("live");
    }

    @Test
    void othersWaitUntilTheEvictedHolderCannotBelieveInItsHold() throws Exception {
        Answer started = client.publish(app, slug);
        orchestrator.orderFor(app);
        Answer evicted = client.post(
                "/apps/" + app + "/evictions", "{\"fence\": " + started.text("fence") + ", \"when\": \"when_silent\"}");
        assertThat(evicted.status()).isEqualTo(200);
        assertThat(evicted.body().path("takeableInMs").asLong()).isBetween(1L, 60_000L);
        assertThat(client.publish(app, slug).problem()).isEqualTo("publish_in_progress");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"fence\": 5}",
                "{\"when\": \"at_once\"}",
                "{\"fence\": 0, \"when\": \"at_once\"}",
                "{\"fence\": 5, \"when\": \"soon\"}",
                "{\"fence\": 5, \"when\": true}",
            })
    void aBadEvictionIsRefused(String body) throws Exception {
        assertRefused(client.post("/apps/" + app + "/evictions", body), 422, "invalid_request");
    }

    // ---- bad input

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400 | malformed_request | {\"slug\": \"shop\"",
                "400 | malformed_request | []",
                "400 | malformed_request | ''",
                "400 | malformed_request | {\"slug\": \"a\", \"slug\": \"b\"}",
                "400 | malformed_request | {\"slug\": \"a\"} {}",
                "400 | malformed_request | {\"slug\": NaN}",
                "422 | invalid_request   | {}",
                "422 | invalid_request   | {\"slug\": null}",
                "422 | invalid_request   | {\"slug\": 5}",
                "422 | invalid_request   | {\"slug\": \"\"}",
                "422 | invalid_request   | {\"slug\": \"  \"}",
                "422 | invalid_request   | {\"slug\": \"a\\u0000\"}",
                "422 | invalid_request   | {\"slug\": \"\\ud800\"}",
                "422 | invalid_request   | {\"slug\": \"Shop\"}",
                "422 | invalid_request   | {\"slug\": \"$where\"}",
                "422 | invalid_request   | {\"slug\": \"'; drop table app; --\"}",
                "422 | invalid_request   | {\"slug\": \"shop\", \"sulg\": 1}",
            })
    void aBadBodyIsRefused(int status, String problem, String body) throws Exception {
        assertRefused(client.post("/apps/" + app + "/publishes", body), status, problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/apps/%20/publishes          | 422 | invalid_request",
                "/apps/%ff/publishes          | 400 | malformed_request",
                "/apps/%ED%A0%80/publishes    | 400 | malformed_request",
                "/apps//publishes             | 404 | no_such_path",
                "/apps/a/b/publishes          | 404 | no_such_path",
            })
    void aBadAppIsRefused(String path, int status, String problem) throws Exception {
        assertRefused(client.post(path, "{\"slug\": \"" + slug + "\"}"), status, problem);
    }

    @ParameterizedTest
    @CsvSource({"%00, 400", "%zz, 400", "%, 400", "a b, 400", "é, 400"})
    void whatNoClientLibrarySendsIsRefusedToo(String name, int status) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
            OutputStream out = socket.getOutputStream();
            String request = "POST /apps/" + name + "/publishes HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 15\r\nConnection: close\r\n\r\n{\"slug\": \"abc\"}";
            out.write(request.getBytes(StandardCharsets.UTF_8));
            out.flush();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer)
                    .startsWith("HTTP/1.1 " + status)
                    .contains("application/problem+json", "urn:holdfast:problem:malformed_request");
        }
        assertThat(orchestrator.orders()).isEmpty();
    }

    @Test
    void aLongNameIsRefused() throws Exception {
        assertRefused(client.publish("a".repeat(256), slug), 422, "invalid_request");
        assertRefused(client.publish(app, slug, "Idempotency-Key", "k".repeat(256)), 422, "invalid_request");
        assertRefused(client.publish(app, slug, "Idempotency-Key", " "), 422, "invalid_request");
        assertRefused(
                client.publish(app, slug, "Idempotency-Key", "a", "Idempotency-Key", "b"), 400, "malformed_request");
    }

    @Test
    void aMegabyteIsRefusedAlsoWithoutItsLength() throws Exception {
        byte[] megabyte = ("{\"slug\": \"" + "a".repeat(1_000_000) + "\"}").getBytes(StandardCharsets.UTF_8);
        String path = "/apps/" + app + "/publishes";
        assertRefused(client.post(path, megabyte), 413, "request_too_large");
        assertRefused(
                client.send(client.request(path, "Content-Type", "application/json")
                        .POST(BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(megabyte)))
                        .build()),
                413,
                "request_too_large");
    }

    @Test
    void aDepthWithoutEndIsRefused() throws Exception {
        assertRefused(
                client.post("/apps/" + app + "/publishes", "{\"slug\": " + "[".repeat(10_000)),
                400,
                "malformed_request");
    }

    @Test
    void onlyJsonIsTaken() throws Exception {
        byte[] latin = "{\"slug\": \"é\"}".getBytes(StandardCharsets.ISO_8859_1);
        assertRefused(client.post("/apps/" + app + "/publishes", latin), 400, "malformed_request");
        assertRefused(
                client.send(client.request("/apps/" + app + "/publishes", "Content-Type", "text/plain")
                        .POST(BodyPublishers.ofString("{\"slug\": \"abc\"}"))
                        .build()),
                415,
                "not_json");
    }

    private void assertRefused(Answer answer, int status, String problem) throws Exception {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.problem()).as(answer.toString()).isEqualTo(problem);
        assertThat(answer.text("detail")).isNotEmpty();
        assertThat(answer.body().path("status").asInt()).isEqualTo(status);
        assertThat(orchestrator.orders()).isEmpty();
        assertThat(client.get("/apps/" + app + "/deployment").problem())
                .as("the database knows nothing of it")
                .isEqualTo("app_never_published");
    }

    @Test
    void whatIsNotThereIsAProblem() throws Exception {
        assertThat(client.get("/").problem()).isEqualTo("no_such_path");
        assertThat(client.get("/deployments/1").problem()).isEqualTo("malformed_request");
        assertThat(client.get("/deployments/" + NIL).status()).isEqualTo(404);
        assertThat(client.get("/deployments/" + NIL).problem()).isEqualTo("no_such_deployment");
        Answer method = client.send(
                client.request("/apps/" + app + "/deployment").DELETE().build());
        assertThat(method.status()).isEqualTo(405);
        assertThat(method.problem()).isEqualTo("no_such_method");
        assertThat(method.header("Allow")).contains("GET");
        assertThat(client.post("/deployments/" + NIL + "/alive", "{\"fence\": 1}")
                        .problem())
                .isEqualTo("no_such_deployment");
        assertThat(client.post("/deployments/" + NIL + "/alive", "{\"fence\": 1.5}")
                        .problem())
                .isEqualTo("invalid_request");
    }

    // ---- who is let in

    @Test
    void withoutTokensOnlyNamesOfThisMachineAreAnswered() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
            socket.getOutputStream()
                    .write("GET /openapi.json HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 421")
                    .contains("urn:holdfast:problem:foreign_host");
        }
    }

    @Test
    void withTokensOneOfThemMustBeSent() throws Exception {
        Path file = Files.writeString(folder.resolve("tokens"), "# ours\nfirst-token-of-two\nsecond-token-of-two\n");
        try (Service guarded =
                start(backend, Nodes.settings(Duration.ofSeconds(60), 100, Optional.of(Tokens.read(file))))) {
            Client guest = new Client(guarded.port());
            for (String[] headers : new String[][] {
                {}, {"Authorization", "Bearer wrong-token-of-two"}, {"Authorization", "Basic first-token-of-two"}
            }) {
                Answer refused = guest.publish(app, slug, headers);
                assertThat(refused.status()).isEqualTo(401);
                assertThat(refused.problem()).isEqualTo("unauthorized");
                assertThat(refused.header("WWW-Authenticate")).isEqualTo("Bearer");
            }
            assertThat(guest.get("/nowhere").status()).isEqualTo(401);
            assertThat(guest.get("/health/ready").status()).isEqualTo(200);
            assertThat(orchestrator.orders()).isEmpty();
            assertThat(guest.publish(app, slug, "Authorization", "Bearer second-token-of-two")
                            .status())
                    .isEqualTo(202);
            orchestrator.orderFor(app).live();
        }
    }

    // ---- when it cannot

    @Test
    void aNodeTakesOnNoMoreBuildsThanItMay() throws Exception {
        try (Service small = start(backend, Nodes.settings(Duration.ofSeconds(60), 1, Optional.empty()))) {
            Client narrow = new Client(small.port());
            String first = narrow.publish(app, slug).text("id");
            Answer refused = narrow.publish("other-" + app, "other");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.problem()).isEqualTo("too_many_builds");
            assertThat(refused.header("Retry-After")).isNotEmpty();
            orchestrator.orderFor(app).live();
            ended(first);
            Eventually.seen(
                    "a free place", () -> narrow.publish("third-" + app, "third"), seen -> seen.status() == 202);
            orchestrator.orderFor("third-" + app).live();
        }
        assertThat(orchestrator.ordersFor("other-" + app)).isEmpty();
    }

    @Test
    void withoutADatabaseNothingRunsUnguarded() throws Exception {
        URI real = URI.create(backend.url().substring("jdbc:".length()));
        try (FaultProxy proxy = new FaultProxy(real.getHost(), real.getPort());
                Backend far = Backend.open(
                        StoreAddress.parse(backend.url().replace(":" + real.getPort() + "/", ":" + proxy.port() + "/")),
                        folder,
                        "holdfast_",
                        Budget.of(Duration.ofSeconds(1)));
                Service cut = start(far, Nodes.settings(Duration.ofSeconds(60), 100, Optional.empty()))) {
            Client caller = new Client(cut.port());
            assertThat(caller.get("/health/ready").status()).isEqualTo(200);
            proxy.set(FaultProxy.Mode.REFUSE);

            Answer refused = caller.publish(app, slug);
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.problem()).isEqualTo("store_unavailable");
            assertThat(refused.header("Retry-After")).isNotEmpty();
            assertThat(refused.text("leftBehind")).isIn("nothing", "maybe_a_claim");
            assertThat(refused.toString()).doesNotContain("password", "jdbc");
            assertThat(caller.get("/apps/" + app + "/deployment").problem()).isEqualTo("store_unavailable");
            assertThat(caller.get("/health/ready").status()).isEqualTo(503);
            assertThat(caller.get("/health/live").status()).isEqualTo(200);
            assertThat(orchestrator.orders()).isEmpty();
            proxy.set(FaultProxy.Mode.PASS);
            Eventually.seen("the database", () -> caller.publish(app, slug), seen -> seen.status() == 202);
            orchestrator.orderFor(app).live();
        }
    }

    @Test
    void aClaimThatMayHaveBeenLeftBehindIsOwnedUpToAndWithdrawn() throws Exception {
        URI real = URI.create(backend.url().substring("jdbc:".length()));
        try (FaultProxy proxy = new FaultProxy(real.getHost(), real.getPort());
                Backend far = Backend.open(
                        StoreAddress.parse(backend.url().replace(":" + real.getPort() + "/", ":" + proxy.port() + "/")),
                        folder,
                        "holdfast_",
                        Budget.of(Duration.ofMillis(500)));
                Service cut = start(far, Nodes.settings(Duration.ofSeconds(60), 100, Optional.empty()))) {
            Client caller = new Client(cut.port());
            // Only a connection that was used a moment ago is trusted without a question that would already fail.
            Answer unknown = Eventually.seen(
                    "a claim that was sent",
                    () -> {
                        proxy.set(FaultProxy.Mode.PASS);
                        caller.get("/health/ready");
                        proxy.set(FaultProxy.Mode.BLACKHOLE);
                        return caller.publish(app, slug);
                    },
                    seen -> seen.text("leftBehind").equals("maybe_a_claim"));
            assertThat(unknown.status()).isEqualTo(503);
            assertThat(unknown.problem()).isEqualTo("store_unavailable");
            assertThat(unknown.text("detail")).contains("60000 ms");
            proxy.set(FaultProxy.Mode.PASS);
            Eventually.seen(
                    "its withdrawal",
                    () -> client.get("/apps/" + app + "/deployment"),
                    seen -> seen.body().at("/current/state").asText().equals("not_started"));
            assertThat(orchestrator.orders()).isEmpty();
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() {
        Service.Settings free = Nodes.settings(Duration.ofSeconds(60), 100, Optional.empty());
        Service.Settings taken = new Service.Settings(
                free.host(),
                service.port(),
                free.me(),
                free.beat(),
                free.limit(),
                free.budget(),
                free.drain(),
                free.mostBuilds(),
                free.tokens(),
                free.keys(),
                free.cleanUp());
        assertThatThrownBy(() -> start(backend, taken))
                .isInstanceOf(CannotStart.class)
                .hasMessageContaining("port " + service.port() + " of 127.0.0.1 is not to be had");
    }

    // ---- closing

    @Test
    void closingWaitsForBuildsAndRefusesNewOnes() throws Exception {
        Service closing = start(backend, Nodes.settings(Duration.ofSeconds(60), 100, Optional.empty()));
        Client last = new Client(closing.port());
        String id = last.publish(app, slug).text("id");
        Order order = orchestrator.orderFor(app);
        Future<?> closed = threads.submit(closing::close);

        Answer ready = Eventually.seen("not ready", () -> last.get("/health/ready"), seen -> seen.status() == 503);
        assertThat(ready.problem()).isEqualTo("shutting_down");
        Answer refused = last.publish("other-" + app, "other");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.problem()).isEqualTo("shutting_down");
        assertThat(refused.header("Retry-After")).isNotEmpty();
        assertThat(last.get("/deployments/" + id).text("state")).isEqualTo("building");
        assertThat(closed.isDone()).isFalse();
        order.live();
        closed.get();
        assertThat(client.get("/deployments/" + id).text("state")).isEqualTo("live");
    }
}
