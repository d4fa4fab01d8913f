package io.holdfast.refresh;

import io.holdfast.AttemptId;
import java.util.UUID;

/** All tokens that descend from one login. Not a secret; an id is opened once, and never again. */
public record FamilyId(UUID value) {
    public static FamilyId random() {
        return new FamilyId(UUID.randomUUID());
    }

    /**
     * Reads what {@link #toString()} wrote.
     *
     * @throws IllegalArgumentException if {@code text} is not a UUID in its 36-character form
     */
    public static FamilyId parse(String text) {
        return new FamilyId(AttemptId.parse(text).value());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
