package io.holdfast.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Succession;
import io.javalin.http.Context;

/** What an operator says to evict a holder, and what comes of it; the same for all that is held. */
final class Evictions {
    private Evictions() {}

    static Fence seen(JsonNode said) {
        return Incoming.fence(said, "was seen, of the holder that is to go");
    }

    static Succession when(JsonNode said) {
        return switch (Incoming.valid(() -> Incoming.text(said, "when"))) {
            case "at_once" -> Succession.AT_ONCE;
            case "when_silent" -> Succession.WHEN_SILENT;
            default ->
                throw new Refused(Problem.invalid("when must be \"when_silent\": others may take when the time is over"
                        + " for which the holder may still believe that it holds; or \"at_once\": somebody knows that the"
                        + " holder is gone."));
        };
    }

    static Context answer(Context ctx, Eviction eviction) {
        return eviction.fold(
                evicted -> Answers.json(
                        ctx,
                        200,
                        Views.members(
                                "state", "evicted",
                                "fence", evicted.now().value(),
                                "takeableInMs", evicted.takeableIn().toMillis())),
                moved -> {
                    throw new Refused(Problem.moved(moved.now()));
                });
    }
}
