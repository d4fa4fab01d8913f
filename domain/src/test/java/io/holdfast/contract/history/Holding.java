package io.holdfast.contract.history;

import io.holdfast.AttemptId;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Hold;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.SilenceLimit;
import io.holdfast.Succession;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What a claim, a lease and a reservation have in common: who has the key, or had it last. Moments are those of the model's
 * clock.
 *
 * @param since when it was taken
 * @param beat the last sign of life
 * @param freeAt from when on others may take it, held or not
 */
record Holding(
        Duration now,
        AttemptId attempt,
        Holder holder,
        Duration limit,
        FenceSought fence,
        boolean held,
        Duration since,
        Duration beat,
        Duration freeAt) {
    /** Of a key that nobody has had. */
    static final Holding NOBODYS = new Holding(
            Duration.ZERO,
            new AttemptId(new UUID(0, 0)),
            new Holder("nobody"),
            Duration.ZERO,
            FenceSought.NONE,
            false,
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO);

    /** More than a history takes, and less than any time is ever away from its end. */
    private static final Duration WHILE = Duration.ofMinutes(10);

    // What becomes of it.

    Holding after(Duration passed) {
        return new Holding(now.plus(passed), attempt, holder, limit, fence, held, since, beat, freeAt);
    }

    Holding taken(AttemptId by, Holder label, SilenceLimit itsLimit) {
        Duration value = itsLimit.value();
        return new Holding(now, by, label, value, fence.next(), true, now, now, now.plus(value));
    }

    /** Nobody else may take it for the whole limit, or for what was left before (G7). */
    Holding renewed() {
        return new Holding(now, attempt, holder, limit, fence, held, since, now, later(freeAt, now.plus(limit)));
    }

    /**
     * A sign of life, if this attempt holds it. Where renewing takes one request and telling of it another, it may have come
     * in time, and the holder be told that the hold has ended since, or have no word.
     */
    Holding beaten(AttemptId by) {
        return held && attempt.equals(by) ? renewed() : this;
    }

    Holding letGo(Duration free) {
        return new Holding(now, attempt, holder, limit, fence, false, since, beat, free);
    }

    /** The fence is moved on (G15). */
    Holding evicted(Succession succession) {
        return ended(succession == Succession.AT_ONCE ? now : freeAt);
    }

    Holding ended(Duration free) {
        return new Holding(now, attempt, holder, limit, fence.next(), false, since, beat, free);
    }

    private Holding under(FenceSought named) {
        return new Holding(now, attempt, holder, limit, named, held, since, beat, freeAt);
    }

    // What it is.

    boolean isTakeable() {
        return freeAt.compareTo(now) <= 0;
    }

    boolean tookOver(Holding before) {
        return before.held && held && !before.attempt.equals(attempt);
    }

    private Duration remaining() {
        return isTakeable() ? Duration.ZERO : freeAt.minus(now);
    }

    // What is told of it: each gives it as it is known from then on, or nothing if it is not told so.

    Optional<Holding> named(Fence seen) {
        return fence.named(seen).map(this::under);
    }

    /** Key, attempt and fence (G6), held or not. */
    Optional<Holding> named(Hold hold) {
        return attempt.equals(hold.attempt()) ? named(hold.fence()) : Optional.empty();
    }

    Optional<Holding> granted(Hold hold, Duration told) {
        return isAtLeast(told) ? named(hold) : Optional.empty();
    }

    Optional<Holding> by(Incumbent told) {
        return told.attempt().equals(attempt)
                        && told.holder().equals(holder)
                        && isNearly(told.silentFor(), now.minus(beat))
                        && isNearly(told.takeableIn(), remaining())
                ? named(told.fence())
                : Optional.empty();
    }

    /** Who holds now, if anybody does. */
    Optional<Holding> by(Optional<Incumbent> told) {
        if (told.isEmpty()) {
            return held ? Optional.empty() : Optional.of(this);
        }
        return held ? by(told.get()) : Optional.empty();
    }

    /** Renews it, if it is held by this. No word is no renewal (G14). */
    <H extends Hold> Optional<Holding> renewal(H hold, Said<Map<H, Renewal>> said) {
        if (said.answer().filter(words -> !words.containsKey(hold)).isPresent()) {
            return Optional.of(this);
        }
        Said<Renewal> word = new Said<>(said.answer().map(words -> words.get(hold)));
        Optional<Holding> mine = held ? named(hold) : Optional.empty();
        return mine.isPresent()
                ? word.as(
                        Renewal.Held.class,
                        mine.get().renewed(),
                        (key, told) -> key.isAtLeast(told.remaining()) ? Optional.of(key) : Optional.empty())
                : word.as(Renewal.Lost.class, this, (key, told) -> key.by(told.to()));
    }

    /** Evicts whom this fence was seen of. */
    Optional<Holding> eviction(Fence seen, Succession succession, Said<Eviction> said) {
        Optional<Holding> hit = held || !isTakeable() ? named(seen) : Optional.empty();
        return hit.isPresent()
                ? said.as(
                        Eviction.Evicted.class,
                        hit.get().evicted(succession),
                        (key, told) ->
                                isNearly(told.takeableIn(), key.remaining()) ? key.named(told.now()) : Optional.empty())
                : said.as(Eviction.Moved.class, this, (key, told) -> key.by(told.now()));
    }

    /** A holder may be told less: where it takes two requests to renew and to tell, time passes in between. */
    private boolean isAtLeast(Duration told) {
        return told.compareTo(remaining()) <= 0 || isNearly(remaining(), told);
    }

    /** Real time passes, too; and what is told is counted from some moment within the call (G3). */
    static boolean isNearly(Duration a, Duration b) {
        return a.minus(b).abs().compareTo(WHILE) < 0;
    }

    static Duration later(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }
}
