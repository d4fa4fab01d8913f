package io.holdfast.app.serve;

import io.holdfast.app.Backend;
import io.holdfast.lease.LeaseStore;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.save.SaveTokenStore;

/** What decides: the stores of one database. */
record Ports(
        ClaimStore claims,
        Deployments deployments,
        LeaseStore leases,
        SaveTokenStore saveTokens,
        RefreshTokenStore refreshTokens,
        SanctionStore sanctions) {
    static Ports of(Backend backend) {
        return new Ports(
                backend.claims(),
                backend.deployments(),
                backend.leases(),
                backend.saveTokens(),
                backend.refreshTokens(),
                backend.sanctions());
    }
}
