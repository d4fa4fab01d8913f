package io.holdfast.mysql;

import io.holdfast.contract.cluster.Cluster;
import io.holdfast.contract.cluster.FailOverContract;

final class MysqlFailOverTest implements FailOverContract {
    @Override
    public Cluster cluster() {
        return new MysqlCluster();
    }
}
