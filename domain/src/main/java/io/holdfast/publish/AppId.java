package io.holdfast.publish;

import io.holdfast.Text;

/**
 * The key of a publish claim: at most one publish of an app runs at a time. Compared exactly, byte for byte (G10).
 *
 * @param value 1 to 255 bytes of UTF-8, not blank
 */
public record AppId(String value) {
    public AppId {
        value = Text.required("app", value, 255);
    }

    public static AppId of(String value) {
        return new AppId(value);
    }
}
