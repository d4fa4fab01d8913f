package io.holdfast.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.NotDone;
import io.holdfast.Text;
import io.holdfast.lease.Lease;
import io.holdfast.release.ContentId;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Has contents released over HTTP. A body that tells an ending is believed, whatever the status; everything else is doubt. */
final class WebhookReleaser implements Releaser {
    private static final int MAX_ERROR = 4_000;

    private final Webhook webhook;

    WebhookReleaser(Webhook webhook) {
        this.webhook = webhook;
    }

    @Override
    public Ending release(ContentId content, Lease lease) throws NotDone, IOException {
        byte[] order = Json.write(Views.members(
                "content", content.value(),
                "attempt", lease.attempt().toString(),
                "fence", lease.fence().value()));
        HttpRequest.Builder request =
                webhook.order("application/json", order, lease.attempt().toString(), lease.fence());
        HttpResponse<byte[]> answer = webhook.call(request);
        try {
            JsonNode said = Json.object(answer.body());
            return switch (said.path("state").asText()) {
                case "released" -> new Ending.Released();
                case "failed" -> new Ending.Failed(Text.outcome(Incoming.text(said, "error"), MAX_ERROR));
                case "not_started" -> throw new NotDone(Text.outcome(Incoming.text(said, "why"), MAX_ERROR));
                default ->
                    throw new IllegalArgumentException("state must be \"released\", \"failed\" or \"not_started\"");
            };
        } catch (IllegalArgumentException e) {
            throw webhook.doubt(answer, e);
        }
    }
}
