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
final class Builds {
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final URI orchestrator;

    Builds(URI orchestrator) {
        this.orchestrator = orchestrator;
    }

    /**
     * Starts a build.
     *
     * @return completes when the build is over, exceptionally when nobody knows
     */
    CompletableFuture<Void> start(String app, String deployment) {
        URI uri = orchestrator.resolve("/apps/" + app + "/deployments/" + deployment);
        HttpRequest request =
                HttpRequest.newBuilder(uri).POST(BodyPublishers.noBody()).build();
        return http.sendAsync(request, BodyHandlers.discarding()).thenAccept(Builds::requireOver);
    }

    private static void requireOver(HttpResponse<?> response) {
        if (response.statusCode() != CountingOrchestrator.OVER) {
            throw new CompletionException(new IOException("the orchestrator answered " + response.statusCode()));
        }
    }
}
