package io.holdfast.postgres;

import io.holdfast.contract.cluster.Cluster;
import io.holdfast.contract.cluster.FailOverContract;

final class PostgresFailOverTest implements FailOverContract {
    @Override
    public Cluster cluster() {
        return new PostgresCluster();
    }
}
