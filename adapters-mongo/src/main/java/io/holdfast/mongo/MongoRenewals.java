package io.holdfast.mongo;

import static io.holdfast.mongo.MongoStatements.let;

import com.mongodb.client.model.UpdateOptions;
import io.holdfast.Hold;
import io.holdfast.Renewal;
import io.holdfast.StoreUnavailable;
import io.holdfast.mongo.MongoCalls.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Renews holds of any kind, many at once (G14). Thread-safe. */
final class MongoRenewals<H extends Hold> {
    /**
     * How many holds are renewed at a time: first so few that comparing each document with each hold takes no time that
     * matters, and less for what was passed over. Who is alone from the start is tried as often as there are sizes.
     */
    private static final List<Integer> PARTS = List.of(512, 64, 8, 1);

    static final Duration TOO_SHORT_TO_WAIT = Duration.ofMillis(10);

    private final MongoCalls beats;
    private final String isHeld;
    private final BsonDocument answer;
    private final Function<? super H, BsonValue> key;

    /**
     * @param isHeld the field that says whether somebody holds
     * @param answer as {@link MongoStatements#HOLD}
     * @param key by which the document of a hold is found
     */
    MongoRenewals(MongoCalls beats, String isHeld, BsonDocument answer, Function<? super H, BsonValue> key) {
        this.beats = beats;
        this.isHeld = isHeld;
        this.answer = answer;
        this.key = key;
    }

    Map<H, Renewal> renew(Collection<H> holds) {
        Map<H, Renewal> words = new HashMap<>();
        List<H> waiting = new ArrayList<>(new HashSet<>(holds));
        // In another order each time: who stood behind the locked ones in this beat does not do so in the next.
        Collections.shuffle(waiting);
        Call call = beats.begin();
        try {
            for (int most : PARTS) {
                waiting = renewInParts(call, most, waiting, words);
            }
            if (words.isEmpty() && !waiting.isEmpty()) {
                readNothing(call);
            }
        } catch (StoreUnavailable e) {
            if (words.isEmpty()) {
                throw e;
            }
            // those that had no word yet have none
        }
        return words;
    }

    /**
     * Renews so many at a time, and returns those that took too long. There is no SKIP LOCKED here: a document that a stranger
     * has locked keeps its whole part waiting, and so the parts get smaller until each such document waits alone (E4).
     */
    private List<H> renewInParts(Call call, int most, List<H> holds, Map<H, Renewal> words) {
        List<H> passedOver = new ArrayList<>();
        for (int i = 0; i < holds.size(); i += most) {
            List<H> part = holds.subList(i, Math.min(i + most, holds.size()));
            if (isRenewed(call, part)) {
                words.putAll(tell(call, part));
            } else {
                passedOver.addAll(part);
            }
        }
        return passedOver;
    }

    /** False if it took too long, or there is no time for it. A renewal that comes late does no harm. */
    private boolean isRenewed(Call call, List<H> holds) {
        // Of what is left, so that there is always something left for the next ones.
        Duration atMost = call.left().dividedBy(10);
        if (atMost.compareTo(TOO_SHORT_TO_WAIT) < 0) {
            return false;
        }
        BsonArray all = new BsonArray(holds.stream()
                .map(hold -> MongoRows.hold(key.apply(hold), hold))
                .toList());
        UpdateOptions options = new UpdateOptions().let(let("holds", all));
        return call.isDoneWithin(
                atMost,
                rows -> rows.updateMany(MongoStatements.held(keys(holds), isHeld), MongoStatements.RENEW, options));
    }

    /** Tells locked documents, which are no word, from a server that says nothing at all, which is a failure. */
    private static void readNothing(Call call) {
        call.ask(rows -> rows.find(MongoStatements.NO_APP).first());
    }

    private Map<H, Renewal> tell(Call call, List<H> holds) {
        BsonDocument which = MongoStatements.are(keys(holds));
        Map<BsonValue, BsonDocument> found = new HashMap<>();
        for (BsonDocument row : call.ask(rows -> rows.withReadConcern(MongoClaims.STILL_PRIMARY)
                .find(which)
                .projection(answer)
                .batchSize(holds.size()) // or a part of them takes another round trip
                .into(new ArrayList<>()))) {
            found.put(row.get("_id"), row);
        }
        Map<H, Renewal> words = new HashMap<>();
        for (H hold : holds) {
            BsonDocument row = found.get(key.apply(hold));
            words.put(hold, row == null ? new Renewal.Lost(Optional.empty()) : word(hold, row));
        }
        return words;
    }

    private static Renewal word(Hold hold, BsonDocument row) {
        return MongoRows.isHeldBy(hold, row)
                ? new Renewal.Held(MongoRows.remaining(row))
                : new Renewal.Lost(MongoRows.incumbent(row));
    }

    private BsonArray keys(List<H> holds) {
        return new BsonArray(holds.stream().map(key).toList());
    }
}
