package io.holdfast.memory;

import io.holdfast.contract.SaveContract;
import io.holdfast.contract.SaveSubject;

final class MemorySaveTest implements SaveContract {
    private final MemorySaveTokens store = new MemorySaveTokens();

    @Override
    public SaveSubject subject() {
        return store;
    }
}
