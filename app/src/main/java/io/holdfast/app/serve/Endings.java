package io.holdfast.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.publish.Ending;
import java.net.URI;
import java.util.Map;

/** How an ending looks outside: {@code {"state": "live", "url": ...}}, and so on. */
final class Endings {
    private Endings() {}

    static Map<String, Object> view(Ending ending) {
        return ending.fold(
                live -> Views.members("state", "live", "url", live.url().toString()),
                failed -> Views.members("state", "failed", "error", failed.error()),
                notStarted -> Views.members("state", "not_started", "why", notStarted.why()));
    }

    /**
     * Reads what {@link #view} writes. Other members are ignored.
     *
     * @throws IllegalArgumentException if it tells no ending
     */
    static Ending read(JsonNode said) {
        return switch (said.path("state").asText()) {
            case "live" -> new Ending.Live(URI.create(text(said, "url")));
            case "failed" -> new Ending.Failed(text(said, "error"));
            case "not_started" -> new Ending.NotStarted(text(said, "why"));
            default -> throw new IllegalArgumentException("state must be \"live\", \"failed\" or \"not_started\"");
        };
    }

    private static String text(JsonNode said, String name) {
        JsonNode value = said.path(name);
        if (!value.isTextual()) {
            throw new IllegalArgumentException(name + " must be a text");
        }
        return value.textValue();
    }
}
