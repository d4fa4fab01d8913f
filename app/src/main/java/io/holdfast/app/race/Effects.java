package io.holdfast.app.race;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A contender's way to the orchestrator. Thread-safe. */
final class Effects {
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final URI orchestrator;

    Effects(URI orchestrator) {
        this.orchestrator = orchestrator;
    }

    /**
     * Starts what may be done but once: a build, a write, a mail.
     *
     * @return completes when it is over, exceptionally when nobody knows
     */
    CompletableFuture<Void> start(String key, String effect) {
        URI uri = orchestrator.resolve("/" + key + "/" + effect);
        HttpRequest request =
                HttpRequest.newBuilder(uri).POST(BodyPublishers.noBody()).build();
        return http.sendAsync(request, BodyHandlers.discarding()).thenAccept(Effects::requireOver);
    }

    private static void requireOver(HttpResponse<?> response) {
        if (response.statusCode() != CountingOrchestrator.OVER) {
            throw new CompletionException(new IOException("the orchestrator answered " + response.statusCode()));
        }
    }
}
