package io.holdfast.release;

import io.holdfast.Text;

/**
 * What is released: a game, a text, a version. Compared exactly, byte for byte (G10).
 *
 * @param value 1 to 240 bytes of UTF-8, not blank
 */
public record ContentId(String value) {
    public ContentId {
        value = Text.required("content", value, 240);
    }

    public static ContentId of(String value) {
        return new ContentId(value);
    }
}
