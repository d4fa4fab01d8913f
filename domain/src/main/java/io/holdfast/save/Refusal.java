package io.holdfast.save;

import io.holdfast.Incumbent;

/**
 * Why nothing is written for a token. What the store says and what the use case says are the same objects. Where several
 * reasons apply, the answer is the first one in this order (S4).
 */
public sealed interface Refusal extends ReserveOutcome, SaveOutcome {
    /** No such token was ever issued, or it is forgotten. */
    record Unknown() implements Refusal {}

    /** The token is reserved, or was used, for another payload. */
    record OtherPayload() implements Refusal {}

    /** It was used: this came of it (S2). */
    record Completed(SaveResult result) implements Refusal {}

    /** Somebody is saving with it: ask again, for the result (S3). {@code by.takeableIn()} is when there is doubt at the latest. */
    record InProgress(Incumbent by) implements Refusal {}

    /**
     * Somebody fell silent who may have written, and nobody may write again: the token is one to be {@link IfInDoubt#REFUSE
     * refused} then, or has expired since. {@code by} is the last one that took it, whose fence is the one to {@linkplain
     * SaveTokenStore#settle settle}.
     */
    record InDoubt(Incumbent by) implements Refusal {}

    /** It was not used in time, and surely nothing was written for it. */
    record Expired() implements Refusal {}
}
