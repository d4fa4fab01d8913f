package io.holdfast.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdfast.save.Ending;
import io.holdfast.save.SaveResult;

/** What is told about the end of a save: {@code {"state": "saved", "result": ...}}, or {@code "not_saved"}. */
final class SaveResults {
    private SaveResults() {}

    /**
     * Any JSON; without one, an empty object. Kept as it is answered, and so the same for everybody.
     *
     * @throws IllegalArgumentException if it is too long
     */
    static SaveResult read(JsonNode said) {
        JsonNode result = said.path("result");
        return SaveResult.of(Json.write(result.isMissingNode() ? JsonNodeFactory.instance.objectNode() : result));
    }

    /**
     * What an operator says.
     *
     * @throws IllegalArgumentException if it is no ending
     */
    static Ending ending(JsonNode said) {
        return switch (said.path("state").asText()) {
            case "saved" -> read(said);
            case "not_saved" -> new Ending.NotSaved();
            default -> throw new IllegalArgumentException("state must be \"saved\" or \"not_saved\"");
        };
    }
}
