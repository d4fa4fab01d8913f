package io.holdfast.memory;

import io.holdfast.contract.LeaseContract;
import io.holdfast.contract.LeaseSubject;

final class MemoryLeaseTest implements LeaseContract {
    private final MemoryLeases store = new MemoryLeases();

    @Override
    public LeaseSubject subject() {
        return store;
    }
}
