package io.holdfast.app.serve;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * One segment of a path, decoded strictly. The usual decoders write U+FFFD for what is not UTF-8, and so make one app of two.
 */
final class PathText {
    private PathText() {}

    /**
     * Returns segment {@code number}, the first being 0, of a path as it came over the wire.
     *
     * @throws IllegalArgumentException if it is not percent-encoded UTF-8
     */
    static String segment(String rawPath, int number) {
        String raw = rawPath.split("/", -1)[number + 1];
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                bytes.write(hex(raw, i + 1) << 4 | hex(raw, i + 2));
                i += 2;
            } else if (c < 0x80) {
                bytes.write(c);
            } else {
                throw malformed(null);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw malformed(e);
        }
    }

    private static int hex(String raw, int at) {
        int digit = at < raw.length() ? Character.digit(raw.charAt(at), 16) : -1;
        if (digit < 0) {
            throw malformed(null);
        }
        return digit;
    }

    private static IllegalArgumentException malformed(@org.jspecify.annotations.Nullable Throwable cause) {
        return new IllegalArgumentException("The path is not percent-encoded UTF-8.", cause);
    }
}
