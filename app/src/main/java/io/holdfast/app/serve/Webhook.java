package io.holdfast.app.serve;

import io.holdfast.Fence;
import io.holdfast.NotDone;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;

/**
 * Somebody outside who works for us, and is asked to by one POST that is never repeated. What was surely not sent is {@link
 * NotDone}; everything else that goes wrong is doubt.
 */
final class Webhook {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** An answer may bring the output of a build; more than this is no answer. */
    private static final int MAX_ANSWER = 16 * 1024 * 1024;

    private final String name;
    private final URI url;
    private final Optional<Signature> signature;
    private final Duration timeout;
    private final Executor workers;

    /** @param name such as "orchestrator", for messages */
    Webhook(String name, URI url, Optional<Signature> signature, Duration timeout, Executor workers) {
        this.name = name;
        this.url = url;
        this.signature = signature;
        this.timeout = timeout;
        this.workers = workers;
    }

    String name() {
        return name;
    }

    Executor workers() {
        return workers;
    }

    /** An order, to which headers may be added. */
    HttpRequest.Builder order(String contentType, byte[] body, String idempotencyKey, Fence fence) {
        HttpRequest.Builder order = HttpRequest.newBuilder(url)
                .timeout(timeout)
                .header("Content-Type", contentType)
                .header("Accept", "application/json")
                .header("Idempotency-Key", idempotencyKey)
                .header("Holdfast-Fence", fence.toString())
                .POST(BodyPublishers.ofByteArray(body));
        signature.ifPresent(key -> order.header(Signature.HEADER, key.of(body)));
        return order;
    }

    CompletableFuture<HttpResponse<byte[]>> send(HttpRequest.Builder order) {
        return client().sendAsync(order.build(), answer -> new LimitedBody(MAX_ANSWER));
    }

    /**
     * As {@link #send}, on this thread.
     *
     * @throws NotDone if nothing was sent
     * @throws IOException if nobody knows what came of it
     */
    HttpResponse<byte[]> call(HttpRequest.Builder order) throws NotDone, IOException {
        try {
            // The request's own limit ends with the first byte of the answer.
            return send(order).get(timeout.plus(CONNECT_TIMEOUT).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = failure(e);
            if (cause instanceof NotDone notDone) {
                throw notDone;
            }
            throw new IOException("the " + name + " did not answer: " + cause, cause);
        } catch (TimeoutException e) {
            throw new IOException("the " + name + " did not answer in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the " + name + " was at it", e);
        }
    }

    /** What a failed {@link #send} means. */
    Throwable failure(Throwable failure) {
        boolean wrapped = failure instanceof CompletionException || failure instanceof ExecutionException;
        Throwable cause = wrapped && failure.getCause() != null ? failure.getCause() : failure;
        boolean neverSent = cause instanceof ConnectException
                || cause instanceof HttpConnectTimeoutException
                || cause instanceof SSLHandshakeException
                || cause.getCause() instanceof UnresolvedAddressException;
        return neverSent
                ? new NotDone("the " + name + " at " + url.getAuthority() + " could not be reached: " + cause, cause)
                : cause;
    }

    /** What an answer means that tells no ending. */
    IOException doubt(HttpResponse<byte[]> answer, IllegalArgumentException why) {
        return new IOException(
                "the " + name + " answered " + answer.statusCode() + ", and no ending: " + why.getMessage(), why);
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
}
