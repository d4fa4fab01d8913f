package io.holdfast.refresh;

import io.holdfast.SilenceLimit;
import java.time.Duration;

/**
 * For how long a family and its tokens are good. Kept in the row when the family is opened, so that a host whose settings
 * have changed, or that has others, changes nothing for it (R4).
 *
 * @param familyValid from its opening; no token outlives it
 * @param tokenValid for how long a token that nobody uses is good, from its birth; not longer than the family
 * @param grace for how long a spent token gets the same successor again, from when it was spent: as long as a reply may be
 *     lost, or two tabs may be apart. Not longer than a token is valid. All three are more than 0 and at most 365 days; a
 *     fraction of a millisecond is rounded up (G11)
 */
public record FamilyTerms(Duration familyValid, Duration tokenValid, Duration grace) {
    public FamilyTerms {
        familyValid = whole("validity of a family", familyValid);
        tokenValid = whole("validity of a token", tokenValid);
        grace = whole("grace", grace);
        // A successor must not be over while its predecessor still gets it.
        if (grace.compareTo(tokenValid) > 0 || tokenValid.compareTo(familyValid) > 0) {
            throw new IllegalArgumentException(
                    "grace must not be longer than a token is valid, nor a token than its family: " + grace + ", "
                            + tokenValid + ", " + familyValid);
        }
    }

    private static Duration whole(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be more than 0: " + value);
        }
        if (value.compareTo(SilenceLimit.MAX) > 0) {
            throw new IllegalArgumentException(name + " must be at most 365 days: " + value);
        }
        return SilenceLimit.of(value).value();
    }
}
