package io.holdfast.mongo;

import static io.holdfast.mongo.MongoRows.value;
import static io.holdfast.mongo.MongoStatements.let;
import static io.holdfast.mongo.MongoStatements.with;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Renewal;
import io.holdfast.StoreUnavailable;
import io.holdfast.Succession;
import io.holdfast.mongo.MongoCalls.Call;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Deployments;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal.AlreadyRun;
import io.holdfast.publish.Refusal.InProgress;
import io.holdfast.publish.Refusal.OtherRequest;
import io.holdfast.publish.Refusal.SlugFixed;
import io.holdfast.publish.Refusal.SlugTaken;
import io.holdfast.publish.RequestKey;
import io.holdfast.publish.Slug;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Decides who publishes. Each change is one of one document, and brings back what the document says after it. */
final class MongoClaims implements ClaimStore {
    /**
     * A loss is for good, so no primary may tell it that has been deposed and does not know the claim yet: this read is
     * answered only after a majority has confirmed a write that came after it (G14, decision 0032).
     */
    static final ReadConcern STILL_PRIMARY = ReadConcern.LINEARIZABLE;

    private final MongoCalls work;
    private final MongoRenewals<Claim> renewals;

    MongoClaims(MongoCalls work, MongoCalls beats) {
        this.work = work;
        this.renewals = new MongoRenewals<>(
                beats,
                "building",
                MongoStatements.HOLD,
                claim -> value(claim.app().value()));
    }

    @Override
    public ClaimOutcome claim(ClaimRequest request) {
        Call call = work.begin();
        boolean created = false;
        while (true) {
            Optional<ClaimOutcome> outcome;
            try {
                BsonDocument app = take(call, request);
                if (app == null) {
                    created |= create(call, request.app());
                    continue;
                }
                outcome = outcome(request, app);
            } catch (MongoException duplicate) {
                outcome = collision(call, request, created);
            }
            if (outcome.isPresent()) {
                return outcome.get();
            }
            call.pause();
        }
    }

    private static @Nullable BsonDocument take(Call call, ClaimRequest request) {
        BsonDocument let = let("attempt", value(request.attempt()));
        with(let, "slug", value(request.slug().value()));
        with(let, "holder", value(request.holder().label()));
        with(let, "silence_limit", MongoRows.micros(request.limit().value()));
        with(let, "request", value(request.requestKey().map(RequestKey::value)));
        return change(call, request.app(), MongoStatements.CLAIM, MongoStatements.CLAIMED, let);
    }

    /** Null if there is no such app. */
    private static @Nullable BsonDocument change(
            Call call, AppId app, List<BsonDocument> change, BsonDocument answer, BsonDocument let) {
        FindOneAndUpdateOptions options = new FindOneAndUpdateOptions()
                .returnDocument(ReturnDocument.AFTER)
                .projection(answer)
                .let(let);
        return call.ask(apps -> apps.findOneAndUpdate(MongoStatements.is(value(app.value())), change, options));
    }

    /** Makes the document of an app that is free, so that there is something to put a condition on. */
    private static boolean create(Call call, AppId app) {
        BsonDocument free = MongoStatements.is(value(app.value()));
        free.putAll(MongoStatements.FREE);
        try {
            call.ask(apps -> apps.insertOne(free));
            return true;
        } catch (MongoException duplicate) {
            return false; // somebody else has made it
        }
    }

    /** Takes back what {@link #create} made, unless it was claimed since: a refused claim leaves nothing behind (C4). */
    private static void discard(Call call, AppId app) {
        call.ask(apps -> apps.deleteOne(MongoStatements.isFree(value(app.value()))));
    }

    /**
     * Who made a unique index refuse the claim; empty if whoever it was has let go meanwhile. The guard had let the claim
     * through, so the app was free, and nothing that comes before the slug was in the way (C12).
     */
    private static Optional<ClaimOutcome> collision(Call call, ClaimRequest request, boolean created) {
        BsonValue attempt = value(request.attempt());
        List<BsonDocument> rivals = call.ask(apps -> apps.find(MongoStatements.rivals(
                        value(request.app().value()), value(request.slug().value()), attempt))
                .projection(MongoStatements.RIVAL)
                .into(new ArrayList<>()));
        if (rivals.isEmpty()) {
            return Optional.empty();
        }
        if (created) {
            discard(call, request.app());
        }
        // DocumentDB does not tell which of the indexes it was.
        if (rivals.stream().anyMatch(rival -> rival.getArray("ids").contains(attempt))) {
            throw ClaimStore.ofAnotherApp(request.attempt());
        }
        return Optional.of(new SlugTaken(request.slug()));
    }

    /**
     * What a claim's answer says, in the order of C12; empty if it says nothing, because the hold that had been in the way
     * fell silent in the moment between the guard and the answer.
     */
    private static Optional<ClaimOutcome> outcome(ClaimRequest request, BsonDocument app) {
        Optional<Deployment> own = MongoRows.deployment(app, request.attempt());
        if (own.isPresent()) {
            return Optional.of(hadBefore(own.get(), app));
        }
        Optional<Deployment> replayed = request.requestKey().flatMap(key -> MongoRows.deploymentFor(app, key.value()));
        if (replayed.isPresent()) {
            boolean same = replayed.get().slug().equals(request.slug());
            return Optional.of(same ? new AlreadyRun(replayed.get()) : new OtherRequest(replayed.get()));
        }
        if (!MongoRows.isTakeable(app)) {
            return Optional.of(new InProgress(MongoRows.holder(app)));
        }
        Optional<Slug> fixed = MongoRows.fixedSlug(app);
        if (fixed.isPresent() && !fixed.get().equals(request.slug())) {
            return Optional.of(new SlugFixed(fixed.get()));
        }
        if (MongoRows.isExhausted(app)) {
            throw ClaimStore.fenceExhausted(request.app());
        }
        return Optional.empty();
    }

    /** This attempt has it, now or already before; or has had it. */
    private static ClaimOutcome hadBefore(Deployment own, BsonDocument app) {
        if (!(own.state() instanceof Deployment.Building)) {
            return new AlreadyRun(own);
        }
        Claim claim = new Claim(own.app(), own.id(), own.fence());
        return new Claimed(claim, MongoRows.remaining(app), own.takenOverFrom());
    }

    @Override
    public FinishOutcome finish(Claim claim, Ending ending) {
        BsonDocument let = let("attempt", value(claim.attempt()));
        with(let, "fence", value(claim.fence()));
        with(let, "state", value(MongoRows.state(ending)));
        with(let, "detail", value(MongoRows.detail(ending)));
        Call call = work.begin();
        while (true) {
            FinishOutcome outcome =
                    outcome(claim, change(call, claim.app(), MongoStatements.FINISH, MongoStatements.FINISHED, let));
            if (outcome instanceof FinishOutcome.Ended) {
                return outcome;
            }
            BsonDocument app = call.ask(apps -> apps.withReadConcern(STILL_PRIMARY)
                    .find(MongoStatements.is(value(claim.app().value())))
                    .projection(MongoStatements.FINISHED)
                    .let(let)
                    .first());
            if (app == null || !MongoRows.isHeldBy(claim, app)) {
                return outcome(claim, app);
            }
            call.pause(); // it was no loss, only a primary that was deposed
        }
    }

    private static FinishOutcome outcome(Claim claim, @Nullable BsonDocument app) {
        if (app == null) {
            return new FinishOutcome.Lost(Optional.empty());
        }
        FinishOutcome lost = new FinishOutcome.Lost(MongoRows.incumbent(app));
        return MongoRows.deployment(app, claim.attempt())
                .filter(deployment -> deployment.fence().equals(claim.fence()))
                .map(deployment -> deployment.fold(building -> lost, abandoned -> lost, FinishOutcome.Ended::new))
                .orElse(lost);
    }

    @Override
    public Map<Claim, Renewal> renew(Collection<Claim> holds) {
        return renewals.renew(holds);
    }

    @Override
    public Eviction evict(AppId app, Fence seen, Succession succession) {
        BsonDocument let = let("at_once", BsonBoolean.valueOf(succession == Succession.AT_ONCE));
        Call call = work.begin();
        while (true) {
            BsonDocument after = call.ask(apps -> end(apps, app, seen, MongoStatements.EVICT, let));
            if (after != null && !MongoRows.fence(after).equals(seen)) {
                return new Eviction.Evicted(MongoRows.fence(after), MongoRows.remaining(after));
            }
            BsonDocument now = confirmed(call, app);
            if (now == null || !MongoRows.isAsSeen(seen, now)) {
                call.failIfInDoubt();
                return new Eviction.Moved(Optional.ofNullable(now).flatMap(MongoRows::incumbent));
            }
            if (MongoRows.isExhausted(now)) {
                throw ClaimStore.fenceExhausted(app);
            }
            call.pause(); // as in a finish
        }
    }

    private static @Nullable BsonDocument confirmed(Call call, AppId app) {
        return call.ask(apps -> apps.withReadConcern(STILL_PRIMARY)
                .find(MongoStatements.is(value(app.value())))
                .projection(MongoStatements.HOLD)
                .first());
    }

    /** Null if the app has another fence. */
    private static @Nullable BsonDocument end(
            MongoCollection<BsonDocument> apps, AppId app, Fence fence, List<BsonDocument> change, BsonDocument let) {
        return apps.findOneAndUpdate(
                MongoStatements.at(value(app.value()), value(fence)),
                change,
                new FindOneAndUpdateOptions()
                        .returnDocument(ReturnDocument.AFTER)
                        .projection(MongoStatements.HOLD)
                        .let(let));
    }

    @Override
    public List<Claim> endSilent(int atMost, Duration inContact) {
        List<BsonDocument> silent = MongoStatements.silent(Deployments.atLeastOne(atMost));
        BsonDocument let = let("longest", MongoRows.micros(ClaimStore.longestLimit(inContact)));
        Call call = work.begin();
        List<BsonDocument> found =
                call.ask(apps -> apps.aggregate(silent).let(let).into(new ArrayList<>()));
        List<Claim> ended = new ArrayList<>();
        try {
            for (BsonDocument app : found) {
                Claim claim = MongoRows.claim(app);
                if (isEnded(call, claim, let)) {
                    ended.add(claim);
                }
            }
        } catch (StoreUnavailable e) {
            if (ended.isEmpty()) {
                throw e;
            }
            // what was ended is told; the next clean-up comes round to the others
        }
        return ended;
    }

    /**
     * False also if it took too long, because a stranger has locked the document: the next clean-up comes round to it.
     *
     * @throws StoreUnavailable also if it was ended, and perhaps by this call
     */
    private static boolean isEnded(Call call, Claim claim, BsonDocument let) {
        Duration atMost = call.left().dividedBy(10);
        if (atMost.compareTo(MongoRenewals.TOO_SHORT_TO_WAIT) < 0) {
            return false;
        }
        AtomicReference<@Nullable BsonDocument> after = new AtomicReference<>();
        boolean done = call.isDoneWithin(atMost, apps -> {
            after.set(end(apps, claim.app(), claim.fence(), MongoStatements.END_SILENT, let));
            return true;
        });
        BsonDocument app = done ? after.get() : confirmed(call, claim.app());
        boolean ended = app != null && !MongoRows.fence(app).equals(claim.fence());
        if (ended && !done) {
            call.failIfInDoubt();
        }
        return ended && done;
    }

    /** Sends a claim that finds no app, and a read as it tells a loss. */
    static void tryOut(Call call) {
        BsonDocument let = new BsonDocument();
        for (String name : List.of("attempt", "slug", "holder", "silence_limit", "request")) {
            MongoStatements.with(let, name, BsonNull.VALUE);
        }
        FindOneAndUpdateOptions options = new FindOneAndUpdateOptions()
                .projection(MongoStatements.CLAIMED)
                .let(let);
        call.ask(apps -> apps.findOneAndUpdate(MongoStatements.NO_APP, MongoStatements.CLAIM, options));
        call.ask(apps ->
                apps.withReadConcern(STILL_PRIMARY).find(MongoStatements.NO_APP).first());
    }
}
