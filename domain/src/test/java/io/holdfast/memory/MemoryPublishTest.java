package io.holdfast.memory;

import io.holdfast.contract.PublishContract;
import io.holdfast.contract.PublishSubject;

final class MemoryPublishTest implements PublishContract {
    private final MemoryPublishes store = new MemoryPublishes();

    @Override
    public PublishSubject subject() {
        return store;
    }
}
