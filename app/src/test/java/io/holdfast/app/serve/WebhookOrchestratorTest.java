package io.holdfast.app.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.NotDone;
import io.holdfast.Pulse;
import io.holdfast.app.serve.TestOrchestrator.Order;
import io.holdfast.app.serve.TestOrchestrator.Reply;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Orchestrator.Work;
import io.holdfast.publish.Slug;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookOrchestratorTest {
    private static final Pulse PULSE = new Pulse() {
        @Override
        public View view() {
            return View.HELD;
        }

        @Override
        public Duration sureFor() {
            return Duration.ofMinutes(1);
        }

        @Override
        public void onUnsure(Runnable action) {}

        @Override
        public void onLost(Runnable action) {}
    };

    private final ExecutorService workers = Executors.newFixedThreadPool(2);
    private final Claim claim = new Claim(AppId.of("shop"), AttemptId.random(), new Fence(7));
    private TestOrchestrator orchestrator;

    @BeforeEach
    void start() throws Exception {
        orchestrator = new TestOrchestrator();
    }

    @AfterEach
    void stop() {
        orchestrator.close();
        workers.shutdownNow();
    }

    private CompletableFuture<Work> deploy(
            String url, Optional<AttemptId> from, Optional<Signature> signature, Duration timeout) {
        return new WebhookOrchestrator(new Webhook("orchestrator", URI.create(url), signature, timeout, workers))
                .deploy(claim, Slug.of("shop"), from, PULSE)
                .toCompletableFuture();
    }

    private CompletableFuture<Work> deploy() {
        return deploy(orchestrator.url(), Optional.empty(), Optional.empty(), Duration.ofSeconds(60));
    }

    private Work answered(int status, String body) throws Exception {
        CompletableFuture<Work> work = deploy();
        orchestrator.orderFor("shop").reply().complete(new Reply(status, body));
        return work.get();
    }

    @Test
    void theOrderSaysAllThatTheOrchestratorNeeds() throws Exception {
        AttemptId old = AttemptId.random();
        Signature signature =
                new Signature("a secret of some length", InstantSource.fixed(Instant.ofEpochSecond(1_000)));
        CompletableFuture<Work> work =
                deploy(orchestrator.url(), Optional.of(old), Optional.of(signature), Duration.ofSeconds(60));

        Order order = orchestrator.orderFor("shop");
        assertThat(order.body().path("deployment").asText())
                .isEqualTo(claim.attempt().toString());
        assertThat(order.body().path("slug").asText()).isEqualTo("shop");
        assertThat(order.body().path("fence").asLong()).isEqualTo(7);
        assertThat(order.body().path("takenOverFrom").asText()).isEqualTo(old.toString());
        assertThat(order.headers().getFirst("Idempotency-Key"))
                .isEqualTo(claim.attempt().toString());
        assertThat(order.headers().getFirst("Holdfast-Fence")).isEqualTo("7");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("a secret of some length".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        byte[] expected = mac.doFinal(("1000." + order.raw()).getBytes(StandardCharsets.UTF_8));
        assertThat(order.headers().getFirst("Holdfast-Signature"))
                .isEqualTo("t=1000,v1=" + HexFormat.of().formatHex(expected));
        order.live();
        assertThat(work.get()).isEqualTo(new Work.Ended(new Ending.Live(URI.create("https://x.example"))));
    }

    @ParameterizedTest
    @CsvSource({"200", "201", "404", "500", "503"})
    void anEndingIsBelievedWhateverTheStatus(int status) throws Exception {
        assertThat(answered(status, "{\"state\": \"not_started\", \"why\": \"full\"}"))
                .isEqualTo(new Work.Ended(new Ending.NotStarted("full")));
    }

    @Test
    void anEndingOfTenMegabytesIsTaken() throws Exception {
        Work work = answered(200, "{\"state\": \"failed\", \"error\": \"\\u0000" + "x".repeat(10_000_000) + "\"}");
        assertThat(work)
                .isInstanceOfSatisfying(
                        Work.Ended.class,
                        ended -> assertThat(ended.ending())
                                .isInstanceOfSatisfying(
                                        Ending.Failed.class,
                                        failed -> assertThat(failed.error()).startsWith("\uFFFDxxx")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"''", "{}", "{\"queued\": true}"})
    void acceptedMeansElsewhere(String body) throws Exception {
        assertThat(answered(202, body)).isEqualTo(new Work.Elsewhere());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | ''",
                "200 | OK",
                "200 | {\"state\": \"done\"}",
                "200 | {\"state\": \"live\"}",
                "200 | {\"state\": \"live\", \"url\": \"nowhere\"}",
                "204 | ''",
                "302 | ''",
                "404 | ''",
                "500 | {\"state\": \"building\"}",
                "503 | ''"
            })
    void anyOtherAnswerIsDoubt(int status, String body) {
        assertThatThrownBy(() -> answered(status, body))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isNotInstanceOf(NotDone.class)
                .hasMessageContaining("the orchestrator answered " + status + ", and no ending");
    }

    @Test
    void anAnswerWithoutEndIsDoubt() {
        assertThatThrownBy(() -> answered(200, "x".repeat(17 * 1024 * 1024)))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isNotInstanceOf(NotDone.class)
                .hasMessageContaining("longer than");
    }

    @Test
    void aTimeOutIsDoubt() throws Exception {
        CompletableFuture<Work> work =
                deploy(orchestrator.url(), Optional.empty(), Optional.empty(), Duration.ofMillis(300));
        orchestrator.orderFor("shop");
        assertThatThrownBy(work::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isNotInstanceOf(NotDone.class)
                .isInstanceOf(java.net.http.HttpTimeoutException.class);
    }

    @Test
    void aConnectionThatBreaksIsDoubtAndTheOrderIsNotRepeated() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Work> work = deploy(
                    "http://127.0.0.1:" + server.getLocalPort() + "/",
                    Optional.empty(),
                    Optional.empty(),
                    Duration.ofSeconds(60));
            server.accept().close();
            assertThatThrownBy(work::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isNotInstanceOf(NotDone.class);
            server.setSoTimeout(1);
            assertThatThrownBy(server::accept)
                    .as("a second connection")
                    .isInstanceOf(java.net.SocketTimeoutException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({"http://127.0.0.1:1/", "http://no-such-host.invalid/"})
    void whereNobodyListensNothingWasStarted(String url) {
        assertThatThrownBy(() -> deploy(url, Optional.empty(), Optional.empty(), Duration.ofSeconds(60))
                        .get())
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(NotDone.class)
                .hasMessageContaining("could not be reached");
    }

    @Test
    void whereNobodyIsTrustedNothingWasStarted() {
        String notTls = orchestrator.url().replace("http:", "https:");
        assertThatThrownBy(() -> deploy(notTls, Optional.empty(), Optional.empty(), Duration.ofSeconds(60))
                        .get())
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(NotDone.class);
        assertThat(orchestrator.orders()).isEmpty();
    }
}
