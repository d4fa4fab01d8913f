package io.holdfast.sanction;

import io.holdfast.Text;

/**
 * Whom a sanction is for: at most one is active per account. Compared exactly, byte for byte (G10).
 *
 * @param value 1 to 255 bytes of UTF-8, not blank
 */
public record Account(String value) {
    public Account {
        value = Text.required("account", value, 255);
    }

    public static Account of(String value) {
        return new Account(value);
    }
}
