package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Eviction;
import io.holdfast.Eviction.Evicted;
import io.holdfast.Eviction.Moved;
import io.holdfast.Succession;
import io.holdfast.contract.Operation.Call;
import io.holdfast.contract.Operation.Kind;
import io.holdfast.publish.Claim;
import io.holdfast.publish.Deployment;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The operations of {@link io.holdfast.publish.ClaimStore}. */
final class PublishOperations {
    private PublishOperations() {}

    static final List<Operation> ALL = List.of(
            new Operation("claim an app that has ended", Kind.TAKE, store -> {
                Trial app = Trial.on(store);
                app.ended("before", Trial.FAILED);
                return claim(app);
            }),
            new Operation("claim a new app", Kind.TAKE_NEW, store -> claim(Trial.on(store))),
            new Operation("claim an app that is held", Kind.LOSE, store -> {
                Trial app = Trial.on(store);
                Claim held = app.takenBy("a");
                return call(app, there -> Trial.assertIs(held, there.toldInProgress("b")), () -> false);
            }),
            new Operation("renew a claim", Kind.RENEW, store -> {
                Trial app = Trial.on(store);
                Claim held = app.takenBy("a");
                return call(app, there -> there.toldHeld(held), () -> false);
            }),
            new Operation("finish", Kind.END, store -> {
                Trial app = Trial.on(store);
                Claim held = app.takenBy("a");
                return call(
                        app,
                        there -> there.end(held, Trial.FAILED),
                        () -> !(app.state(held) instanceof Deployment.Building));
            }),
            new Operation("finish what has ended", Kind.END_AGAIN, store -> {
                Trial app = Trial.on(store);
                Claim ended = app.ended("a", Trial.FAILED);
                return call(app, there -> there.end(ended, Trial.FAILED), () -> false);
            }),
            new Operation("evict", Kind.TAKE, store -> {
                Trial app = Trial.on(store);
                Claim held = app.takenBy("a");
                return call(
                        app,
                        there -> assertThat(evict(there, held)).isInstanceOfAny(Evicted.class, Moved.class),
                        () -> !(app.state(held) instanceof Deployment.Building));
            }),
            new Operation("evict who has gone", Kind.END_AGAIN, store -> {
                Trial app = Trial.on(store);
                Claim ended = app.ended("a", Trial.FAILED);
                return call(
                        app,
                        there -> assertThat(evict(there, ended)).isEqualTo(new Moved(Optional.empty())),
                        () -> false);
            }));

    private static Eviction evict(Trial there, Claim seen) {
        return there.store().claims().evict(there.app(), seen.fence(), Succession.AT_ONCE);
    }

    private static Call claim(Trial app) {
        Wish wish = app.wish("a");
        return call(
                app,
                there -> assertThat(there.takenBy(wish).attempt()).isEqualTo(wish.attempt()),
                () -> app.store().deployments().find(wish.attempt()).isPresent());
    }

    private static Call call(Trial app, Consumer<Trial> make, BooleanSupplier isApplied) {
        return new Call() {
            @Override
            public Row row() {
                return new Row(Row.Table.APP, app.app().value());
            }

            @Override
            public void make(Ports there) {
                make.accept(new Trial(new Reached(app.store(), there.claims()), app.app(), app.slug()));
            }

            @Override
            public boolean isApplied() {
                return isApplied.getAsBoolean();
            }
        };
    }
}
