package io.holdfast.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.AttemptId;
import io.holdfast.NotDone;
import io.holdfast.Text;
import io.holdfast.save.Reservation;
import io.holdfast.save.SaveResult;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;

/**
 * Has contents saved over HTTP: the content goes out as it came. A body that tells what became of it is believed, whatever the
 * status; everything else is doubt.
 */
final class WebhookWriter implements Writer {
    private static final int MAX_WHY = 4_000;

    private final Webhook webhook;

    WebhookWriter(Webhook webhook) {
        this.webhook = webhook;
    }

    @Override
    public SaveResult write(Payload payload, Reservation reservation, Optional<AttemptId> takenOverFrom)
            throws NotDone, IOException {
        HttpRequest.Builder order = webhook.order(
                payload.contentType(), payload.content(), reservation.idempotencyKey(), reservation.fence());
        order.header("Holdfast-Attempt", reservation.attempt().toString());
        takenOverFrom.ifPresent(from -> order.header("Holdfast-Taken-Over-From", from.toString()));
        HttpResponse<byte[]> answer = webhook.call(order);
        try {
            JsonNode said = Json.object(answer.body());
            return switch (said.path("state").asText()) {
                case "saved" -> SaveResults.read(said);
                case "not_saved" -> throw new NotDone(Text.outcome(Incoming.text(said, "why"), MAX_WHY));
                default -> throw new IllegalArgumentException("state must be \"saved\" or \"not_saved\"");
            };
        } catch (IllegalArgumentException e) {
            throw webhook.doubt(answer, e);
        }
    }
}
