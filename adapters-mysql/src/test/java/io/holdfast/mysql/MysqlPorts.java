package io.holdfast.mysql;

import io.holdfast.contract.Ports;
import io.holdfast.lease.LeaseStore;
import io.holdfast.publish.ClaimStore;

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
}
