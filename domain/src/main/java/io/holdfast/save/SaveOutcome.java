package io.holdfast.save;

import io.holdfast.save.Refusal.Completed;
import io.holdfast.save.Refusal.Expired;
import io.holdfast.save.Refusal.InDoubt;
import io.holdfast.save.Refusal.InProgress;
import io.holdfast.save.Refusal.OtherPayload;
import io.holdfast.save.Refusal.Unknown;
import io.holdfast.save.SaveTokenStore.Lost;
import java.util.function.Function;

/** What came of asking for a save. */
public sealed interface SaveOutcome permits SaveOutcome.Saved, Lost, Refusal {
    /**
     * This call has written.
     *
     * @param result the one that stands, and that everybody gets who comes later
     */
    record Saved(SaveResult result) implements SaveOutcome {}

    /**
     * Tells the case.
     *
     * @param lost this call has written, but was taken over or settled before its end was known: whether its write counts
     *     is for the resource to say, which compares fences, and the result is to be had by asking again
     */
    default <R> R fold(
            Function<? super Saved, ? extends R> saved,
            Function<? super Lost, ? extends R> lost,
            Function<? super Unknown, ? extends R> unknown,
            Function<? super OtherPayload, ? extends R> otherPayload,
            Function<? super Completed, ? extends R> completed,
            Function<? super InProgress, ? extends R> inProgress,
            Function<? super InDoubt, ? extends R> inDoubt,
            Function<? super Expired, ? extends R> expired) {
        if (this instanceof Saved s) {
            return saved.apply(s);
        }
        if (this instanceof Lost l) {
            return lost.apply(l);
        }
        if (this instanceof Unknown u) {
            return unknown.apply(u);
        }
        if (this instanceof OtherPayload o) {
            return otherPayload.apply(o);
        }
        if (this instanceof Completed c) {
            return completed.apply(c);
        }
        if (this instanceof InProgress p) {
            return inProgress.apply(p);
        }
        if (this instanceof InDoubt d) {
            return inDoubt.apply(d);
        }
        return expired.apply((Expired) this);
    }
}
