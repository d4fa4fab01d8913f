package io.holdfast.mongo;

import static io.holdfast.mongo.MongoStatements.let;
import static io.holdfast.mongo.MongoStatements.with;

import com.mongodb.MongoException;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import io.holdfast.AttemptId;
import io.holdfast.StoreUnavailable;
import io.holdfast.mongo.MongoCalls.Call;
import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.refresh.RotateOutcome;
import io.holdfast.refresh.RotateOutcome.Refused;
import io.holdfast.refresh.RotateOutcome.Replayed;
import io.holdfast.refresh.RotateOutcome.Reused;
import io.holdfast.refresh.RotateOutcome.Rotated;
import io.holdfast.refresh.RotateOutcome.Why;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.UuidRepresentation;
import org.jspecify.annotations.Nullable;

/** Families of refresh tokens: each rotation and each revocation is one change of one document. */
final class MongoRefreshTokens implements RefreshTokenStore {
    /** How many families are forgotten at a time. */
    private static final int BATCH = 1_000;

    private final MongoCalls work;

    MongoRefreshTokens(MongoCalls work) {
        this.work = work;
    }

    private static BsonValue key(FamilyId family) {
        return new BsonBinary(family.value(), UuidRepresentation.STANDARD);
    }

    @Override
    public void open(FamilyId family, FamilyTerms terms) {
        BsonDocument let = let("family_valid", MongoRows.micros(terms.familyValid()));
        with(let, "token_valid", MongoRows.micros(terms.tokenValid()));
        with(let, "grace", MongoRows.micros(terms.grace()));
        Call call = work.begin();
        do {
            create(call, family);
        } while (!isOpened(call, family, let));
    }

    private static void create(Call call, FamilyId family) {
        BsonDocument unopened = MongoStatements.is(key(family));
        unopened.putAll(MongoRefreshStatements.UNOPENED);
        try {
            call.ask(families -> families.insertOne(unopened));
        } catch (MongoException duplicate) {
            // somebody else has made it, or has opened it long ago
        }
    }

    /** False if it is gone: what is not opened yet may be forgotten. */
    private static boolean isOpened(Call call, FamilyId family, BsonDocument let) {
        return call.ask(families -> families.updateOne(
                                MongoStatements.is(key(family)),
                                MongoRefreshStatements.OPEN,
                                new UpdateOptions().let(let))
                        .getMatchedCount())
                > 0;
    }

    @Override
    public RotateOutcome<Generation> rotate(Generation presented) {
        Generation successor = presented.next();
        BsonValue turn = MongoRows.value(AttemptId.random());
        BsonDocument let = let("presented", new BsonInt64(presented.number()));
        with(let, "turn", turn);
        BsonDocument which = MongoStatements.is(key(presented.family()));
        Call call = work.begin();
        while (true) {
            BsonDocument row = change(call, which, let);
            if (row == null && confirmed(call, which) == null) {
                return new Refused<>(Why.UNKNOWN);
            }
            Optional<RotateOutcome<Generation>> outcome =
                    Optional.ofNullable(row).flatMap(found -> outcome(successor, turn, found));
            if (outcome.isPresent()) {
                return outcome.get();
            }
            call.pause();
        }
    }

    /** Null if there is no such family. */
    private static @Nullable BsonDocument change(Call call, BsonDocument which, BsonDocument let) {
        FindOneAndUpdateOptions options = new FindOneAndUpdateOptions()
                .returnDocument(ReturnDocument.AFTER)
                .projection(MongoRefreshStatements.ROTATED)
                .let(let);
        return call.ask(families -> families.findOneAndUpdate(which, MongoRefreshStatements.ROTATE, options));
    }

    /** No primary that was deposed may end a session that it has not heard of yet (decision 0032). */
    private static @Nullable BsonDocument confirmed(Call call, BsonDocument which) {
        return call.ask(families ->
                families.withReadConcern(MongoClaims.STILL_PRIMARY).find(which).first());
    }

    /** Empty if it had been good for something else a moment before: now it would be rotated, or revoked. */
    private static Optional<RotateOutcome<Generation>> outcome(Generation successor, BsonValue turn, BsonDocument row) {
        if (turn.equals(row.get("turn"))) {
            return Optional.of(
                    row.getInt64("revoked_at").getValue() == 0
                            ? new Rotated<>(successor)
                            : new Reused<>(successor.family()));
        }
        String verdict = row.getString("verdict").getValue();
        return switch (verdict) {
            case "rotated", "reused" -> Optional.empty();
            case "replayed" -> Optional.of(new Replayed<>(successor));
            default -> Optional.of(new Refused<>(Why.valueOf(verdict)));
        };
    }

    @Override
    public void revoke(FamilyId family) {
        work.begin()
                .ask(families -> families.updateOne(MongoStatements.is(key(family)), MongoRefreshStatements.REVOKE));
    }

    @Override
    public int forget(Duration keep, int atMost) {
        BsonDocument let = let("keep", MongoRows.micros(RefreshTokenStore.kept(keep, atMost)));
        Call call = work.begin();
        int forgotten = 0;
        int found = BATCH;
        try {
            while (found == BATCH && forgotten < atMost) {
                List<BsonDocument> oldest = MongoRefreshStatements.over(Math.min(BATCH, atMost - forgotten));
                List<BsonDocument> over =
                        call.ask(families -> families.aggregate(oldest).let(let).into(new ArrayList<>()));
                found = over.size();
                if (found > 0) {
                    forgotten += forget(call, over);
                }
            }
        } catch (StoreUnavailable e) {
            if (forgotten == 0) {
                throw e;
            }
            // what was forgotten is told; the next one goes on from there
        }
        return forgotten;
    }

    private static int forget(Call call, List<BsonDocument> over) {
        BsonArray ids =
                new BsonArray(over.stream().map(family -> family.get("_id")).toList());
        BsonValue last = over.get(over.size() - 1).getInt64("expires_at");
        return (int) call.ask(families -> families.deleteMany(MongoRefreshStatements.over(ids, last)))
                .getDeletedCount();
    }

    /** Sends what a rotation consists of, about no family at all, and a read as it confirms that. */
    static void tryOut(Call call) {
        BsonDocument let = let("presented", BsonNull.VALUE);
        with(let, "turn", BsonNull.VALUE);
        change(call, MongoRefreshStatements.NO_FAMILY, let);
        confirmed(call, MongoRefreshStatements.NO_FAMILY);
    }
}
