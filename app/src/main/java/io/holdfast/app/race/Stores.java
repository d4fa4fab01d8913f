package io.holdfast.app.race;

import io.holdfast.app.Backend;
import io.holdfast.lease.LeaseStore;
import io.holdfast.publish.ClaimStore;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.save.SaveTokenStore;

/** The ports that decide. */
record Stores(
        ClaimStore claims,
        SaveTokenStore saveTokens,
        RefreshTokenStore refreshTokens,
        LeaseStore leases,
        SanctionStore sanctions) {
    static Stores of(Backend backend) {
        return new Stores(
                backend.claims(), backend.saveTokens(), backend.refreshTokens(), backend.leases(), backend.sanctions());
    }
}
