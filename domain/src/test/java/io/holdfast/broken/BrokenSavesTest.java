package io.holdfast.broken;

import io.holdfast.contract.SaveContract;
import io.holdfast.contract.SaveSubject;
import io.holdfast.memory.MemorySaveTokens;

final class BrokenSavesTest extends BrokenStores<MemorySaveTokens> {
    BrokenSavesTest() {
        super(
                Suite.class,
                MemorySaveTokens.class,
                "G1 G2 G3 G4 G5 G6 G7 G8 G9 G10 G11 G12 G13 G14 S1 S2 S3 S4 S5 S6 S7 S8",
                BrokenSaveTakes.class,
                BrokenSaveHolds.class,
                BrokenSaveRules.class);
    }

    static final class Suite implements SaveContract {
        private final SaveSubject store = Examination.store(SaveSubject.class);

        @Override
        public SaveSubject subject() {
            return store;
        }
    }
}
