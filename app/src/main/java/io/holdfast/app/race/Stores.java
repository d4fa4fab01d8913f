package io.holdfast.app.race;

import io.holdfast.app.Backend;
import io.holdfast.lease.LeaseStore;
import io.holdfast.publish.ClaimStore;

/** The ports that decide. */
record Stores(ClaimStore claims, LeaseStore leases) {
    static Stores of(Backend backend) {
        return new Stores(backend.claims(), backend.leases());
    }
}
