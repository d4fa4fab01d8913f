package io.holdfast.publish;

import io.holdfast.Text;
import java.util.regex.Pattern;

/**
 * The name in an app's address, unique among all apps. One label of a host name in lower case, so that no two spellings
 * share an address.
 */
public record Slug(String value) {
    private static final int MAX = 63;
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");

    public Slug {
        value = Text.required("slug", value, MAX);
        if (!LABEL.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "slug must be 1 to 63 of a-z, 0-9 and inner hyphens: choose another name");
        }
    }

    public static Slug of(String value) {
        return new Slug(value);
    }
}
