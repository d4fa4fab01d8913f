package io.holdfast.memory;

import io.holdfast.contract.RefreshContract;
import io.holdfast.contract.RefreshSubject;

final class MemoryRefreshTest implements RefreshContract {
    private final MemoryRefreshTokens store = new MemoryRefreshTokens();

    @Override
    public RefreshSubject subject() {
        return store;
    }
}
