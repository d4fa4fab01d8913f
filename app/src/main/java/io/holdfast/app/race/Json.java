package io.holdfast.app.race;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

/** What parent and contenders say to each other: one value a line. */
final class Json {
    static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    static String line(Object value) throws JsonProcessingException {
        return MAPPER.writeValueAsString(value);
    }

    static <T> T read(@Nullable String line, Class<T> type) throws JsonProcessingException {
        return MAPPER.readValue(line == null ? "" : line, type);
    }
}
