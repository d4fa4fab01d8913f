package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.contract.Operation.Call;
import io.holdfast.contract.Operation.Kind;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal.Completed;
import io.holdfast.save.Refusal.InProgress;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveRequest;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** The operations of {@link io.holdfast.save.SaveTokenStore}. */
final class SaveOperations {
    private SaveOperations() {}

    /** Over before anybody asks. */
    private static final Duration AN_INSTANT = Duration.ofMillis(1);

    static final List<Operation> ALL = List.of(
            new Operation("issue a save token", Kind.TAKE_NEW, store -> {
                SaveTrial token = SaveTrial.unissued(store);
                return change(token, there -> there.issued(SaveTrial.VALID, IfInDoubt.RUN_AGAIN));
            }),
            new Operation("issue a save token that is known", Kind.END_AGAIN, store -> {
                SaveTrial token = SaveTrial.on(store);
                return look(token, there -> there.issued(SaveTrial.VALID, IfInDoubt.RUN_AGAIN));
            }),
            new Operation("reserve a save token", Kind.TAKE, store -> reserve(SaveTrial.on(store))),
            new Operation("reserve a save token that was given back", Kind.TAKE, store -> {
                SaveTrial token = SaveTrial.on(store);
                token.ended("before", SaveTrial.NOT_SAVED);
                return reserve(token);
            }),
            new Operation("reserve a save token of a silent holder", Kind.TAKE, store -> {
                SaveTrial token = SaveTrial.on(store);
                fallSilent(token);
                return reserve(token);
            }),
            new Operation("reserve a save token that is held", Kind.LOSE, store -> {
                SaveTrial token = SaveTrial.on(store);
                Reservation held = token.takenBy("a");
                return look(
                        token,
                        there -> SaveTrial.assertIs(
                                held, there.told(InProgress.class).by()));
            }),
            new Operation("reserve a save token that was used", Kind.LOSE, store -> {
                SaveTrial token = SaveTrial.on(store);
                token.ended("a", SaveTrial.RESULT);
                return look(
                        token,
                        there ->
                                assertThat(there.told(Completed.class).result()).isEqualTo(SaveTrial.RESULT));
            }),
            new Operation("renew a reservation", Kind.RENEW, store -> {
                SaveTrial token = SaveTrial.on(store);
                Reservation held = token.takenBy("a");
                return look(token, there -> there.toldHeld(held));
            }),
            new Operation("complete", Kind.END, store -> {
                SaveTrial token = SaveTrial.on(store);
                Reservation held = token.takenBy("a");
                return change(token, there -> there.ends(held, SaveTrial.RESULT));
            }),
            new Operation("give a save token back", Kind.END, store -> {
                SaveTrial token = SaveTrial.on(store);
                Reservation held = token.takenBy("a");
                return change(token, there -> there.ends(held, SaveTrial.NOT_SAVED));
            }),
            new Operation("complete what was completed", Kind.END_AGAIN, store -> {
                SaveTrial token = SaveTrial.on(store);
                Reservation ended = token.ended("a", SaveTrial.RESULT);
                return look(token, there -> there.ends(ended, SaveTrial.RESULT));
            }),
            new Operation("settle", Kind.END, store -> {
                SaveTrial token = SaveTrial.on(store, IfInDoubt.REFUSE);
                Reservation held = fallSilent(token);
                return change(
                        token,
                        there -> assertThat(there.settle(held.fence(), SaveTrial.RESULT))
                                .isEqualTo(SaveTrial.RESULT));
            }));

    /** No row is aged: others may be at work on theirs. */
    private static Reservation fallSilent(SaveTrial token) {
        Reservation held = token.takenBy(token.wish("silent", AN_INSTANT));
        long taken = System.nanoTime();
        while (System.nanoTime() - taken <= 2 * AN_INSTANT.toNanos()) {
            Thread.onSpinWait();
        }
        return held;
    }

    private static Call reserve(SaveTrial token) {
        ReserveRequest wish = token.wish("a");
        return change(token, there -> assertThat(there.takenBy(wish).attempt()).isEqualTo(wish.attempt()));
    }

    private static Call change(SaveTrial token, Consumer<SaveTrial> make) {
        return call(token, make, true);
    }

    private static Call look(SaveTrial token, Consumer<SaveTrial> make) {
        return call(token, make, false);
    }

    private static Call call(SaveTrial token, Consumer<SaveTrial> make, boolean changes) {
        String before = token.dump();
        return new Call() {
            @Override
            public Row row() {
                return new Row(Row.Table.SAVE, token.token().toString());
            }

            @Override
            public void make(Ports there) {
                make.accept(new SaveTrial(token.store(), there.saveTokens(), token.token(), token.payload()));
            }

            @Override
            public boolean isApplied() {
                return changes && !token.dump().equals(before);
            }
        };
    }
}
