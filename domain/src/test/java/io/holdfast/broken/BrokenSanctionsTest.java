package io.holdfast.broken;

import io.holdfast.contract.SanctionContract;
import io.holdfast.contract.SanctionSubject;
import io.holdfast.memory.MemorySanctions;

final class BrokenSanctionsTest extends BrokenStores<MemorySanctions> {
    BrokenSanctionsTest() {
        super(
                Suite.class,
                MemorySanctions.class,
                "G1 G2 G3 G5 G8 G9 G10 G11 G12 G13 B1 B2 B3 B4 B5",
                BrokenSanctions.class,
                BrokenTerms.class,
                BrokenRecords.class);
    }

    static final class Suite implements SanctionContract {
        private final SanctionSubject store = Examination.store(SanctionSubject.class);

        @Override
        public SanctionSubject subject() {
            return store;
        }
    }
}
