package io.holdfast;

import java.time.Duration;
import java.time.Instant;

/**
 * What a loser is told about who holds it (G8): true at some moment within the very call that it lost. While nobody holds
 * but nobody may take yet, it is told the last holder, and the time until it may be taken.
 *
 * @param attempt the attempt that holds; for a publish, the running deployment's id
 * @param holder who that is, for a person
 * @param fence the fence of the hold; while nobody holds, the key's own, by which it may be evicted
 * @param since when it was taken, by the database's clock; for display only
 * @param silentFor age of the holder's last sign of life, not negative
 * @param takeableIn time until somebody else may take it if the holder stays silent; zero when it may be taken now
 */
public record Incumbent(
        AttemptId attempt, Holder holder, Fence fence, Instant since, Duration silentFor, Duration takeableIn) {
    public Incumbent {
        // A clock that stepped back between two statements must not make an age negative.
        silentFor = silentFor.isNegative() ? Duration.ZERO : silentFor;
        takeableIn = takeableIn.isNegative() ? Duration.ZERO : takeableIn;
    }
}
