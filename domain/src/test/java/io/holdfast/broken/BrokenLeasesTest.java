package io.holdfast.broken;

import io.holdfast.contract.LeaseContract;
import io.holdfast.contract.LeaseSubject;
import io.holdfast.memory.MemoryLeases;

final class BrokenLeasesTest extends BrokenStores<MemoryLeases> {
    BrokenLeasesTest() {
        super(
                Suite.class,
                MemoryLeases.class,
                "G1 G2 G3 G4 G5 G6 G7 G8 G9 G10 G11 G12 G13 G14 G15 L1 L2 L3 L4",
                BrokenLeaseTakes.class,
                BrokenLeaseHolds.class,
                BrokenLeaseEnds.class);
    }

    static final class Suite implements LeaseContract {
        private final LeaseSubject store = Examination.store(LeaseSubject.class);

        @Override
        public LeaseSubject subject() {
            return store;
        }
    }
}
