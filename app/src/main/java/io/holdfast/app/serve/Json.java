package io.holdfast.app.serve;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** JSON, read strictly: two readers of one text must not see two different things. */
final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    static byte[] write(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("not to be written as JSON", e);
        }
    }

    /** As a JSON text: whatever it is, it stays on one line and within its quotes. */
    static String quoted(String text) {
        return new String(write(text), StandardCharsets.UTF_8);
    }

    /**
     * Reads one object.
     *
     * @throws IllegalArgumentException if it is not UTF-8, not JSON, or not an object; the message says which
     */
    static JsonNode object(byte[] body) {
        JsonNode read = value(body);
        if (!read.isObject()) {
            throw new IllegalArgumentException("The body must be a JSON object.");
        }
        return read;
    }

    /**
     * Reads one value of any kind; nothing at all is a missing one.
     *
     * @throws IllegalArgumentException if it is not UTF-8, or not JSON; the message says which
     */
    static JsonNode value(byte[] body) {
        try {
            // By ourselves: Jackson would take UTF-16, too, and would not mind a broken character in a name.
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            return MAPPER.readTree(text);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("The body is not valid UTF-8.", e);
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            if (at == null) {
                throw new IllegalArgumentException("The body is not JSON that is taken: " + e.getOriginalMessage(), e);
            }
            throw new IllegalArgumentException(
                    "The body is not JSON: it breaks at line " + at.getLineNr() + ", column " + at.getColumnNr() + ".",
                    e);
        }
    }
}
