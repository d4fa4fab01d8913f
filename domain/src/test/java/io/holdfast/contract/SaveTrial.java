package io.holdfast.contract;

import static io.holdfast.contract.Trial.LIMIT;
import static io.holdfast.contract.Trial.only;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.SilenceLimit;
import io.holdfast.save.Ending;
import io.holdfast.save.Fingerprint;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal.Completed;
import io.holdfast.save.Refusal.InDoubt;
import io.holdfast.save.Refusal.InProgress;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveToken;
import io.holdfast.save.SaveTokenStore;
import io.holdfast.save.SaveTokenStore.EndOutcome;
import io.holdfast.save.SaveTokenStore.Lost;
import io.holdfast.save.TokenDigest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One save token under test, and what those do who save one payload with it. Words as in {@link Trial}: what is called
 * {@code told...} asserts what the answer must be.
 *
 * @param tokens the store's, maybe reached in another way: with other settings, or over a bad network
 */
record SaveTrial(SaveSubject store, SaveTokenStore tokens, TokenDigest token, Fingerprint payload)
        implements Rally.Prize<Reservation> {
    SaveTrial(SaveSubject store, TokenDigest token, Fingerprint payload) {
        this(store, store.saveTokens(), token, payload);
    }

    /** Of every token, unless it says otherwise. */
    static final Duration VALID = Duration.ofDays(1);

    static final Ending NOT_SAVED = new Ending.NotSaved();
    static final SaveResult RESULT = result("it is in chapter 7");

    private static final Fingerprint A_PAYLOAD = fingerprint("chapter 7");

    /** A token that may be run again when it is in doubt. */
    static SaveTrial on(SaveSubject store) {
        return on(store, IfInDoubt.RUN_AGAIN);
    }

    static SaveTrial on(SaveSubject store, IfInDoubt ifInDoubt) {
        return unissued(store).issued(VALID, ifInDoubt);
    }

    static SaveTrial unissued(SaveSubject store) {
        return new SaveTrial(store, SaveToken.random().digest(), A_PAYLOAD);
    }

    SaveTrial issued(Duration validFor, IfInDoubt ifInDoubt) {
        tokens.issue(token, validFor, ifInDoubt);
        return this;
    }

    /** The same token with another payload. */
    SaveTrial saving(String other) {
        return new SaveTrial(store, tokens, token, fingerprint(other));
    }

    static Fingerprint fingerprint(String payload) {
        return Fingerprint.of(payload.getBytes(StandardCharsets.UTF_8));
    }

    static SaveResult result(String text) {
        return SaveResult.of(text.getBytes(StandardCharsets.UTF_8));
    }

    // What is asked.

    ReserveRequest wish(String holder) {
        return wish(holder, LIMIT);
    }

    ReserveRequest wish(String holder, Duration limit) {
        return new ReserveRequest(token, AttemptId.random(), payload, new Holder(holder), SilenceLimit.of(limit));
    }

    ReserveOutcome ask(ReserveRequest wish) {
        return tokens.reserve(wish);
    }

    ReserveOutcome ask(String holder) {
        return ask(wish(holder));
    }

    @Nullable
    Renewal renew(Reservation hold) {
        return tokens.renew(List.of(hold)).get(hold);
    }

    EndOutcome end(Reservation hold, Ending ending) {
        return tokens.end(hold, ending);
    }

    EndOutcome settle(Fence seen, Ending ending) {
        return tokens.settle(token, seen, ending);
    }

    int forget(Duration keep) {
        return tokens.forget(keep, 1_000_000);
    }

    // What must be told.

    Reserved toldReserved(ReserveRequest wish) {
        return only(Reserved.class, ask(wish));
    }

    Reservation takenBy(ReserveRequest wish) {
        return toldReserved(wish).reservation();
    }

    Reservation takenBy(String holder) {
        return takenBy(wish(holder));
    }

    <T> T told(Class<T> answer) {
        return only(answer, ask("somebody"));
    }

    Incumbent toldInProgress() {
        return told(InProgress.class).by();
    }

    Incumbent toldInDoubt() {
        return told(InDoubt.class).by();
    }

    void toldCompleted(SaveResult result) {
        assertThat(told(Completed.class).result()).isEqualTo(result);
    }

    Duration toldHeld(Reservation hold) {
        return only(Renewal.Held.class, renew(hold)).remaining();
    }

    /** Asserts that the hold can neither be renewed nor be ended, because {@code by} has the token. */
    void toldLostTo(Reservation by, Reservation hold) {
        assertThat(only(Renewal.Lost.class, renew(hold)).to())
                .as("to whom a renewal lost")
                .hasValueSatisfying(incumbent -> assertIs(by, incumbent));
        for (Ending ending : List.of(RESULT, NOT_SAVED)) {
            assertThat(only(Lost.class, end(hold, ending)).to())
                    .as("to whom an end lost")
                    .hasValueSatisfying(incumbent -> assertIs(by, incumbent));
        }
    }

    /** Asserts that the hold can neither be renewed nor be ended, and that nobody has the token. */
    void toldLost(Reservation hold) {
        toldOver(hold);
        for (Ending ending : List.of(RESULT, NOT_SAVED)) {
            assertThat(only(Lost.class, end(hold, ending)).to()).isEmpty();
        }
    }

    /** Asserts that the hold can be renewed no more, and that nobody has the token. */
    void toldOver(Reservation hold) {
        assertThat(only(Renewal.Lost.class, renew(hold)).to()).isEmpty();
    }

    /** Asserts that this very ending stands. */
    void ends(Reservation hold, Ending ending) {
        assertThat(end(hold, ending)).isEqualTo(ending);
    }

    /** Takes the token and ends that. */
    Reservation ended(String holder, Ending ending) {
        Reservation hold = takenBy(holder);
        ends(hold, ending);
        return hold;
    }

    String dump() {
        return store.dump(token);
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

    static void assertIs(Reservation hold, Incumbent incumbent) {
        assertThat(incumbent.attempt()).isEqualTo(hold.attempt());
        assertThat(incumbent.fence()).isEqualTo(hold.fence());
    }

    // A rally: whoever has the token gives it back.

    @Override
    public <R> R take(
            String owner,
            Function<? super Reservation, ? extends R> won,
            Function<? super Incumbent, ? extends R> told) {
        ReserveOutcome outcome = ask(owner);
        return outcome instanceof Reserved reserved
                ? won.apply(reserved.reservation())
                : told.apply(only(InProgress.class, outcome).by());
    }

    @Override
    public void giveBack(Reservation hold) {
        ends(hold, NOT_SAVED);
    }
}
