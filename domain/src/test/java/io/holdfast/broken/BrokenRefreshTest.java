package io.holdfast.broken;

import io.holdfast.contract.RefreshContract;
import io.holdfast.contract.RefreshSubject;
import io.holdfast.memory.MemoryRefreshTokens;

final class BrokenRefreshTest extends BrokenStores<MemoryRefreshTokens> {
    BrokenRefreshTest() {
        super(
                Suite.class,
                MemoryRefreshTokens.class,
                "G1 G2 G3 G9 G10 G11 G12 G13 R1 R2 R3 R4 R5 R6 R7 R8",
                BrokenRotations.class,
                BrokenFamilies.class);
    }

    static final class Suite implements RefreshContract {
        private final RefreshSubject store = Examination.store(RefreshSubject.class);

        @Override
        public RefreshSubject subject() {
            return store;
        }
    }
}
