package io.holdfast.mongo;

import static io.holdfast.mongo.MongoRows.value;
import static io.holdfast.mongo.MongoStatements.let;
import static io.holdfast.mongo.MongoStatements.with;

import com.mongodb.MongoException;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReturnDocument;
import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.mongo.MongoCalls.Call;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.LiftOutcome;
import io.holdfast.sanction.ReplaceOutcome;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.sanction.Terms;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Decides who is sanctioned. Each change is one of one document, and brings back what the document says after it. */
final class MongoSanctions implements SanctionStore {
    private final MongoCalls calls;

    MongoSanctions(MongoCalls calls) {
        this.calls = calls;
    }

    @Override
    public ImposeOutcome impose(AttemptId id, Terms terms) {
        Call call = calls.begin();
        BsonDocument let = wish(id, terms);
        boolean created = false;
        while (true) {
            Optional<ImposeOutcome> outcome;
            try {
                BsonDocument document = change(call, terms.account(), MongoSanctionStatements.IMPOSE, let);
                if (document == null) {
                    created |= create(call, terms.account());
                    continue;
                }
                outcome = Truth.of(terms.account(), id, document).imposing();
            } catch (MongoException duplicate) {
                refuseAnothers(call, id, terms.account(), created);
                outcome = Optional.empty();
            }
            if (outcome.isPresent()) {
                return outcome.get();
            }
            call.pause();
        }
    }

    @Override
    public ReplaceOutcome replace(AttemptId seen, AttemptId id, Terms terms) {
        Call call = calls.begin();
        BsonDocument let = with(wish(id, terms), "seen", value(seen));
        while (true) {
            Optional<ReplaceOutcome> outcome;
            try {
                BsonDocument document = change(call, terms.account(), MongoSanctionStatements.REPLACE, let);
                if (document == null && !isKnown(call, terms.account())) {
                    return new ReplaceOutcome.NoneActive();
                }
                outcome = Optional.ofNullable(document)
                        .flatMap(found -> Truth.of(terms.account(), id, found).replacing(seen));
            } catch (MongoException duplicate) {
                refuseAnothers(call, id, terms.account(), false);
                outcome = Optional.empty();
            }
            if (outcome.isPresent()) {
                return outcome.get();
            }
            call.pause();
        }
    }

    @Override
    public LiftOutcome lift(Account account, AttemptId seen, Holder by) {
        Call call = calls.begin();
        BsonDocument let = with(let("id", value(seen)), "by", value(by.label()));
        while (true) {
            BsonDocument document = change(call, account, MongoSanctionStatements.LIFT, let);
            if (document == null && !isKnown(call, account)) {
                return new LiftOutcome.Missed(Optional.empty());
            }
            Optional<LiftOutcome> outcome = Optional.ofNullable(document)
                    .flatMap(found -> Truth.of(account, seen, found).lifting());
            if (outcome.isPresent()) {
                return outcome.get();
            }
            call.pause();
        }
    }

    private static BsonDocument wish(AttemptId id, Terms terms) {
        BsonDocument let = let("id", value(id));
        with(let, "reason", value(terms.reason()));
        with(let, "by", value(terms.by().label()));
        return with(let, "lasting", terms.lasting().map(MongoRows::micros).orElse(BsonNull.VALUE));
    }

    /** Null if there is no such account. */
    private static @Nullable BsonDocument change(
            Call call, Account account, List<BsonDocument> change, BsonDocument let) {
        FindOneAndUpdateOptions options = new FindOneAndUpdateOptions()
                .returnDocument(ReturnDocument.AFTER)
                .projection(MongoSanctionStatements.TRUTH)
                .let(let);
        return call.ask(
                accounts -> accounts.findOneAndUpdate(MongoStatements.is(value(account.value())), change, options));
    }

    /** No primary that was deposed may tell that there is nothing to be ended (decision 0032). */
    private static boolean isKnown(Call call, Account account) {
        return confirmed(call, MongoStatements.is(value(account.value()))) != null;
    }

    private static @Nullable BsonDocument confirmed(Call call, BsonDocument which) {
        return call.ask(accounts -> accounts.withReadConcern(MongoClaims.STILL_PRIMARY)
                .find(which)
                .projection(Projections.include("_id"))
                .first());
    }

    /** Makes the document of an account that is free, so that there is something to put a condition on. */
    private static boolean create(Call call, Account account) {
        try {
            call.ask(accounts -> accounts.insertOne(MongoSanctionStatements.free(value(account.value()))));
            return true;
        } catch (MongoException duplicate) {
            return false; // somebody else has made it
        }
    }

    /** The unique index of the ids has refused it: unless that other account has let go of it meanwhile, for good. */
    private static void refuseAnothers(Call call, AttemptId id, Account account, boolean created) {
        BsonDocument rival = MongoSanctionStatements.rival(value(account.value()), value(id));
        if (call.ask(accounts -> accounts.find(rival).first()) == null) {
            return;
        }
        if (created) {
            call.ask(accounts -> accounts.deleteOne(MongoSanctionStatements.free(value(account.value()))));
        }
        throw SanctionStore.ofAnotherAccount(id);
    }

    @Override
    public Optional<Sanction> active(Account account) {
        return newest(account, 1).stream().filter(MongoSanctions::isActive).findFirst();
    }

    @Override
    public List<Sanction> history(Account account, int atMost) {
        return newest(account, SanctionStore.atLeastOne(atMost));
    }

    private List<Sanction> newest(Account account, int atMost) {
        BsonDocument document = calls.begin()
                .ask(accounts -> accounts.find(MongoStatements.is(value(account.value())))
                        .projection(MongoSanctionStatements.newest(atMost))
                        .first());
        return document == null ? List.of() : sanctions(account, document);
    }

    /**
     * What the account's document says after a change, or instead of one. Each answer is empty if it says nothing, because what
     * had been in the way ran out between the guard and the answer.
     *
     * @param own what has the id that was asked about
     * @param active what the account has, if its time is not over
     */
    private record Truth(Optional<Sanction> own, Optional<Sanction> active) {
        static Truth of(Account account, AttemptId id, BsonDocument document) {
            List<Sanction> sanctions = sanctions(account, document);
            return new Truth(
                    sanctions.stream()
                            .filter(sanction -> sanction.id().equals(id))
                            .findFirst(),
                    sanctions.stream().filter(MongoSanctions::isActive).findFirst());
        }

        Optional<ImposeOutcome> imposing() {
            return own.isPresent() ? own.map(Truth::repeated) : active.map(ImposeOutcome.Another::new);
        }

        Optional<ReplaceOutcome> replacing(AttemptId seen) {
            if (own.isPresent()) {
                return own.map(Truth::repeated)
                        .map(outcome -> outcome.fold(imposed -> imposed, another -> another, over -> over));
            }
            if (active.isEmpty()) {
                return Optional.of(new ReplaceOutcome.NoneActive());
            }
            return active.filter(standing -> !standing.id().equals(seen)).map(ImposeOutcome.Another::new);
        }

        Optional<LiftOutcome> lifting() {
            if (own.filter(MongoSanctions::isActive).isPresent()) {
                return Optional.empty();
            }
            return Optional.of(
                    own.isPresent() && active.isEmpty()
                            ? new ImposeOutcome.Over(own.get())
                            : new LiftOutcome.Missed(active));
        }

        private static ImposeOutcome repeated(Sanction own) {
            return isActive(own) ? new ImposeOutcome.Imposed(own) : new ImposeOutcome.Over(own);
        }
    }

    private static boolean isActive(Sanction sanction) {
        return sanction.state() instanceof Sanction.Active;
    }

    private static List<Sanction> sanctions(Account account, BsonDocument document) {
        return document.getArray("sanctions").stream()
                .map(BsonValue::asDocument)
                .map(entry -> sanction(account, document, entry))
                .toList();
    }

    private static Sanction sanction(Account account, BsonDocument document, BsonDocument entry) {
        Terms terms = new Terms(
                account,
                MongoRows.text(entry, "reason"),
                new Holder(MongoRows.text(entry, "by")),
                until(entry, entry, "since"));
        return new Sanction(
                MongoRows.id(entry, "id"), terms, MongoRows.instant(entry, "since"), state(document, entry));
    }

    private static Sanction.State state(BsonDocument document, BsonDocument entry) {
        String state = MongoRows.text(entry, "state");
        return switch (state) {
            case "active" -> {
                // Until the next one is imposed, nobody has written down that its time is over.
                Optional<Duration> endsIn = until(entry, document, "now");
                yield endsIn.filter(left -> left.isNegative() || left.isZero()).isPresent()
                        ? new Sanction.RanOut()
                        : new Sanction.Active(endsIn);
            }
            case "lifted" ->
                new Sanction.Lifted(
                        new Holder(MongoRows.text(entry, "lifted_by")), MongoRows.instant(entry, "lifted_at"));
            case "replaced" -> new Sanction.Replaced(MongoRows.id(entry, "replaced_by"));
            case "ran_out" -> new Sanction.RanOut();
            default -> throw new IllegalStateException("sanction is in no state that this version knows: " + state);
        };
    }

    /** From then until it ends by itself; empty if it does not. */
    private static Optional<Duration> until(BsonDocument entry, BsonDocument row, String from) {
        return entry.isNull("ends_at")
                ? Optional.empty()
                : Optional.of(Duration.of(
                        entry.getInt64("ends_at").getValue()
                                - row.getInt64(from).getValue(),
                        ChronoUnit.MICROS));
    }

    /** Sends an imposing that finds no account, and a read as it confirms that. */
    static void tryOut(Call call) {
        BsonDocument let = new BsonDocument();
        for (String name : List.of("id", "reason", "by", "lasting")) {
            with(let, name, BsonNull.VALUE);
        }
        FindOneAndUpdateOptions options = new FindOneAndUpdateOptions()
                .projection(MongoSanctionStatements.TRUTH)
                .let(let);
        call.ask(accounts ->
                accounts.findOneAndUpdate(MongoSanctionStatements.NO_ACCOUNT, MongoSanctionStatements.IMPOSE, options));
        confirmed(call, MongoSanctionStatements.NO_ACCOUNT);
    }
}
