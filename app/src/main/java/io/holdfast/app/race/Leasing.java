package io.holdfast.app.race;

import io.holdfast.Budget;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.Pulse;
import io.holdfast.SilenceLimit;
import io.holdfast.lease.LeaseStore;
import io.holdfast.lease.UnderLease;
import io.holdfast.release.ContentId;
import io.holdfast.release.Releasing;
import java.util.concurrent.CompletableFuture;

/** {@link Strategy#CLAIM} for {@link Port#RELEASE}. */
final class Leasing implements Way {
    private final Releasing releasing;
    private final Effects effects;
    private final Beside beside = new Beside();

    Leasing(LeaseStore leases, Heartbeats heartbeats, Holder me, SilenceLimit limit, Effects effects) {
        this.releasing = new Releasing(leases, heartbeats, me, limit, Budget.DEFAULT);
        this.effects = effects;
    }

    @Override
    public Pressed prepare(Scenario scenario, String key) {
        return scenario.isSlow() ? press(key, "") : Pressed.told(Answer.prepared(null));
    }

    @Override
    public Pressed press(String key, String given) {
        return beside.press(answer -> release(key, answer));
    }

    private String release(String key, CompletableFuture<Answer> answer) {
        UnderLease.Run<String> run = releasing.release(ContentId.of(key), (lease, pulse) -> {
            String id = lease.attempt().toString();
            answer.complete(Answer.started(id, null));
            effects.start(key, id).join();
            return Report.DONE;
        });
        return run.fold(ran -> ran.lease() == Pulse.View.HELD ? ran.result() : ran.toString(), refused -> {
            answer.complete(Answer.inProgress(refused.by().attempt().toString()));
            return refused.toString();
        });
    }
}
