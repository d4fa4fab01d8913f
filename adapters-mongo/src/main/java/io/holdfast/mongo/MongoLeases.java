package io.holdfast.mongo;

import static io.holdfast.mongo.MongoRows.value;
import static io.holdfast.mongo.MongoStatements.let;
import static io.holdfast.mongo.MongoStatements.with;

import com.mongodb.MongoException;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import io.holdfast.AttemptId;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.SilenceLimit;
import io.holdfast.Succession;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseStore;
import io.holdfast.mongo.MongoCalls.Call;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Decides who has a lease. Each change is one of one document, and brings back what the document says after it. */
final class MongoLeases implements LeaseStore {
    private final MongoCalls work;
    private final MongoRenewals<Lease> renewals;

    MongoLeases(MongoCalls work, MongoCalls beats) {
        this.work = work;
        this.renewals = new MongoRenewals<>(beats, "held", MongoLeaseStatements.HOLD, lease -> key(lease.name()));
    }

    private static BsonValue key(LeaseName name) {
        return value(name.value());
    }

    @Override
    public LeaseOutcome acquire(LeaseName name, AttemptId attempt, Holder holder, SilenceLimit limit) {
        BsonDocument let = let("attempt", value(attempt));
        with(let, "holder", value(holder.label()));
        with(let, "silence_limit", MongoRows.micros(limit.value()));
        Call call = work.begin();
        while (true) {
            BsonDocument row = change(call, MongoStatements.is(key(name)), MongoLeaseStatements.TAKE, let);
            if (row == null) {
                create(call, name);
                continue;
            }
            Optional<LeaseOutcome> outcome = outcome(name, attempt, row);
            if (outcome.isPresent()) {
                return outcome.get();
            }
            call.pause();
        }
    }

    /** Null if there is no such document. */
    private static @Nullable BsonDocument change(
            Call call, BsonDocument which, List<BsonDocument> change, BsonDocument let) {
        FindOneAndUpdateOptions options = new FindOneAndUpdateOptions()
                .returnDocument(ReturnDocument.AFTER)
                .projection(MongoLeaseStatements.HOLD)
                .let(let);
        return call.ask(leases -> leases.findOneAndUpdate(which, change, options));
    }

    /** Makes the document of a lease that is free, so that there is something to put a condition on. */
    private static void create(Call call, LeaseName name) {
        BsonDocument free = MongoStatements.is(key(name));
        free.putAll(MongoLeaseStatements.FREE);
        try {
            call.ask(leases -> leases.insertOne(free));
        } catch (MongoException duplicate) {
            // somebody else has made it
        }
    }

    /** Empty if the hold that had been in the way fell silent in the moment between the guard and the answer. */
    private static Optional<LeaseOutcome> outcome(LeaseName name, AttemptId attempt, BsonDocument row) {
        if (value(attempt).equals(row.get("attempt"))) {
            return Optional.of(
                    MongoRows.isHeld(row)
                            ? new LeaseOutcome.Acquired(
                                    new Lease(name, attempt, MongoRows.fence(row)), MongoRows.remaining(row))
                            : new LeaseOutcome.Over());
        }
        if (!MongoRows.isTakeable(row)) {
            return Optional.of(new LeaseOutcome.Taken(MongoRows.holder(row)));
        }
        if (MongoRows.isExhausted(row)) {
            throw LeaseStore.fenceExhausted(name);
        }
        return Optional.empty();
    }

    @Override
    public Map<Lease, Renewal> renew(Collection<Lease> holds) {
        return renewals.renew(holds);
    }

    @Override
    public Release release(Lease lease, Duration minimum) {
        BsonDocument let = let("attempt", value(lease.attempt()));
        with(let, "fence", value(lease.fence()));
        with(let, "minimum", MongoRows.micros(LeaseStore.checkedMinimum(minimum)));
        BsonDocument which = MongoStatements.is(key(lease.name()));
        Call call = work.begin();
        while (true) {
            Release release = outcome(lease, change(call, which, MongoLeaseStatements.RELEASE, let));
            if (release instanceof Release.Released) {
                return release;
            }
            BsonDocument now = confirmed(call, which);
            if (now == null || !MongoRows.isHeldBy(lease, now)) {
                return outcome(lease, now);
            }
            call.pause(); // it was no loss, only a primary that was deposed
        }
    }

    private static Release outcome(Lease lease, @Nullable BsonDocument row) {
        if (row == null) {
            return new Release.Lost(Optional.empty());
        }
        return MongoRows.isOf(lease, row) && !MongoRows.isHeld(row)
                ? new Release.Released()
                : new Release.Lost(MongoRows.incumbent(row));
    }

    private static @Nullable BsonDocument confirmed(Call call, BsonDocument which) {
        return call.ask(leases -> leases.withReadConcern(MongoClaims.STILL_PRIMARY)
                .find(which)
                .projection(MongoLeaseStatements.HOLD)
                .first());
    }

    @Override
    public Optional<Incumbent> find(LeaseName name) {
        BsonDocument which = MongoStatements.is(key(name));
        BsonDocument row = work.begin()
                .ask(leases ->
                        leases.find(which).projection(MongoLeaseStatements.HOLD).first());
        return Optional.ofNullable(row).flatMap(MongoRows::incumbent);
    }

    @Override
    public Eviction evict(LeaseName name, Fence seen, Succession succession) {
        BsonDocument let = let("at_once", BsonBoolean.valueOf(succession == Succession.AT_ONCE));
        Call call = work.begin();
        while (true) {
            BsonDocument after =
                    change(call, MongoStatements.at(key(name), value(seen)), MongoLeaseStatements.EVICT, let);
            if (after != null && !MongoRows.fence(after).equals(seen)) {
                return new Eviction.Evicted(MongoRows.fence(after), MongoRows.remaining(after));
            }
            BsonDocument now = confirmed(call, MongoStatements.is(key(name)));
            if (now == null || !MongoRows.isAsSeen(seen, now)) {
                call.failIfInDoubt();
                return new Eviction.Moved(Optional.ofNullable(now).flatMap(MongoRows::incumbent));
            }
            if (MongoRows.isExhausted(now)) {
                throw LeaseStore.fenceExhausted(name);
            }
            call.pause(); // as in a release
        }
    }

    /** Sends an acquire that finds no lease, and a read as it tells a loss. */
    static void tryOut(Call call) {
        BsonDocument let = new BsonDocument();
        for (String name : List.of("attempt", "holder", "silence_limit")) {
            with(let, name, BsonNull.VALUE);
        }
        change(call, MongoStatements.NO_APP, MongoLeaseStatements.TAKE, let);
        confirmed(call, MongoStatements.NO_APP);
    }
}
