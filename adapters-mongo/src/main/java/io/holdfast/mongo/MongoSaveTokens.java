package io.holdfast.mongo;

import static io.holdfast.mongo.MongoRows.value;
import static io.holdfast.mongo.MongoStatements.let;
import static io.holdfast.mongo.MongoStatements.with;

import com.mongodb.MongoException;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Renewal;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.mongo.MongoCalls.Call;
import io.holdfast.save.Ending;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveTokenStore;
import io.holdfast.save.TokenDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Decides who saves. Each change is one of one document, and brings back what the document says after it. */
final class MongoSaveTokens implements SaveTokenStore {
    /** How many tokens are forgotten at a time. */
    static final int BATCH = 1_000;

    private final MongoCalls work;
    private final MongoRenewals<Reservation> renewals;

    MongoSaveTokens(MongoCalls work, MongoCalls beats) {
        this.work = work;
        this.renewals = new MongoRenewals<>(beats, "held", MongoSaveStatements.HOLD, hold -> key(hold.token()));
    }

    private static BsonValue key(TokenDigest token) {
        return new BsonBinary(token.bytes());
    }

    @Override
    public void issue(TokenDigest token, Duration validFor, IfInDoubt ifInDoubt) {
        BsonDocument which = MongoStatements.is(key(token));
        BsonDocument fresh = which.clone();
        fresh.putAll(MongoSaveStatements.FRESH);
        fresh.append("refuse", BsonBoolean.valueOf(ifInDoubt == IfInDoubt.REFUSE))
                .append("valid_for", MongoRows.micros(SaveTokenStore.validity(validFor)));
        Call call = work.begin();
        do {
            insert(call, fresh);
            // Not there any more: a clean-up has taken it for one that is over. It comes by once.
        } while (!date(call, which));
    }

    /** False if there is no such token; what fails now has left one behind. */
    private static boolean date(Call call, BsonDocument which) {
        try {
            return call.ask(tokens -> tokens.updateOne(which, MongoSaveStatements.DATE))
                            .getMatchedCount()
                    > 0;
        } catch (StoreUnavailable e) {
            throw new StoreUnavailable(
                    Effect.UNKNOWN, "the token is there, and maybe expired already: " + e.getMessage(), e);
        }
    }

    private static void insert(Call call, BsonDocument fresh) {
        try {
            call.ask(tokens -> tokens.insertOne(fresh));
        } catch (MongoException duplicate) {
            // the first terms stand
        }
    }

    @Override
    public ReserveOutcome reserve(ReserveRequest request) {
        BsonDocument let = let("attempt", value(request.attempt()));
        with(let, "payload", new BsonBinary(request.payload().bytes()));
        with(let, "holder", value(request.holder().label()));
        with(let, "silence_limit", MongoRows.micros(request.limit().value()));
        BsonDocument which = MongoStatements.is(key(request.token()));
        Call call = work.begin();
        while (true) {
            BsonDocument row = change(call, which, MongoSaveStatements.RESERVE, let);
            if (row == null && confirmed(call, which) == null) {
                return new Refusal.Unknown();
            }
            Optional<ReserveOutcome> outcome = Optional.ofNullable(row).flatMap(found -> outcome(request, found));
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
                .projection(MongoSaveStatements.TOKEN)
                .let(let);
        return call.ask(tokens -> tokens.findOneAndUpdate(which, change, options));
    }

    /**
     * What an answer says, in the order of S4; empty if it says nothing, because the hold that had been in the way fell silent
     * in the moment between the guard and the answer.
     */
    private static Optional<ReserveOutcome> outcome(ReserveRequest request, BsonDocument row) {
        if (!row.isNull("payload") && !new BsonBinary(request.payload().bytes()).equals(row.get("payload"))) {
            return Optional.of(new Refusal.OtherPayload());
        }
        if (!row.isNull("result")) {
            return Optional.of(new Refusal.Completed(result(row)));
        }
        if (value(request.attempt()).equals(row.get("attempt"))) {
            return Optional.of(hadBefore(request, row));
        }
        if (MongoRows.isHeld(row) && !MongoRows.isTakeable(row)) {
            return Optional.of(new Refusal.InProgress(MongoRows.holder(row)));
        }
        boolean expired =
                row.getInt64("over_at").getValue() <= row.getInt64("now").getValue();
        if (isInDoubt(row) && (expired || row.getBoolean("refuse").getValue())) {
            return Optional.of(new Refusal.InDoubt(MongoRows.holder(row)));
        }
        if (expired) {
            return Optional.of(new Refusal.Expired());
        }
        if (MongoRows.isExhausted(row)) {
            throw SaveTokenStore.fenceExhausted(request.token());
        }
        return Optional.empty();
    }

    /** Its holder is silent, or somebody was taken over who may have written, whether or not anybody has the token now. */
    private static boolean isInDoubt(BsonDocument row) {
        return MongoRows.isTakeable(row)
                && (MongoRows.isHeld(row) || (!row.isNull("taken_over") && row.isNull("result")));
    }

    /** This attempt has it, now or already before; or has had it. */
    private static ReserveOutcome hadBefore(ReserveRequest request, BsonDocument row) {
        if (!MongoRows.isHeld(row)) {
            return new ReserveOutcome.Over();
        }
        Optional<AttemptId> takenOver = MongoRows.idIfAny(row, "taken_over");
        return new ReserveOutcome.Reserved(
                new Reservation(request.token(), request.attempt(), MongoRows.fence(row)),
                MongoRows.remaining(row),
                takenOver);
    }

    private static SaveResult result(BsonDocument row) {
        return SaveResult.of(row.getBinary("result").getData());
    }

    @Override
    public Map<Reservation, Renewal> renew(Collection<Reservation> holds) {
        return renewals.renew(holds);
    }

    @Override
    public EndOutcome end(Reservation reservation, Ending ending) {
        return end(reservation.token(), value(reservation.attempt()), reservation.fence(), ending);
    }

    @Override
    public EndOutcome settle(TokenDigest token, Fence seen, Ending ending) {
        return end(token, BsonNull.VALUE, seen, ending);
    }

    /** Without an attempt it is an operator's word, and counts if there is a doubt. */
    private EndOutcome end(TokenDigest token, BsonValue attempt, Fence fence, Ending ending) {
        BsonDocument let = let("attempt", attempt);
        with(let, "fence", value(fence));
        with(let, "result", ending.<BsonValue>fold(saved -> new BsonBinary(saved.bytes()), notSaved -> BsonNull.VALUE));
        with(let, "saved", ending.fold(saved -> BsonBoolean.TRUE, notSaved -> BsonBoolean.FALSE));
        BsonDocument which = MongoStatements.is(key(token));
        Call call = work.begin();
        while (true) {
            BsonDocument after = change(call, which, MongoSaveStatements.END, let);
            if (after != null && names(attempt, fence, after) && !MongoRows.isHeld(after)) {
                return after.isNull("result") ? new Ending.NotSaved() : result(after);
            }
            BsonDocument now = confirmed(call, which);
            if (now == null || !isStillToBeEnded(attempt, fence, now)) {
                return new Lost(Optional.ofNullable(now).flatMap(MongoRows::incumbent));
            }
            call.pause(); // it was no loss, only a primary that was deposed
        }
    }

    /** Whether the last one that took it is the one that is meant. */
    private static boolean names(BsonValue attempt, Fence fence, BsonDocument row) {
        return value(fence).equals(row.get("fence")) && (attempt.isNull() || attempt.equals(row.get("attempt")));
    }

    /** Also if it was ended meanwhile: the next look says how. */
    private static boolean isStillToBeEnded(BsonValue attempt, Fence fence, BsonDocument row) {
        return names(attempt, fence, row) && !(attempt.isNull() && MongoRows.isHeld(row) && !MongoRows.isTakeable(row));
    }

    private static @Nullable BsonDocument confirmed(Call call, BsonDocument which) {
        return call.ask(tokens -> tokens.withReadConcern(MongoClaims.STILL_PRIMARY)
                .find(which)
                .projection(MongoSaveStatements.HOLD)
                .first());
    }

    @Override
    public int forget(Duration keep, int atMost) {
        SaveTokenStore.clearing(keep, atMost);
        BsonDocument let = let("keep", MongoRows.micros(keep));
        Call call = work.begin();
        int forgotten = 0;
        int found = BATCH;
        while (found == BATCH && forgotten < atMost) {
            List<BsonDocument> over = MongoSaveStatements.over(Math.min(BATCH, atMost - forgotten));
            try {
                List<BsonDocument> rows =
                        call.ask(tokens -> tokens.aggregate(over).let(let).into(new ArrayList<>()));
                found = rows.size();
                if (found > 0) {
                    forgotten += forget(call, rows);
                }
            } catch (StoreUnavailable e) {
                // What was forgotten before is gone, and the rest is the next call's.
                if (forgotten == 0) {
                    throw e;
                }
                return forgotten;
            }
        }
        return forgotten;
    }

    /** What is over stays over, and so the latest of these times is the bound for all: no clock is asked again. */
    private static int forget(Call call, List<BsonDocument> rows) {
        BsonArray tokens =
                new BsonArray(rows.stream().map(row -> row.get("_id")).toList());
        long latest = rows.stream()
                .mapToLong(row -> row.getInt64("over_at").getValue())
                .max()
                .orElseThrow();
        BsonDocument which = MongoSaveStatements.areOver(tokens, new BsonInt64(latest));
        return (int) call.ask(documents -> documents.deleteMany(which)).getDeletedCount();
    }

    /** Sends a reservation that finds no token, and a read as it tells a loss. */
    static void tryOut(Call call) {
        BsonDocument let = new BsonDocument();
        for (String name : List.of("attempt", "payload", "holder", "silence_limit")) {
            with(let, name, BsonNull.VALUE);
        }
        change(call, MongoStatements.NO_APP, MongoSaveStatements.RESERVE, let);
        confirmed(call, MongoStatements.NO_APP);
    }
}
