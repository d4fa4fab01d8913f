package io.holdfast.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.save.Fingerprint;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.erdtman.jcs.JsonCanonicalizer;
import org.jspecify.annotations.Nullable;

/** What is to be saved, as it came, and by what it is told from other payloads. */
final class Payload {
    private static final String ANY = "application/octet-stream";

    /** Every integer up to this one is a number of its own in JSON (RFC 7493); beyond it, two may be one. */
    private static final BigInteger MOST = BigInteger.valueOf((1L << 53) - 1);

    private final String contentType;
    private final byte[] content;
    private final Fingerprint fingerprint;

    private Payload(String contentType, byte[] content, Fingerprint fingerprint) {
        this.contentType = contentType;
        this.content = content;
        this.fingerprint = fingerprint;
    }

    /**
     * JSON is one payload however its members are ordered and its numbers written (RFC 8785); other content is told apart
     * byte by byte.
     *
     * @throws IllegalArgumentException if it is sent as JSON, and is none that everybody reads alike
     */
    static Payload of(@Nullable String contentType, byte[] content) {
        String type = contentType == null ? ANY : contentType;
        return new Payload(type, content, Fingerprint.of(isJson(type) ? canonical(content) : content));
    }

    String contentType() {
        return contentType;
    }

    byte[] content() {
        return content;
    }

    Fingerprint fingerprint() {
        return fingerprint;
    }

    private static boolean isJson(String contentType) {
        String mediaType = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return mediaType.equals("application/json") || mediaType.endsWith("+json");
    }

    private static byte[] canonical(byte[] content) {
        JsonNode read = Json.value(content);
        if (read.isMissingNode()) {
            throw new IllegalArgumentException("The body is not JSON: it is empty.");
        }
        unambiguous(read);
        // The library wants an array or an object outside.
        String inArray = "[" + new String(content, StandardCharsets.UTF_8) + "]";
        try {
            String canonical = new JsonCanonicalizer(inArray).getEncodedString();
            return encoded(canonical);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "The content has half of a surrogate pair in a text: send valid Unicode.", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("The content has no canonical form (RFC 8785): " + e.getMessage(), e);
        }
    }

    /** Strictly: the library would write "?" for any half of a surrogate pair, and so make one payload of two. */
    private static byte[] encoded(String text) throws CharacterCodingException {
        ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
        byte[] all = new byte[bytes.remaining()];
        bytes.get(all);
        return all;
    }

    /** RFC 8785 reads every number as a double: two long numbers that differ in their last digit would be one payload. */
    private static void unambiguous(JsonNode read) {
        if (read.isIntegralNumber() && read.bigIntegerValue().abs().compareTo(MOST) > 0) {
            throw new IllegalArgumentException(
                    "The content has an integer beyond 2^53-1, which not everybody reads alike: send it as a text.");
        }
        read.forEach(Payload::unambiguous);
    }
}
