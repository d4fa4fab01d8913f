package io.holdfast.contract;

import static io.holdfast.contract.Trial.FAILED;
import static io.holdfast.contract.Trial.LIMIT;
import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Eviction.Evicted;
import io.holdfast.Eviction.Moved;
import io.holdfast.Fence;
import io.holdfast.Succession;
import io.holdfast.lease.Lease;
import io.holdfast.publish.Claim;
import io.holdfast.publish.Deployments;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.save.Reservation;
import io.holdfast.save.SaveResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Whatever is done to one key, nothing is done to those beside it, and nothing is told of them. An adapter's test class
 * implements this beside the contracts of its ports: here each statement has rows of others to take for its own.
 */
public interface NeighbourContract {
    /** The store under test; the same one for the whole of a test, empty or not. */
    EngineSubject subject();

    @Test
    default void c8_aTakeOverLeavesTheBuildsOfOtherAppsAlone() {
        Trial other = Trial.on(subject());
        Trial app = Trial.on(subject());
        Claim b = other.takenBy(other.wish("b").within(LIMIT.multipliedBy(2)));
        app.takenBy("a");
        subject().letPass(LIMIT);
        app.takenBy("c");
        Trial.assertBuilding(b, other.state(b));
    }

    @Test
    default void c6_whoTakesOverAnAppIsToldOfNoOther() {
        List<Trial> apps = List.of(Trial.on(subject()), Trial.on(subject()), Trial.on(subject()));
        List<Claim> silent = apps.stream().map(app -> app.takenBy("a")).toList();
        subject().letPass(LIMIT);
        for (int i = 0; i < apps.size(); i++) {
            Trial app = apps.get(i);
            assertThat(app.toldClaimed(app.wish("b")).takenOverFrom())
                    .contains(silent.get(i).attempt());
        }
    }

    @Test
    default void g8_whoHasLostAnAppIsToldOfNoOther() {
        List<Trial> apps = List.of(Trial.on(subject()), Trial.on(subject()), Trial.on(subject()));
        List<Claim> silent = apps.stream().map(app -> app.takenBy("a")).toList();
        subject().letPass(LIMIT);
        List<Claim> held = apps.stream().map(app -> app.takenBy("b")).toList();
        for (int i = 0; i < apps.size(); i++) {
            apps.get(i).toldLostTo(held.get(i), silent.get(i));
        }
    }

    @Test
    default void c10_anAppForgetsNothingOfAnother() {
        Trial other = Trial.on(subject());
        List<Claim> old = List.of(other.ended("a", FAILED), other.ended("b", FAILED));
        Trial app = Trial.on(subject());
        for (int i = 0; i < Deployments.HISTORY + 2; i++) {
            app.ended("a", FAILED);
        }
        assertThat(old).extracting(other::state).containsOnly(FAILED);
        assertThat(subject().deployments().recent(app.app(), 1_000)).hasSize(Deployments.HISTORY + 1);
    }

    @Test
    default void c10_whatOthersHaveDoneIsNotCountedInAHistory() {
        Trial app = Trial.on(subject());
        Trial other = Trial.on(subject());
        int half = Deployments.HISTORY / 2 + 2;
        for (int i = 0; i < half; i++) {
            app.ended("a", FAILED);
            other.ended("b", FAILED);
        }
        assertThat(subject().deployments().recent(app.app(), 1_000)).hasSize(half);
        assertThat(subject().deployments().recent(other.app(), 1_000)).hasSize(half);
    }

    @Test
    default void g15_whoEvictsIsToldOfNoOtherApp() {
        List<Trial> apps = List.of(Trial.on(subject()), Trial.on(subject()), Trial.on(subject()));
        List<Claim> held = apps.stream().map(app -> app.takenBy("a")).toList();
        for (int i = 0; i < apps.size(); i++) {
            Trial app = apps.get(i);
            Claim claim = held.get(i);
            Fence seen = claim.fence();
            Moved moved = only(
                    Moved.class,
                    subject().claims().evict(app.app(), new Fence(seen.value() + 1), Succession.WHEN_SILENT));
            assertThat(moved.now()).hasValueSatisfying(incumbent -> Trial.assertIs(claim, incumbent));
            Evicted evicted = only(Evicted.class, subject().claims().evict(app.app(), seen, Succession.WHEN_SILENT));
            assertThat(app.toldInProgress("b").fence()).isEqualTo(evicted.now());
        }
    }

    @Test
    default void g15_whoEvictsIsToldOfNoOtherLease() {
        List<LeaseTrial> leases = List.of(LeaseTrial.on(subject()), LeaseTrial.on(subject()), LeaseTrial.on(subject()));
        List<Lease> held = leases.stream().map(lease -> lease.takenBy("a")).toList();
        for (int i = 0; i < leases.size(); i++) {
            LeaseTrial lease = leases.get(i);
            Evicted evicted = lease.evicted(held.get(i).fence(), Succession.WHEN_SILENT);
            assertThat(lease.toldTaken("b").fence()).isEqualTo(evicted.now());
        }
    }

    @Test
    default void g6_aLeaseOfOneNameIsNoneOfAnother() {
        LeaseTrial lease = LeaseTrial.on(subject());
        LeaseTrial other = LeaseTrial.on(subject());
        Lease a = lease.takenBy("a");
        Lease b = other.takenBy("b");
        String before = lease.dump();
        other.toldLostTo(b, new Lease(other.name(), a.attempt(), a.fence()));
        assertThat(lease.dump()).isEqualTo(before);
        String others = other.dump();
        lease.toldHeld(a);
        lease.letGo(a);
        assertThat(other.dump()).isEqualTo(others);
    }

    @Test
    default void g6_aReservationOfOneTokenIsNoneOfAnother() {
        SaveTrial token = SaveTrial.on(subject());
        SaveTrial other = SaveTrial.on(subject());
        Reservation a = token.takenBy("a");
        Reservation b = other.takenBy("b");
        String before = token.dump();
        other.toldLostTo(b, new Reservation(other.token(), a.attempt(), a.fence()));
        assertThat(token.dump()).isEqualTo(before);
        String others = other.dump();
        token.toldHeld(a);
        assertThat(other.dump()).isEqualTo(others);
    }

    @Test
    default void g12_theEndingThatIsRepeatedIsThatOfNoOtherToken() {
        List<SaveTrial> tokens = List.of(SaveTrial.on(subject()), SaveTrial.on(subject()), SaveTrial.on(subject()));
        Map<SaveTrial, Reservation> ended = new LinkedHashMap<>();
        tokens.forEach(token -> ended.put(token, token.ended("a", ownResult(token))));
        ended.forEach((token, hold) -> {
            assertThat(token.end(hold, SaveTrial.NOT_SAVED)).isEqualTo(ownResult(token));
            assertThat(token.settle(hold.fence(), SaveTrial.NOT_SAVED)).isEqualTo(ownResult(token));
        });
    }

    private static SaveResult ownResult(SaveTrial token) {
        return SaveResult.of(token.token().bytes());
    }

    @Test
    default void s6_whoTakesOverATokenIsToldOfNoOther() {
        List<SaveTrial> tokens = List.of(SaveTrial.on(subject()), SaveTrial.on(subject()), SaveTrial.on(subject()));
        List<Reservation> silent =
                tokens.stream().map(token -> token.takenBy("a")).toList();
        subject().letPass(LIMIT);
        for (int i = 0; i < tokens.size(); i++) {
            SaveTrial token = tokens.get(i);
            assertThat(token.toldReserved(token.wish("b")).takenOverFrom())
                    .contains(silent.get(i).attempt());
        }
    }

    @Test
    default void b5_anAccountForgetsNothingOfAnother() {
        Court few = Court.on(subject());
        few.lifted(few.imposed("a"), "b");
        Sanction stands = few.imposed("c");
        Court many = Court.on(subject());
        Sanction last = many.imposed("a");
        for (int i = 0; i < SanctionStore.HISTORY + 2; i++) {
            last = many.replaced(last, "b");
        }
        few.assertStands(stands);
        few.lifted(few.replaced(stands, "d"), "e");
        few.imposed("f");
        many.lifted(last, "c");
        many.imposed("d");
        assertThat(few.history()).hasSize(4);
        assertThat(many.history()).hasSize(SanctionStore.HISTORY);
    }
}
