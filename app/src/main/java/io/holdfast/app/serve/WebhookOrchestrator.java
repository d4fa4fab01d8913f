package io.holdfast.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.AttemptId;
import io.holdfast.Pulse;
import io.holdfast.publish.Claim;
import io.holdfast.publish.Orchestrator;
import io.holdfast.publish.Slug;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Hands a deployment to an orchestrator over HTTP. What is made of its answer:
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
    private final Webhook webhook;

    WebhookOrchestrator(Webhook webhook) {
        this.webhook = webhook;
    }

    @Override
    public CompletionStage<Work> deploy(Claim claim, Slug slug, Optional<AttemptId> takenOverFrom, Pulse pulse) {
        Map<String, Object> order = Views.members(
                "deployment", claim.attempt().toString(),
                "app", claim.app().value(),
                "slug", slug.value(),
                "fence", claim.fence().value());
        takenOverFrom.ifPresent(from -> order.put("takenOverFrom", from.toString()));
        HttpRequest.Builder request = webhook.order(
                "application/json", Json.write(order), claim.attempt().toString(), claim.fence());
        return webhook.send(request)
                .handleAsync(
                        (answer, failure) -> failure == null ? understood(answer) : failed(failure), webhook.workers())
                .thenCompose(work -> work);
    }

    private CompletionStage<Work> failed(Throwable failure) {
        return CompletableFuture.failedFuture(webhook.failure(failure));
    }

    private CompletionStage<Work> understood(HttpResponse<byte[]> answer) {
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
            return CompletableFuture.failedFuture(webhook.doubt(answer, e));
        }
    }
}
