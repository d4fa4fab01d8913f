package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Optional;

/**
 * One family under test, by whichever port it is asked about, and its generations, each called by its number. The words of the contract's tests: what is called
 * {@code told...} asserts what the answer must be.
 */
record Lineage(RefreshSubject store, RefreshTokenStore tokens, FamilyId family) {
    /** The terms of every family, unless it says otherwise. */
    static final Duration FAMILY = Duration.ofDays(30);

    static final Duration TOKEN = Duration.ofDays(7);
    static final Duration GRACE = Duration.ofMinutes(10);

    /** Far more than a call takes, and far less than any time that a test lets pass. */
    static final Duration A_MINUTE = Duration.ofMinutes(1);

    static final FamilyTerms TERMS = new FamilyTerms(FAMILY, TOKEN, GRACE);

    static Lineage on(RefreshSubject store) {
        return on(store, TERMS);
    }

    static Lineage on(RefreshSubject store, FamilyTerms terms) {
        Lineage opened = unknown(store);
        opened.open(terms);
        return opened;
    }

    /** One that nobody has opened. */
    static Lineage unknown(RefreshSubject store) {
        return of(store, FamilyId.random());
    }

    static Lineage of(RefreshSubject store, FamilyId family) {
        return new Lineage(store, store.refreshTokens(), family);
    }

    void open(FamilyTerms terms) {
        tokens.open(family, terms);
    }

    RotateOutcome<Generation> rotate(long presented) {
        return tokens.rotate(new Generation(family, presented));
    }

    void revoke() {
        tokens.revoke(family);
    }

    String dump() {
        return store.dump(family);
    }

    /** Rotates {@code first} and what comes of it, until {@code last} is the current generation. */
    Lineage rotated(long first, long last) {
        for (long each = first; each < last; each++) {
            toldRotated(each);
        }
        return this;
    }

    void toldRotated(long presented) {
        assertThat(rotate(presented)).isEqualTo(new Rotated<>(successor(presented)));
    }

    void toldReplayed(long presented) {
        assertThat(rotate(presented)).isEqualTo(replayed(presented));
    }

    void toldRefused(Why why, long presented) {
        assertThat(rotate(presented)).as("generation %d", presented).isEqualTo(new Refused<>(why));
    }

    /** And that from now on all of the family are revoked. */
    void toldReused(long presented, long current) {
        assertThat(rotate(presented)).isEqualTo(new Reused<>(family));
        assertRevoked(current);
    }

    /** Asserts that no generation is good for anything: spent, current or still to come. */
    void assertRevoked(long current) {
        for (long each = Math.max(1, current - 1); each <= current + 1; each++) {
            toldRefused(Why.REVOKED, each);
        }
    }

    RotateOutcome<Generation> replayed(long presented) {
        return new Replayed<>(successor(presented));
    }

    /** Of one that was rotated or replayed. */
    static <T> T successor(RotateOutcome<T> outcome) {
        return outcome.<Optional<T>>fold(
                        rotated -> Optional.of(rotated.successor()),
                        replayed -> Optional.of(replayed.successor()),
                        reused -> Optional.empty(),
                        refused -> Optional.empty())
                .orElseThrow(() -> new AssertionError("it has no successor: " + outcome));
    }

    private Generation successor(long presented) {
        return new Generation(family, presented + 1);
    }
}
