package io.holdfast.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.javalin.http.Context;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A body of names and values: as OAuth sends it, {@code application/x-www-form-urlencoded}, or a JSON object. */
final class Form {
    private final Map<String, String> values = new HashMap<>();

    private Form() {}

    /** Reads a body with these members at most. */
    static Form of(Context ctx, String... known) {
        Form form = new Form();
        if (Incoming.isOf("application/x-www-form-urlencoded", ctx.contentType())) {
            String body = new String(Incoming.bytes(ctx, Incoming.MAX_BODY), StandardCharsets.UTF_8);
            Incoming.readable(() -> form.read(body, Set.of(known)));
        } else {
            JsonNode body = Incoming.json(ctx, known);
            body.fieldNames()
                    .forEachRemaining(name -> form.values.put(name, Incoming.valid(() -> Incoming.text(body, name))));
        }
        return form;
    }

    /** What is not known is ignored, as OAuth has it; what comes twice is two different things for two readers. */
    private Form read(String body, Set<String> known) {
        for (String pair : body.split("&", -1)) {
            String[] parts = pair.split("=", 2);
            String name = URLDecoder.decode(parts[0], StandardCharsets.UTF_8);
            String value = parts.length == 2 ? URLDecoder.decode(parts[1], StandardCharsets.UTF_8) : "";
            if (known.contains(name) && values.put(name, value) != null) {
                throw new IllegalArgumentException(name + " comes twice: send it once");
            }
        }
        return this;
    }

    Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name));
    }
}
