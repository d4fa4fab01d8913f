package io.holdfast.memory;

import io.holdfast.contract.SanctionContract;
import io.holdfast.contract.SanctionSubject;

final class MemorySanctionTest implements SanctionContract {
    private final MemorySanctions store = new MemorySanctions();

    @Override
    public SanctionSubject subject() {
        return store;
    }
}
