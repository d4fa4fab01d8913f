package io.holdfast.broken;

import io.holdfast.contract.PublishContract;
import io.holdfast.contract.PublishSubject;
import io.holdfast.memory.MemoryPublishes;

final class BrokenPublishesTest extends BrokenStores<MemoryPublishes> {
    BrokenPublishesTest() {
        super(
                Suite.class,
                MemoryPublishes.class,
                "G1 G2 G3 G4 G5 G6 G7 G8 G9 G10 G11 G12 G13 G14 G15 C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 C11 C12",
                BrokenTakes.class,
                BrokenRepeats.class,
                BrokenFences.class,
                BrokenHolds.class,
                BrokenAnswers.class,
                BrokenTexts.class,
                BrokenSlugs.class,
                BrokenHistories.class,
                BrokenRequestKeys.class,
                BrokenEvictions.class,
                BrokenCleanUps.class);
    }

    static final class Suite implements PublishContract {
        private final PublishSubject store = Examination.store(PublishSubject.class);

        @Override
        public PublishSubject subject() {
            return store;
        }
    }
}
