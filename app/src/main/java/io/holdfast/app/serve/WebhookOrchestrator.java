package io.holdfast.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.AttemptId;
import io.holdfast.NotDone;
import io.holdfast.Pulse;
import io.holdfast.publish.Claim;
import io.holdfast.publish.Orchestrator;
import io.holdfast.publish.Slug;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLHandshakeException;

/**
 * Hands a deployment to an orchestrator over HTTP, in one POST that is never repeated. What is made of its answer:
 *
 * <ul>
 *   <li>a body that tells an ending is believed, whatever the status;
 *   <li>202 without one: the work goes on there, and lives by its signs of life;
 *   <li>no connection, or none that was trusted: nothing was sent, so nothing was started;
 *   <li>everything else is doubt: time is up, the connection broke, another status. A 404 or a 503 says who answered, and not
 *       whether somebody behind him has begun.
 * </ul>
 */
final class WebhookOrchestrator implements Orchestrator {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** An answer may bring the output of a build; more than this is no answer. */
    private static final int MAX_ANSWER = 16 * 1024 * 1024;

    private final URI url;
    private final Optional<Signature> signature;
    private final Duration timeout;
    private final Executor workers;

    WebhookOrchestrator(URI url, Optional<Signature> signature, Duration timeout, Executor workers) {
        this.url = url;
        this.signature = signature;
        this.timeout = timeout;
        this.workers = workers;
    }

    @Override
    public CompletionStage<Work> deploy(Claim claim, Slug slug, Optional<AttemptId> takenOverFrom, Pulse pulse) {
        Map<String, Object> order = Views.members(
                "deployment", claim.attempt().toString(),
                "app", claim.app().value(),
                "slug", slug.value(),
                "fence", claim.fence().value());
        takenOverFrom.ifPresent(from -> order.put("takenOverFrom", from.toString()));
        byte[] body = Json.write(order);
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .header("Idempotency-Key", claim.attempt().toString())
                .header("Holdfast-Fence", claim.fence().toString())
                .POST(BodyPublishers.ofByteArray(body));
        signature.ifPresent(key -> request.header(Signature.HEADER, key.of(body)));
        return client().sendAsync(request.build(), answer -> new LimitedBody(MAX_ANSWER))
                .handleAsync((answer, failure) -> failure == null ? understood(answer) : failed(failure), workers)
                .thenCompose(work -> work);
    }

    /**
     * A client for each call, and so a connection: one that was kept might be closed by the other side just as we send, and
     * nobody could tell whether the order had arrived.
     */
    private HttpClient client() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .executor(workers)
                .build();
    }

    private static CompletionStage<Work> understood(HttpResponse<byte[]> answer) {
        boolean says = answer.body().length > 0;
        if (answer.statusCode() == 202 && !says) {
            return CompletableFuture.completedFuture(new Work.Elsewhere());
        }
        try {
            JsonNode said = Json.object(answer.body());
            if (answer.statusCode() == 202 && said.path("state").isMissingNode()) {
                return CompletableFuture.completedFuture(new Work.Elsewhere());
            }
            return CompletableFuture.completedFuture(new Work.Ended(Endings.read(said)));
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(new IOException(
                    "the orchestrator answered " + answer.statusCode() + ", and no ending: " + e.getMessage(), e));
        }
    }

    private CompletionStage<Work> failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        boolean neverSent = cause instanceof ConnectException
                || cause instanceof HttpConnectTimeoutException
                || cause instanceof SSLHandshakeException
                || cause.getCause() instanceof UnresolvedAddressException;
        return CompletableFuture.failedFuture(
                neverSent
                        ? new NotDone(
                                "the orchestrator at " + url.getAuthority() + " could not be reached: " + cause, cause)
                        : cause);
    }
}
