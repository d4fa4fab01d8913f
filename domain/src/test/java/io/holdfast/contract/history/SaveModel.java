package io.holdfast.contract.history;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Renewal;
import io.holdfast.save.Ending;
import io.holdfast.save.Fingerprint;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveOutcome.Over;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveTokenStore.EndOutcome;
import io.holdfast.save.SaveTokenStore.Lost;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A save token.
 *
 * @param ifInDoubt empty when it is forgotten
 * @param overAt when it can no longer be reserved, or when its result was told
 * @param takenOver the last one that had fallen silent, and may have written
 */
record SaveModel(
        Holding hold,
        Optional<IfInDoubt> ifInDoubt,
        Duration overAt,
        Optional<AttemptId> takenOver,
        Optional<Fingerprint> payload,
        Optional<SaveResult> result)
        implements Model<SaveModel> {
    static SaveModel issued(Duration validFor, IfInDoubt ifInDoubt) {
        return new SaveModel(
                Holding.NOBODYS,
                Optional.of(ifInDoubt),
                validFor,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    @Override
    public SaveModel after(Duration passed) {
        return with(hold.after(passed));
    }

    @Override
    public boolean endedAnothers(SaveModel before) {
        return hold.tookOver(before.hold);
    }

    /** In the order of S4. */
    Optional<SaveModel> reserve(ReserveRequest wish, Said<ReserveOutcome> said) {
        if (ifInDoubt.isEmpty()) {
            return said.is(new Refusal.Unknown(), this);
        }
        if (payload.isPresent() && !payload.get().equals(wish.payload())) {
            return said.is(new Refusal.OtherPayload(), this);
        }
        if (result.isPresent()) {
            return said.is(new Refusal.Completed(result.get()), this);
        }
        if (wish.attempt().equals(hold.attempt())) {
            return hold.held() ? reserved(with(hold.renewed()), said) : said.is(new Over(), this);
        }
        if (hold.held() && !hold.isTakeable()) {
            return said.as(Refusal.InProgress.class, this, (token, told) -> token.known(token.hold.by(told.by())));
        }
        boolean expired = overAt.compareTo(hold.now()) <= 0;
        if (isOpen() && (expired || ifInDoubt.get() == IfInDoubt.REFUSE)) {
            return said.as(Refusal.InDoubt.class, this, (token, told) -> token.known(token.hold.by(told.by())));
        }
        return expired ? said.is(new Refusal.Expired(), this) : reserved(taken(wish), said);
    }

    private SaveModel taken(ReserveRequest wish) {
        return new SaveModel(
                hold.taken(wish.attempt(), wish.holder(), wish.limit()),
                ifInDoubt,
                overAt,
                hold.held() ? Optional.of(hold.attempt()) : takenOver,
                Optional.of(wish.payload()),
                result);
    }

    private static Optional<SaveModel> reserved(SaveModel next, Said<ReserveOutcome> said) {
        return said.as(
                Reserved.class,
                next,
                (token, told) -> told.takenOverFrom().equals(token.takenOver)
                        ? token.known(token.hold.granted(told.reservation(), told.remaining()))
                        : Optional.empty());
    }

    /** Somebody has it, or may have written for it. */
    private boolean isOpen() {
        return hold.held() || (takenOver.isPresent() && result.isEmpty());
    }

    /** As {@link Holding#beaten}. */
    SaveModel beaten(AttemptId by) {
        return with(hold.beaten(by));
    }

    Optional<SaveModel> renew(Reservation reservation, Said<Map<Reservation, Renewal>> said) {
        return known(hold.renewal(reservation, said));
    }

    Optional<SaveModel> end(Reservation reservation, Ending ending, Said<EndOutcome> said) {
        Optional<SaveModel> mine = known(hold.named(reservation));
        if (mine.isPresent() && hold.held()) {
            SaveModel token = mine.get();
            return said.is(ending, ending.fold(token::completed, notSaved -> token.givenBack()));
        }
        return over(mine, said);
    }

    Optional<SaveModel> settle(Fence seen, Ending ending, Said<EndOutcome> said) {
        Optional<SaveModel> one = known(hold.named(seen));
        if (one.isPresent() && isOpen() && hold.isTakeable()) {
            SaveModel token = one.get();
            return said.is(
                    ending,
                    ending.fold(
                            token::completed, notSaved -> token.withoutDoubt().givenBack()));
        }
        return over(hold.held() ? Optional.empty() : one, said);
    }

    /** The ending that stands. */
    private Optional<SaveModel> over(Optional<SaveModel> ended, Said<EndOutcome> said) {
        return ended.isPresent()
                ? said.is(result.isPresent() ? result.get() : new Ending.NotSaved(), ended.get())
                : said.as(Lost.class, this, (token, told) -> token.known(token.hold.by(told.to())));
    }

    private SaveModel completed(SaveResult told) {
        return new SaveModel(hold.letGo(hold.freeAt()), ifInDoubt, hold.now(), takenOver, payload, Optional.of(told));
    }

    private SaveModel givenBack() {
        return new SaveModel(
                hold.letGo(hold.now()),
                ifInDoubt,
                overAt,
                takenOver,
                takenOver.isPresent() ? payload : Optional.empty(),
                result);
    }

    private SaveModel withoutDoubt() {
        return new SaveModel(hold, ifInDoubt, overAt, Optional.empty(), payload, result);
    }

    /** It may leave alone what is locked just now. */
    Optional<SaveModel> forget(Duration keep, Said<Integer> said) {
        boolean isOver = ifInDoubt.isPresent() && !isOpen() && overAt.plus(keep).compareTo(hold.now()) <= 0;
        if (!isOver || said.answer().equals(Optional.of(0))) {
            return said.is(0, this);
        }
        Holding gone = Holding.NOBODYS.after(hold.now());
        return said.is(
                1,
                new SaveModel(
                        gone, Optional.empty(), Duration.ZERO, Optional.empty(), Optional.empty(), Optional.empty()));
    }

    private SaveModel with(Holding next) {
        return new SaveModel(next, ifInDoubt, overAt, takenOver, payload, result);
    }

    private Optional<SaveModel> known(Optional<Holding> next) {
        return next.map(this::with);
    }
}
