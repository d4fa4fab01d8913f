package io.holdfast.app.race;

import io.holdfast.Holder;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.sanction.Sanctioning;
import io.holdfast.sanction.Terms;
import java.util.Optional;

/** {@link Strategy#CLAIM} for {@link Port#SANCTION}. */
final class Imposing implements Way {
    private final Sanctioning sanctions;
    private final Holder me;
    private final Effects effects;

    Imposing(SanctionStore store, Holder me, Effects effects) {
        this.sanctions = new Sanctioning(store);
        this.me = me;
        this.effects = effects;
    }

    private ImposeOutcome impose(Account account) {
        return sanctions.impose(new Terms(account, "spam", me, Optional.empty()));
    }

    @Override
    public Pressed prepare(Scenario scenario, String key) {
        Account account = Account.of(key);
        ImposeOutcome before = impose(account);
        Sanction active = before.fold(ImposeOutcome.Imposed::sanction, ImposeOutcome.Another::active, over -> {
            throw new IllegalStateException(over.toString());
        });
        sanctions.lift(account, active.id(), me);
        return Pressed.told(Answer.prepared(null));
    }

    @Override
    public Pressed press(String key, String given) {
        return impose(Account.of(key))
                .fold(
                        imposed -> mailed(key, imposed.sanction().id().toString()),
                        another ->
                                Pressed.told(Answer.given(another.active().id().toString())),
                        over -> Pressed.told(Answer.error(new IllegalStateException(over.toString()))));
    }

    private Pressed mailed(String key, String id) {
        return new Pressed(Answer.started(id, null), effects.start(key, id).thenApply(over -> Report.DONE));
    }
}
