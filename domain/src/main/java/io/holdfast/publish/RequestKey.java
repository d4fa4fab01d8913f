package io.holdfast.publish;

import io.holdfast.Text;

/**
 * The client's own idempotency key: the same key for the same app is the same wish, also after it has ended (C11). Known
 * for as long as the deployment that it started is kept; free again when that ended as {@link Ending.NotStarted}.
 *
 * @param value 1 to 255 bytes of UTF-8, not blank
 */
public record RequestKey(String value) {
    public RequestKey {
        value = Text.required("idempotency key", value, 255);
    }

    public static RequestKey of(String value) {
        return new RequestKey(value);
    }
}
