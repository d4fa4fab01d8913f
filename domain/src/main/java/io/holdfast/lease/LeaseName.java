package io.holdfast.lease;

import io.holdfast.Text;

/**
 * What a lease is of: a job, a resource. Compared exactly, byte for byte (G10).
 *
 * @param value 1 to 255 bytes of UTF-8, not blank
 */
public record LeaseName(String value) {
    public LeaseName {
        value = Text.required("lease", value, 255);
    }

    public static LeaseName of(String value) {
        return new LeaseName(value);
    }
}
