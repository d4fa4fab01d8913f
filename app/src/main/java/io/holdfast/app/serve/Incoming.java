package io.holdfast.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.Fence;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a request brings: read strictly, and refused in the domain's own words before anything else is done. */
final class Incoming {
    /** The most bytes of a body that brings no content. */
    static final int MAX_BODY = 16 * 1024;

    private static final String JSON = "application/json";

    private Incoming() {}

    /** Reads a body of this many bytes and with these members at most. */
    static JsonNode json(Context ctx, int most, Set<String> known) {
        // Also keeps out the forms that any web page can make a browser send here without asking first.
        if (!isOf(JSON, ctx.contentType())) {
            throw new Refused(Problem.notJson());
        }
        byte[] bytes = bytes(ctx, most);
        JsonNode body = readable(() -> Json.object(bytes));
        for (String name : (Iterable<String>) body::fieldNames) {
            if (!known.contains(name)) {
                throw new Refused(Problem.invalid("There is no member " + Json.quoted(name) + " here, but "
                        + String.join(", ", known.stream().sorted().toList()) + "."));
            }
        }
        return body;
    }

    static JsonNode json(Context ctx, String... known) {
        return json(ctx, MAX_BODY, Set.of(known));
    }

    /** Whether a Content-Type, which may have parameters, is this media type. */
    static boolean isOf(String mediaType, @Nullable String contentType) {
        return contentType != null && contentType.split(";", 2)[0].strip().equalsIgnoreCase(mediaType);
    }

    static byte[] bytes(Context ctx, int most) {
        byte[] bytes;
        try {
            bytes = ctx.req().getInputStream().readNBytes(most + 1);
        } catch (IOException e) {
            throw new Refused(Problem.malformed("The body broke off."));
        }
        if (bytes.length > most) {
            throw new Refused(Problem.tooLarge(most));
        }
        return bytes;
    }

    static Optional<String> header(Context ctx, String name) {
        List<String> values = Collections.list(ctx.req().getHeaders(name));
        if (values.size() > 1) {
            throw new Refused(Problem.malformed("There are several " + name + " headers: send one."));
        }
        return values.stream().findFirst();
    }

    /** Segment {@code number} of the path, the first being 0. */
    static String segment(Context ctx, int number) {
        return readable(() -> PathText.segment(ctx.path(), number));
    }

    /** @throws IllegalArgumentException if the member is no text; for {@link #valid} */
    static String text(JsonNode body, String name) {
        JsonNode value = body.path(name);
        if (value.isMissingNode()) {
            throw new IllegalArgumentException(name + " is missing: give it a value");
        }
        if (!value.isTextual()) {
            throw new IllegalArgumentException(name + " must be a text");
        }
        return value.textValue();
    }

    /** The fence of what was seen: whoever does not know it has no say. */
    static Fence fence(JsonNode body, String of) {
        JsonNode fence = body.path("fence");
        if (!fence.isIntegralNumber() || !fence.canConvertToLong()) {
            throw new Refused(Problem.invalid("fence must be the number that " + of + "."));
        }
        return valid(() -> new Fence(fence.longValue()));
    }

    /** A time in milliseconds; empty if the member is missing. */
    static Optional<Duration> millis(JsonNode body, String name) {
        JsonNode millis = body.path(name);
        if (millis.isMissingNode()) {
            return Optional.empty();
        }
        if (!millis.isIntegralNumber() || !millis.canConvertToLong()) {
            throw new Refused(Problem.invalid(name + " must be a whole number of milliseconds."));
        }
        return Optional.of(Duration.ofMillis(millis.longValue()));
    }

    /** What cannot even be read is refused as malformed. */
    static <R> R readable(Supplier<R> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            throw new Refused(Problem.malformed(sentence(e)));
        }
    }

    /** What cannot be is refused as invalid. */
    static <R> R valid(Supplier<R> making) {
        try {
            return making.get();
        } catch (IllegalArgumentException e) {
            throw new Refused(Problem.invalid(sentence(e)));
        }
    }

    private static String sentence(IllegalArgumentException e) {
        String message = String.valueOf(e.getMessage());
        return message.endsWith(".") ? message : message + ".";
    }
}
