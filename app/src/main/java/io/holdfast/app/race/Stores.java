package io.holdfast.app.race;

import io.holdfast.app.Backend;
import io.holdfast.publish.ClaimStore;

/** The ports that decide. */
record Stores(ClaimStore claims) {
    static Stores of(Backend backend) {
        return new Stores(backend.claims());
    }
}
