package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.contract.Operation.Call;
import io.holdfast.contract.Operation.Kind;
import io.holdfast.refresh.RotateOutcome.Refused;
import io.holdfast.refresh.RotateOutcome.Reused;
import io.holdfast.refresh.RotateOutcome.Why;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The operations of {@link io.holdfast.refresh.RefreshTokenStore}. */
final class RefreshOperations {
    private RefreshOperations() {}

    static final List<Operation> ALL = List.of(
            new Operation("open a family", Kind.TAKE_NEW, store -> {
                Lineage family = Lineage.unknown(store);
                return call(
                        family,
                        there -> there.open(Lineage.TERMS),
                        () -> !family.rotate(1).equals(new Refused<>(Why.UNKNOWN)));
            }),
            new Operation("rotate a token", Kind.TAKE, store -> {
                Lineage family = Lineage.on(store);
                return change(
                        family,
                        there -> assertThat(Lineage.successor(there.rotate(1)).number())
                                .isEqualTo(2));
            }),
            new Operation("replay a spent token", Kind.LOSE, store -> {
                Lineage family = Lineage.on(store).rotated(1, 2);
                return call(family, there -> there.toldReplayed(1), () -> false);
            }),
            new Operation("present a token that is overtaken", Kind.LOSE, store -> {
                Lineage family = Lineage.on(store).rotated(1, 3);
                return call(family, there -> there.toldRefused(Why.OVERTAKEN, 1), () -> false);
            }),
            new Operation("reuse a token", Kind.END, store -> {
                Lineage family = Lineage.on(store).rotated(1, 4);
                return change(
                        family,
                        there -> assertThat(there.rotate(1))
                                .isIn(new Reused<>(family.family()), new Refused<>(Why.REVOKED)));
            }),
            new Operation("revoke a family", Kind.END, store -> change(Lineage.on(store), Lineage::revoke)),
            new Operation("revoke a family again", Kind.END_AGAIN, store -> {
                Lineage family = Lineage.on(store);
                family.revoke();
                return call(family, Lineage::revoke, () -> false);
            }));

    /** Changes a family that exists. */
    private static Call change(Lineage family, Consumer<Lineage> make) {
        String before = family.dump();
        return call(family, make, () -> !family.dump().equals(before));
    }

    private static Call call(Lineage family, Consumer<Lineage> make, BooleanSupplier isApplied) {
        return new Call() {
            @Override
            public Row row() {
                return new Row(Row.Table.REFRESH, family.family().toString());
            }

            @Override
            public void make(Ports there) {
                make.accept(new Lineage(family.store(), there.refreshTokens(), family.family()));
            }

            @Override
            public boolean isApplied() {
                return isApplied.getAsBoolean();
            }
        };
    }
}
