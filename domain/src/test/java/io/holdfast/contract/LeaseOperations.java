package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Eviction.Evicted;
import io.holdfast.Eviction.Moved;
import io.holdfast.Succession;
import io.holdfast.contract.Operation.Call;
import io.holdfast.contract.Operation.Kind;
import io.holdfast.lease.Lease;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The operations of {@link io.holdfast.lease.LeaseStore}. */
final class LeaseOperations {
    private LeaseOperations() {}

    static final List<Operation> ALL = List.of(
            new Operation("acquire a lease that was released", Kind.TAKE, store -> {
                LeaseTrial lease = LeaseTrial.on(store);
                lease.hadBy("before");
                return acquire(lease);
            }),
            new Operation("acquire a new lease", Kind.TAKE_NEW, store -> acquire(LeaseTrial.on(store))),
            new Operation("acquire a lease that is held", Kind.LOSE, store -> {
                LeaseTrial lease = LeaseTrial.on(store);
                Lease held = lease.takenBy("a");
                return call(lease, there -> Trial.assertIs(held, there.toldTaken("b")), () -> false);
            }),
            new Operation("renew a lease", Kind.RENEW, store -> {
                LeaseTrial lease = LeaseTrial.on(store);
                Lease held = lease.takenBy("a");
                return call(lease, there -> there.toldHeld(held), () -> false);
            }),
            new Operation("release", Kind.END, store -> {
                LeaseTrial lease = LeaseTrial.on(store);
                Lease held = lease.takenBy("a");
                return call(
                        lease,
                        there -> there.letGo(held, Trial.A_MINUTE),
                        () -> lease.find().isEmpty());
            }),
            new Operation("release what was released", Kind.END_AGAIN, store -> {
                LeaseTrial lease = LeaseTrial.on(store);
                Lease before = lease.hadBy("a");
                return call(lease, there -> there.letGo(before), () -> false);
            }),
            new Operation("evict a lease's holder", Kind.TAKE, store -> {
                LeaseTrial lease = LeaseTrial.on(store);
                Lease held = lease.takenBy("a");
                return call(
                        lease,
                        there -> assertThat(there.evict(held.fence(), Succession.WHEN_SILENT))
                                .isInstanceOfAny(Evicted.class, Moved.class),
                        () -> lease.find().isEmpty());
            }),
            new Operation("evict whoever has released", Kind.END_AGAIN, store -> {
                LeaseTrial lease = LeaseTrial.on(store);
                Lease before = lease.hadBy("a");
                return call(
                        lease,
                        there -> assertThat(there.evict(before.fence(), Succession.AT_ONCE))
                                .isEqualTo(new Moved(Optional.empty())),
                        () -> false);
            }));

    private static Call acquire(LeaseTrial lease) {
        LeaseTrial.Wish wish = LeaseTrial.wish("a");
        return call(
                lease,
                there -> assertThat(there.takenBy(wish).attempt()).isEqualTo(wish.attempt()),
                () -> lease.find()
                        .filter(by -> by.attempt().equals(wish.attempt()))
                        .isPresent());
    }

    private static Call call(LeaseTrial lease, Consumer<LeaseTrial> make, BooleanSupplier isApplied) {
        return new Call() {
            @Override
            public Row row() {
                return new Row(Row.Table.LEASE, lease.name().value());
            }

            @Override
            public void make(Ports there) {
                make.accept(new LeaseTrial(lease.store(), there.leases(), lease.name()));
            }

            @Override
            public boolean isApplied() {
                return isApplied.getAsBoolean();
            }
        };
    }
}
