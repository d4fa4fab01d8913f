package io.holdfast.contract;

import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.holdfast.AttemptId;
import io.holdfast.contract.Operation.Call;
import io.holdfast.contract.Operation.Kind;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.ImposeOutcome.Imposed;
import io.holdfast.sanction.ImposeOutcome.Over;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.sanction.Terms;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The operations of {@link SanctionStore}. */
final class SanctionOperations {
    private SanctionOperations() {}

    static final List<Operation> ALL = List.of(
            new Operation("sanction an account whose sanction has run out", Kind.TAKE, store -> {
                Court court = Court.on(store);
                court.imposed(court.terms("before", Duration.ofMillis(1)));
                assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
                    while (court.active().isPresent()) {
                        Thread.onSpinWait();
                    }
                });
                return impose(court);
            }),
            new Operation("sanction a new account", Kind.TAKE_NEW, store -> impose(Court.on(store))),
            new Operation("sanction an account that is sanctioned", Kind.LOSE, store -> {
                Court court = Court.on(store);
                Sanction active = court.imposed("a");
                return call(court, there -> there.toldAnother(active, there.impose("b")), () -> false);
            }),
            // These two bring back the sanction, which is another statement on MySQL; so they may take what a take
            // takes.
            new Operation("replace a sanction", Kind.TAKE, store -> {
                Court court = Court.on(store);
                Sanction seen = court.imposed("a");
                AttemptId id = AttemptId.random();
                return call(
                        court,
                        there -> assertThat(only(Imposed.class, there.replace(seen, id, there.terms("b")))
                                        .sanction()
                                        .id())
                                .isEqualTo(id),
                        () -> has(court, id));
            }),
            new Operation("lift a sanction", Kind.TAKE, store -> {
                Court court = Court.on(store);
                Sanction seen = court.imposed("a");
                return call(
                        court,
                        there -> lift(there, seen, "b"),
                        () -> court.active().isEmpty());
            }),
            new Operation("lift what was lifted", Kind.END_AGAIN, store -> {
                Court court = Court.on(store);
                Sanction over = court.lifted(court.imposed("a"), "b");
                return call(court, there -> lift(there, over, "c"), () -> false);
            }));

    private static Call impose(Court court) {
        AttemptId id = AttemptId.random();
        Terms terms = court.terms("a");
        return call(court, there -> there.toldImposed(id, terms), () -> has(court, id));
    }

    /** Also when somebody has lifted it before: that was b. Nothing is read besides, since round trips are counted. */
    private static void lift(Court there, Sanction seen, String by) {
        Sanction over = only(Over.class, there.lift(seen, by)).sanction();
        assertThat(over.id()).isEqualTo(seen.id());
        Court.assertLifted("b", over);
    }

    private static boolean has(Court court, AttemptId id) {
        return court.history().stream().anyMatch(sanction -> sanction.id().equals(id));
    }

    private static Call call(Court court, Consumer<Court> make, BooleanSupplier isApplied) {
        return new Call() {
            @Override
            public Row row() {
                return new Row(Row.Table.SANCTION, court.account().value());
            }

            @Override
            public void make(Ports there) {
                make.accept(new Court(new Elsewhere(court.store(), there.sanctions()), court.account()));
            }

            @Override
            public boolean isApplied() {
                return isApplied.getAsBoolean();
            }
        };
    }

    /** A store of sanctions that is reached in another way. */
    private record Elsewhere(SanctionSubject store, SanctionStore sanctions) implements SanctionSubject {
        @Override
        public void letPass(Duration time) {
            store.letPass(time);
        }

        @Override
        public void wipe() {
            store.wipe();
        }

        @Override
        public void deleteByHand(Account account) {
            store.deleteByHand(account);
        }

        @Override
        public String dump(Account account) {
            return store.dump(account);
        }
    }
}
