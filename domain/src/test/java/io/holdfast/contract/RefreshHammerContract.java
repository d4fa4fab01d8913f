package io.holdfast.contract;

import static io.holdfast.contract.Contenders.race;
import static io.holdfast.contract.Contenders.rounds;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RotateOutcome;
import io.holdfast.refresh.RotateOutcome.Rotated;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The incidents, hammered: what {@link RefreshContract} asks in a few rounds, by as many as there are. */
public interface RefreshHammerContract {
    /** The store under test; with fewer connections than threads, because who waits for one must get the same answer. */
    RefreshSubject subject();

    int threads();

    /** Of {@link #threads()} each. */
    int crowds();

    @Test
    default void r1_aCrowdThatPresentsOneTokenRotatesItOnce() {
        Lineage family = Lineage.on(subject());
        for (long current = 1; current <= rounds(crowds()); current++) {
            RefreshContract.assertOneRotation(family, current, threads());
        }
    }

    /** K28: 415 of 679 tokens were revoked because two tabs had come at once. */
    @Test
    default void r2_parallelTabsAreNeverTakenForThieves() {
        for (int i = 0; i < rounds(1_000); i++) {
            Lineage family = Lineage.on(subject());
            RefreshContract.assertOneRotation(family, 1, 3);
            List<RotateOutcome<Generation>> again = race(3, tab -> family.rotate(1));
            assertThat(again).containsOnly(family.replayed(1));
            assertThat(family.rotate(2)).isInstanceOf(Rotated.class);
        }
    }

    @Test
    default void r3_noRotationEscapesARevocationBesideIt() {
        for (int i = 0; i < rounds(500); i++) {
            RefreshContract.assertNothingUsableAfterReuse(Lineage.on(subject()).rotated(1, 4));
        }
    }
}
