package io.holdfast.contract.history;

import java.time.Duration;

/**
 * A key of one port as the rules mean it when one client comes after the other: an immutable value. Its clock stands still but
 * for what the history let pass, which is whole hours, while every limit is some hours and twenty minutes: so the seconds that a
 * history takes turn no answer.
 *
 * @param <S> itself
 */
public interface Model<S extends Model<S>> {
    /** The key when time has passed. */
    S after(Duration passed);

    /** Whether this came of the state before by ending what somebody else had: a take-over, a revocation, a replacement. */
    boolean endedAnothers(S before);
}
