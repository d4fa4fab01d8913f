package io.holdfast.contract.history;

import io.holdfast.AttemptId;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.SilenceLimit;
import io.holdfast.Succession;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.lease.LeaseOutcome.Over;
import io.holdfast.lease.LeaseOutcome.Taken;
import io.holdfast.lease.LeaseStore.Release;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A lease. */
record LeaseModel(Holding hold) implements Model<LeaseModel> {
    static final LeaseModel NEVER_USED = new LeaseModel(Holding.NOBODYS);

    /** What one attempt asks, as often as it asks. */
    record Wish(AttemptId attempt, Holder holder, SilenceLimit limit) {}

    @Override
    public LeaseModel after(Duration passed) {
        return new LeaseModel(hold.after(passed));
    }

    @Override
    public boolean endedAnothers(LeaseModel before) {
        return hold.tookOver(before.hold);
    }

    Optional<LeaseModel> acquire(Wish wish, Said<LeaseOutcome> said) {
        if (wish.attempt.equals(hold.attempt())) {
            return hold.held() ? acquired(hold.renewed(), said) : said.is(new Over(), this);
        }
        return hold.isTakeable()
                ? acquired(hold.taken(wish.attempt, wish.holder, wish.limit), said)
                : known(said.as(Taken.class, hold, (key, told) -> key.by(told.by())));
    }

    private static Optional<LeaseModel> acquired(Holding next, Said<LeaseOutcome> said) {
        return known(said.as(Acquired.class, next, (key, told) -> key.granted(told.lease(), told.remaining())));
    }

    /** As {@link Holding#beaten}. */
    LeaseModel beaten(AttemptId by) {
        return new LeaseModel(hold.beaten(by));
    }

    Optional<LeaseModel> renew(Lease lease, Said<Map<Lease, Renewal>> said) {
        return known(hold.renewal(lease, said));
    }

    /** The first minimum stands, and counts from the take (L3). */
    Optional<LeaseModel> release(Lease lease, Duration minimum, Said<Release> said) {
        Optional<Holding> mine = hold.named(lease);
        if (mine.isEmpty()) {
            return known(said.as(Release.Lost.class, hold, (key, told) -> key.by(told.to())));
        }
        Holding key = mine.get();
        Duration free = minimum.isZero() ? key.now() : key.since().plus(minimum);
        return said.is(new Release.Released(), new LeaseModel(key.held() ? key.letGo(free) : key));
    }

    Optional<LeaseModel> evict(Fence seen, Succession succession, Said<Eviction> said) {
        return known(hold.eviction(seen, succession, said));
    }

    Optional<LeaseModel> find(Said<Optional<Incumbent>> said) {
        return said.answer().isEmpty()
                ? Optional.of(this)
                : known(hold.by(said.answer().get()));
    }

    private static Optional<LeaseModel> known(Optional<Holding> hold) {
        return hold.map(LeaseModel::new);
    }
}
