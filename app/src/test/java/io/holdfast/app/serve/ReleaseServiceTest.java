package io.holdfast.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.app.Backend;
import io.holdfast.app.serve.Client.Answer;
import io.holdfast.app.serve.TestOrchestrator.Order;
import io.holdfast.app.serve.TestOrchestrator.Reply;
import io.holdfast.contract.FaultProxy;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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

/** Releases and leases over HTTP, on a real database, with a releaser over HTTP. */
class ReleaseServiceTest {
    private static final Reply RELEASED = new Reply(200, "{\"state\": \"released\"}");

    @TempDir
    private static Path folder;

    private static Backend backend;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final String content = "content-" + UUID.randomUUID();
    private final String lease = "/leases/release%2F" + content;
    private TestOrchestrator releaser;
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
        releaser = new TestOrchestrator();
        service = start(backend);
        client = new Client(service.port());
    }

    @AfterEach
    void stop() {
        releaser.close();
        service.close();
        threads.shutdownNow();
    }

    private Service start(Backend on) {
        Outside simulated = Nodes.simulated();
        Outside outside = new Outside(
                simulated.orchestrator(),
                new WebhookReleaser(releaser.webhook("releaser", threads)),
                simulated.writer());
        return Service.start(Ports.of(on), outside, Nodes.settings(Duration.ofSeconds(60), 100, Optional.empty()));
    }

    private Answer release() throws Exception {
        return client.post("/contents/" + content + "/releases", "{}");
    }

    private Answer evict(String fence, String when) throws Exception {
        return client.post(lease + "/evictions", "{\"fence\": " + fence + ", \"when\": \"" + when + "\"}");
    }

    @Test
    void ofThreeAtOnceOneReleasesAndTheOthersAreToldWho() throws Exception {
        List<Future<Answer>> sent = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            sent.add(threads.submit(this::release));
        }
        Order order = releaser.order(0);
        assertThat(order.body().path("content").asText()).isEqualTo(content);
        String attempt = order.body().path("attempt").asText();
        assertThat(order.headers().getFirst("Idempotency-Key")).isEqualTo(attempt);
        assertThat(order.headers().getFirst("Holdfast-Fence"))
                .isEqualTo(order.body().path("fence").asText());
        Answer held = client.get(lease);
        assertThat(held.text("name")).isEqualTo("release/" + content);
        assertThat(held.text("state")).isEqualTo("held");
        assertThat(held.text("attempt")).isEqualTo(attempt);
        assertThat(held.text("holder")).isEqualTo("test");

        List<Answer> lost = new ArrayList<>();
        Eventually.seen("two losers", () -> sent.stream().filter(Future::isDone).count(), done -> done == 2);
        Answer won = null;
        order.reply().complete(RELEASED);
        for (Future<Answer> answer : sent) {
            if (answer.get().status() == 200) {
                won = answer.get();
            } else {
                lost.add(answer.get());
            }
        }
        assertThat(lost).hasSize(2).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.problem()).isEqualTo("release_in_progress");
            assertThat(answer.text("attempt")).isEqualTo(attempt);
            assertThat(answer.text("holder")).isEqualTo("test");
            assertThat(answer.text("lease")).isEqualTo("release/" + content);
            assertThat(answer.text("startedAt")).isNotEmpty();
            assertThat(answer.body().path("sinceHeartbeatMs").asLong()).isBetween(0L, 60_000L);
            assertThat(answer.body().path("takeableInMs").asLong()).isBetween(1L, 60_000L);
            assertThat(answer.text("advice")).isEqualTo("wait");
            assertThat(answer.header("Retry-After")).isEqualTo("5");
        });
        assertThat(won).isNotNull();
        assertThat(won.text("state")).isEqualTo("released");
        assertThat(won.body().at("/lease/attempt").asText()).isEqualTo(attempt);
        assertThat(won.body().at("/lease/state").asText()).isEqualTo("held_to_the_end");
        assertThat(client.get(lease).text("state")).isEqualTo("free");
        assertThat(releaser.orders()).hasSize(1);
    }

    @Test
    void whoWasEvictedIsToldThatTheLeaseWasLost() throws Exception {
        Future<Answer> first = threads.submit(this::release);
        Order order = releaser.order(0);
        String seen = client.get(lease).text("fence");
        Answer moved = evict("5", "at_once");
        assertThat(moved.status()).isEqualTo(409);
        assertThat(moved.problem()).isEqualTo("hold_moved");
        assertThat(moved.text("fence")).isEqualTo(seen);
        Answer evicted = evict(seen, "at_once");
        assertThat(evicted.status()).isEqualTo(200);
        assertThat(evicted.body().path("fence").asLong()).isGreaterThan(Long.parseLong(seen));
        assertThat(evict(seen, "at_once").problem()).isEqualTo("hold_moved");

        Future<Answer> second = threads.submit(this::release);
        Order next = releaser.order(1);
        assertThat(next.body().path("fence").asLong())
                .isGreaterThan(evicted.body().path("fence").asLong());
        order.reply().complete(RELEASED);
        assertThat(first.get().body().at("/lease/state").asText()).isEqualTo("lost");
        assertThat(client.get(lease).text("attempt"))
                .isEqualTo(next.body().path("attempt").asText());
        next.reply().complete(RELEASED);
        assertThat(second.get().body().at("/lease/state").asText()).isEqualTo("held_to_the_end");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"500 | ''", "200 | OK", "200 | {}", "202 | ''", "200 | {\"state\": \"failed\"}"})
    void whileAReleaseMayStillGoOnNobodyElseBegins(int status, String body) throws Exception {
        Future<Answer> first = threads.submit(this::release);
        releaser.order(0).reply().complete(new Reply(status, body));
        Answer doubt = first.get();
        assertThat(doubt.status()).isEqualTo(502);
        assertThat(doubt.problem()).isEqualTo("release_in_doubt");
        assertThat(doubt.body().path("takeableInMs").asLong()).isBetween(1L, 60_000L);
        assertThat(doubt.text("advice")).isEqualTo("look");
        assertThat(Long.parseLong(doubt.header("Retry-After"))).isBetween(1L, 60L);

        Answer refused = release();
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().path("takeableInMs").asLong()).isBetween(1L, 60_000L);
        assertThat(releaser.orders()).hasSize(1);

        // Somebody has looked.
        assertThat(evict(refused.text("fence"), "at_once").status()).isEqualTo(200);
        Future<Answer> second = threads.submit(this::release);
        releaser.order(1).reply().complete(RELEASED);
        assertThat(second.get().status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "503 | {\"state\": \"not_started\", \"why\": \"full\"} | not_released   | full",
                "500 | {\"state\": \"failed\", \"error\": \"disk\"}    | release_failed | disk",
            })
    void whatIsOverIsLetGoAtOnce(int status, String body, String problem, String why) throws Exception {
        Future<Answer> first = threads.submit(this::release);
        releaser.order(0).reply().complete(new Reply(status, body));
        assertThat(first.get().status()).isEqualTo(502);
        assertThat(first.get().problem()).isEqualTo(problem);
        assertThat(first.get().text("detail")).contains(why);

        Future<Answer> second = threads.submit(this::release);
        releaser.order(1).reply().complete(RELEASED);
        assertThat(second.get().status()).isEqualTo(200);
    }

    @Test
    void whereNobodyListensNothingWasBegun() throws Exception {
        releaser.close();
        Answer refused = release();
        assertThat(refused.status()).isEqualTo(502);
        assertThat(refused.problem()).isEqualTo("not_released");
        assertThat(client.get(lease).text("state")).isEqualTo("free");
    }

    @Test
    void aLeaseNobodyEverHadIsFree() throws Exception {
        Answer free = client.get("/leases/nightly%2F" + content);
        assertThat(free.text("name")).isEqualTo("nightly/" + content);
        assertThat(free.text("state")).isEqualTo("free");
        Answer moved = client.post("/leases/none/evictions", "{\"fence\": 1, \"when\": \"at_once\"}");
        assertThat(moved.status()).isEqualTo(409);
        assertThat(moved.text("detail")).contains("Nobody holds it now");
    }

    @Test
    void badRequestsAreRefused() throws Exception {
        String path = "/contents/" + content + "/releases";
        assertThat(client.send(client.request(path)
                                .POST(BodyPublishers.noBody())
                                .build())
                        .problem())
                .as("what any web page can send")
                .isEqualTo("not_json");
        assertThat(client.post(path, "{\"version\": 5}").problem()).isEqualTo("invalid_request");
        assertThat(client.post("/contents/%20/releases", "{}").problem()).isEqualTo("invalid_request");
        assertThat(client.post("/contents/" + "c".repeat(241) + "/releases", "{}")
                        .problem())
                .isEqualTo("invalid_request");
        assertThat(client.get("/leases/%ff").problem()).isEqualTo("malformed_request");
        assertThat(evict("5", "soon").problem()).isEqualTo("invalid_request");
        assertThat(releaser.orders()).isEmpty();
        assertThat(client.get(lease).text("state")).isEqualTo("free");
    }

    @Test
    void withoutADatabaseNothingRunsUnguarded() throws Exception {
        URI real = URI.create(backend.url().substring("jdbc:".length()));
        try (FaultProxy proxy = new FaultProxy(real.getHost(), real.getPort());
                Backend far = Nodes.through(proxy, backend, folder);
                Service cut = start(far)) {
            Client caller = new Client(cut.port());
            proxy.set(FaultProxy.Mode.REFUSE);
            Answer refused = caller.post("/contents/" + content + "/releases", "{}");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.problem()).isEqualTo("store_unavailable");
            assertThat(refused.text("leftBehind")).isIn("nothing", "maybe_a_lease");
            assertThat(refused.header("Retry-After")).isNotEmpty();
            assertThat(caller.get(lease).problem()).isEqualTo("store_unavailable");
            assertThat(releaser.orders()).isEmpty();
        }
    }

    /** The database goes away while the releaser is at it, and it does not say what became of it. */
    @Test
    void aLeaseInDoubtIsKeptUntilItCanBeLeft() throws Exception {
        URI real = URI.create(backend.url().substring("jdbc:".length()));
        try (FaultProxy proxy = new FaultProxy(real.getHost(), real.getPort());
                Backend far = Nodes.through(proxy, backend, folder);
                Service cut = start(far)) {
            Client caller = new Client(cut.port());
            Future<Answer> first = threads.submit(() -> caller.post("/contents/" + content + "/releases", "{}"));
            Order order = releaser.order(0);
            proxy.set(FaultProxy.Mode.REFUSE);
            order.reply().complete(new Reply(500, ""));
            assertThat(release().problem()).isEqualTo("release_in_progress");
            proxy.set(FaultProxy.Mode.PASS);
            assertThat(first.get().problem()).isEqualTo("release_in_doubt");
            assertThat(release().problem()).isEqualTo("release_in_progress");
            assertThat(releaser.orders()).hasSize(1);
        }
    }
}
