package io.holdfast.mysql;

import io.holdfast.contract.Ports;
import io.holdfast.lease.LeaseStore;
import io.holdfast.publish.ClaimStore;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.save.SaveTokenStore;

/** What {@link MysqlStores} gives, under the contract's names. */
record MysqlPorts(MysqlStores stores) implements Ports {
    @Override
    public ClaimStore claims() {
        return stores.claims();
    }

    @Override
    public LeaseStore leases() {
        return stores.leases();
    }

    @Override
    public SanctionStore sanctions() {
        return stores.sanctions();
    }

    @Override
    public RefreshTokenStore refreshTokens() {
        return stores.refreshTokens();
    }

    @Override
    public SaveTokenStore saveTokens() {
        return stores.saveTokens();
    }
}
