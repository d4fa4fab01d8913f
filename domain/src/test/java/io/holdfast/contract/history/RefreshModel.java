package io.holdfast.contract.history;

import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RotateOutcome;
import io.holdfast.refresh.RotateOutcome.Refused;
import io.holdfast.refresh.RotateOutcome.Replayed;
import io.holdfast.refresh.RotateOutcome.Reused;
import io.holdfast.refresh.RotateOutcome.Rotated;
import io.holdfast.refresh.RotateOutcome.Why;
import java.time.Duration;
import java.util.Optional;

/**
 * A family of refresh tokens. Moments are those of the model's clock.
 *
 * @param terms empty when it is forgotten
 * @param generation the number of the current one
 * @param born when that was born, which is when the one before it was used
 * @param bornBefore when the one before it was born
 */
record RefreshModel(
        Duration now,
        Optional<FamilyTerms> terms,
        long generation,
        Duration opened,
        Duration born,
        Duration bornBefore,
        boolean revoked)
        implements Model<RefreshModel> {
    static RefreshModel opened(FamilyTerms terms) {
        return new RefreshModel(
                Duration.ZERO, Optional.of(terms), 1, Duration.ZERO, Duration.ZERO, Duration.ZERO, false);
    }

    @Override
    public RefreshModel after(Duration passed) {
        return new RefreshModel(now.plus(passed), terms, generation, opened, born, bornBefore, revoked);
    }

    @Override
    public boolean endedAnothers(RefreshModel before) {
        return revoked && !before.revoked;
    }

    Optional<RefreshModel> revoke() {
        return Optional.of(terms.isPresent() ? ended() : this);
    }

    private RefreshModel ended() {
        return new RefreshModel(now, terms, generation, opened, born, bornBefore, true);
    }

    /** In the order of the port. */
    Optional<RefreshModel> rotate(Generation presented, Said<RotateOutcome<Generation>> said) {
        if (terms.isEmpty()) {
            return said.is(new Refused<>(Why.UNKNOWN), this);
        }
        if (revoked) {
            return said.is(new Refused<>(Why.REVOKED), this);
        }
        FamilyTerms good = terms.get();
        long number = presented.number();
        if (isOver(opened, good.familyValid()) || (number == generation && isOver(born, good.tokenValid()))) {
            return said.is(new Refused<>(Why.EXPIRED), this);
        }
        if (number >= generation) {
            // Of one that the row did not know nobody knows when it was born.
            Duration bornOfPresented = number == generation ? born : now;
            return said.is(
                    new Rotated<>(presented.next()),
                    new RefreshModel(now, terms, number + 1, opened, now, bornOfPresented, false));
        }
        if (number == generation - 1 && !isOver(born, good.grace())) {
            return said.is(new Replayed<>(presented.next()), this);
        }
        if (number == generation - 2 && !isOver(bornBefore, good.grace())) {
            return said.is(new Refused<>(Why.OVERTAKEN), this);
        }
        return said.is(new Reused<>(presented.family()), ended());
    }

    /** It may leave alone what is locked just now. */
    Optional<RefreshModel> forget(Duration keep, Said<Integer> said) {
        boolean isOver =
                terms.isPresent() && isOver(opened, terms.get().familyValid().plus(keep));
        if (!isOver || said.answer().equals(Optional.of(0))) {
            return said.is(0, this);
        }
        return said.is(1, new RefreshModel(now, Optional.empty(), generation, opened, born, bornBefore, revoked));
    }

    private boolean isOver(Duration since, Duration time) {
        return since.plus(time).compareTo(now) <= 0;
    }
}
