package io.holdfast.contract.interleaving;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.Succession;
import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.interleaving.World.Act;
import io.holdfast.contract.interleaving.World.Scene;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.lease.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Leases: everything that may be done to one. */
final class Leases {
    private static final SilenceLimit LIMIT = SilenceLimit.of(Duration.ofMinutes(5));

    static final World SILENT =
            new World("a lease whose holder is silent", "G1 G5 G6 G7 G8 G15 L1", store -> new Leases(store).silent());

    static final List<World> ALL = List.of(
            new World("a lease that is new", "G1 G2 G5 G8 L1 L4", store -> new Leases(store).nobodys()),
            new World("a lease that is held", "G2 G5 G6 G8 G12 G15 L2 L3", store -> new Leases(store).held()),
            SILENT);

    private final EngineSubject store;
    private final LeaseName name = LeaseName.of("lease-" + UUID.randomUUID());
    private final Names names = new Names();
    private final Map<AttemptId, Fence> granted = new ConcurrentHashMap<>();

    private Leases(EngineSubject store) {
        this.store = store;
    }

    private Scene nobodys() {
        AttemptId b = names.attempt("b");
        return scene(List.of(acquire("b", b), acquire("b again", b), acquire("c", names.attempt("c"))));
    }

    private Scene held() {
        AttemptId a = names.attempt("a");
        return scene(acts(a, take(a), Succession.WHEN_SILENT));
    }

    private Scene silent() {
        AttemptId a = names.attempt("a");
        Lease lease = take(a);
        store.letPass(Duration.ofHours(1));
        return scene(acts(a, lease, Succession.AT_ONCE));
    }

    private List<Act> acts(AttemptId a, Lease lease, Succession succession) {
        return List.of(
                acquire("b", names.attempt("b")),
                acquire("c", names.attempt("c")),
                acquire("a again", a),
                new Act(
                        "a renews",
                        ports -> names.told(ports.leases().renew(List.of(lease)).get(lease))),
                release("a releases", lease, Duration.ZERO),
                release("a releases after a minimum", lease, Duration.ofHours(2)),
                new Act("a is evicted", ports -> names.told(ports.leases().evict(name, lease.fence(), succession))));
    }

    private Lease take(AttemptId attempt) {
        if (ask(store.leases(), attempt) instanceof Acquired won) {
            granted.put(attempt, won.lease().fence());
            return won.lease();
        }
        throw new AssertionError("nobody was in the way");
    }

    private LeaseOutcome ask(LeaseStore leases, AttemptId attempt) {
        return leases.acquire(name, attempt, new Holder(names.of(attempt)), LIMIT);
    }

    private Act acquire(String who, AttemptId attempt) {
        return new Act(who + " acquires", ports -> told(attempt, ask(ports.leases(), attempt)));
    }

    private static Act release(String what, Lease lease, Duration minimum) {
        return new Act(
                what,
                ports -> ports.leases()
                        .release(lease, minimum)
                        .fold(
                                released -> "released",
                                lost -> "lost, held by somebody: " + lost.to().isPresent()));
    }

    private String told(AttemptId attempt, LeaseOutcome outcome) {
        return outcome.fold(
                acquired -> {
                    granted.put(attempt, acquired.lease().fence());
                    return "acquired";
                },
                taken -> "taken by " + names.of(taken.by()),
                over -> "over");
    }

    private Scene scene(List<Act> acts) {
        return new Scene() {
            @Override
            public List<Act> acts() {
                return acts;
            }

            @Override
            public String end() {
                String left = left();
                store.deleteByHand(name);
                return left;
            }
        };
    }

    private String left() {
        store.leases().find(name).ifPresent(holder -> {
            Fence fence = granted.get(holder.attempt());
            // An eviction has moved the fence of whoever holds no more.
            if (!holder.fence().equals(fence)) {
                throw new AssertionError("granted by " + fence + ": " + holder);
            }
        });
        AttemptId next = names.attempt("the next one");
        return "held by " + names.incumbent(store.leases().find(name)) + ", and then "
                + told(next, ask(store.leases(), next));
    }
}
