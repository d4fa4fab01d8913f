package io.holdfast.contract;

import io.holdfast.lease.LeaseStore;
import io.holdfast.publish.ClaimStore;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.save.SaveTokenStore;

/** The ports of one adapter, as its users get them with some settings, or over some network. */
public interface Ports {
    ClaimStore claims();

    LeaseStore leases();

    RefreshTokenStore refreshTokens();

    SanctionStore sanctions();

    SaveTokenStore saveTokens();
}
