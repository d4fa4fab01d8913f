package io.holdfast.app.serve;

import io.holdfast.app.Backend;
import io.holdfast.lease.LeaseStore;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;

/** What decides: the stores of one database. */
record Ports(ClaimStore claims, Deployments deployments, LeaseStore leases) {
    static Ports of(Backend backend) {
        return new Ports(backend.claims(), backend.deployments(), backend.leases());
    }
}
