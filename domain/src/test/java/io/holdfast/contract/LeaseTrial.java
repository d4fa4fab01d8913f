package io.holdfast.contract;

import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;

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
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.lease.LeaseOutcome.Over;
import io.holdfast.lease.LeaseOutcome.Taken;
import io.holdfast.lease.LeaseStore;
import io.holdfast.lease.LeaseStore.Release;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One lease under test, new to the store, and what its owners do; in the words of {@link Trial}.
 *
 * @param leases the store's, maybe reached in another way: with other settings, or over a bad network
 */
record LeaseTrial(LeaseSubject store, LeaseStore leases, LeaseName name) implements Rally.Prize<Lease> {
    LeaseTrial(LeaseSubject store, LeaseName name) {
        this(store, store.leases(), name);
    }

    /** What an owner wishes; the same one again is a repeat. */
    record Wish(AttemptId attempt, String holder, Duration limit) {
        Wish within(Duration other) {
            return new Wish(attempt, holder, other);
        }
    }

    static LeaseTrial on(LeaseSubject store) {
        return new LeaseTrial(store, newName());
    }

    static LeaseName newName() {
        return LeaseName.of("lease-" + UUID.randomUUID());
    }

    // What an owner asks.

    static Wish wish(String holder) {
        return new Wish(AttemptId.random(), holder, Trial.LIMIT);
    }

    LeaseOutcome ask(Wish wish) {
        return leases.acquire(name, wish.attempt, new Holder(wish.holder), SilenceLimit.of(wish.limit));
    }

    LeaseOutcome ask(String holder) {
        return ask(wish(holder));
    }

    @Nullable
    Renewal renew(Lease lease) {
        return leases.renew(List.of(lease)).get(lease);
    }

    Release release(Lease lease, Duration minimum) {
        return leases.release(lease, minimum);
    }

    Eviction evict(Fence seen, Succession succession) {
        return leases.evict(name, seen, succession);
    }

    Optional<Incumbent> find() {
        return leases.find(name);
    }

    // What it must be told.

    Acquired toldAcquired(Wish wish) {
        return only(Acquired.class, ask(wish));
    }

    Lease takenBy(Wish wish) {
        return toldAcquired(wish).lease();
    }

    Lease takenBy(String holder) {
        return takenBy(wish(holder));
    }

    Incumbent toldTaken(Wish wish) {
        return only(Taken.class, ask(wish)).by();
    }

    Incumbent toldTaken(String holder) {
        return toldTaken(wish(holder));
    }

    void toldOver(Wish wish) {
        String before = dump();
        only(Over.class, ask(wish));
        assertThat(dump()).isEqualTo(before);
    }

    Duration toldHeld(Lease lease) {
        return only(Renewal.Held.class, renew(lease)).remaining();
    }

    /** Asserts that it is let go, by this release or by the one before. */
    void letGo(Lease lease, Duration minimum) {
        assertThat(release(lease, minimum)).isEqualTo(new Release.Released());
    }

    void letGo(Lease lease) {
        letGo(lease, Duration.ZERO);
    }

    /** Takes it and lets it go. */
    Lease hadBy(String holder) {
        Lease lease = takenBy(holder);
        letGo(lease);
        return lease;
    }

    Eviction.Evicted evicted(Fence seen, Succession succession) {
        return only(Eviction.Evicted.class, evict(seen, succession));
    }

    /** Asserts that the lease can neither be renewed nor be released, because {@code by} holds it; nothing is changed. */
    void toldLostTo(Lease by, Lease lease) {
        for (Optional<Incumbent> to : toldLost(lease)) {
            assertThat(to).as("to whom it was lost").hasValueSatisfying(incumbent -> Trial.assertIs(by, incumbent));
        }
    }

    /** Asserts that the lease can neither be renewed nor be released, and that nobody holds; nothing is changed. */
    void toldLostToNobody(Lease lease) {
        assertThat(toldLost(lease)).containsOnly(Optional.empty());
    }

    /** To whom a renewal lost it, and a release. */
    List<Optional<Incumbent>> toldLost(Lease lease) {
        String before = dump();
        List<Optional<Incumbent>> to = List.of(
                only(Renewal.Lost.class, renew(lease)).to(),
                only(Release.Lost.class, release(lease, Trial.A_MINUTE)).to());
        assertThat(dump()).isEqualTo(before);
        return to;
    }

    // What can be read.

    String dump() {
        return store.dump(name);
    }

    /** As {@link Trial#passClock}. */
    void passClock(Fence fence) {
        for (int i = 0; i < 1_000; i++) {
            if (on(store).takenBy("clock").fence().compareTo(fence) > 0) {
                return;
            }
        }
        throw new AssertionError("the database's clock does not pass fence " + fence);
    }

    // A rally.

    @Override
    public <R> R take(
            String owner, Function<? super Lease, ? extends R> won, Function<? super Incumbent, ? extends R> told) {
        return ask(owner).fold(acquired -> won.apply(acquired.lease()), taken -> told.apply(taken.by()), over -> {
            throw new AssertionError("a new attempt is not over");
        });
    }

    @Override
    public void giveBack(Lease lease) {
        letGo(lease);
    }
}
