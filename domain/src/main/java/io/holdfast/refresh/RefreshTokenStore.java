package io.holdfast.refresh;

import io.holdfast.SilenceLimit;
import java.time.Duration;

/**
 * Decides which generation of a family is the current one. It sees no token: whoever calls it has checked the signature.
 * Every operation is one short transaction of its own, which never joins the caller's (E1). Thread-safe.
 *
 * <p>Every operation throws {@link io.holdfast.StoreUnavailable} if the store could not answer within its budget, and
 * nothing else for the store's sake. All of them may be repeated after an UNKNOWN.
 */
public interface RefreshTokenStore {
    /**
     * Begins a family, whose current generation is the first. Of a family that exists nothing is changed, whatever has become
     * of it: the terms of its opening stand.
     */
    void open(FamilyId family, FamilyTerms terms);

    /**
     * Spends a generation and makes its successor the current one, in one write (R1); or says why not. What is looked at, in
     * this order, all of it by the database's clock:
     *
     * <ol>
     *   <li>no such family: UNKNOWN. Revoked: REVOKED. Over: EXPIRED.
     *   <li>the current generation: rotated, unless it is EXPIRED itself.
     *   <li>one that is ahead of the row, which a fail-over has set back: rotated from there. When it was born nobody knows, so
     *       that the family's end alone limits it (R7).
     *   <li>the one before the current, within the grace since it was used: replayed (R2).
     *   <li>the one before that, within the grace since it was used: OVERTAKEN.
     *   <li>everything else that was spent: reused, and the family is revoked. A rotation beside it comes first and is revoked
     *       with the rest, or comes second and is refused (R3).
     * </ol>
     *
     * @return the successor, which is always {@code presented.next()}
     * @throws IllegalStateException if {@code presented} has none; nothing was asked of the store
     */
    RotateOutcome<Generation> rotate(Generation presented);

    /** Ends a family: from now on its tokens are REVOKED. Repeated, or of a family that does not exist: changes nothing. */
    void revoke(FamilyId family);

    /**
     * Deletes families that are over, revoked or not, the oldest first; their tokens become UNKNOWN. One that is revoked stays
     * until then, so that its tokens are told so.
     *
     * @param keep for how long a family is kept after its end; as {@link #kept} has it
     * @param atMost how many are deleted by one call, 1 or more
     * @return how many were; fewer than {@code atMost} when there are no more
     * @throws IllegalArgumentException if {@code keep} or {@code atMost} is anything else
     */
    int forget(Duration keep, int atMost);

    /**
     * Returns a time that {@link #forget} can do with; in the same words for all stores.
     *
     * @throws IllegalArgumentException if {@code keep} is negative or longer than 365 days, or {@code atMost} less than 1
     */
    static Duration kept(Duration keep, int atMost) {
        if (keep.isNegative() || keep.compareTo(SilenceLimit.MAX) > 0) {
            throw new IllegalArgumentException("keep families that are over for 0 to 365 days, not for " + keep);
        }
        if (atMost < 1) {
            throw new IllegalArgumentException("forget 1 family or more, not " + atMost);
        }
        return keep;
    }
}
