package io.holdfast.app.serve;

import io.holdfast.Incumbent;
import io.holdfast.StoreUnavailable;
import io.holdfast.release.ContentId;
import io.holdfast.release.Releasing;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What may be answered instead of a release. */
final class ReleaseProblems {
    private ReleaseProblems() {}

    static Problem releaseInProgress(ContentId content, Incumbent by) {
        Map<String, Object> members = Views.incumbent(by);
        members.put("lease", Releasing.leaseOf(content).value());
        return Problem.of(
                        "release_in_progress",
                        409,
                        "Already releasing",
                        "The lease to release " + Json.quoted(content.value()) + " is "
                                + Json.quoted(by.holder().label()) + "'s, attempt " + by.attempt() + ", since "
                                + by.since() + ". Nothing is wrong and nothing needs to be fixed: wait. Should it stay"
                                + " silent, a release may begin in "
                                + by.takeableIn().toMillis() + " ms.",
                        "wait")
                .with(members)
                .whileHeld(by.takeableIn());
    }

    static Problem notBegun(ContentId content, @Nullable String why) {
        return Problem.of(
                        "not_released",
                        502,
                        "Not released",
                        Json.quoted(content.value()) + " was not released, and nothing was begun: " + why
                                + ". Others may release it.",
                        "retry")
                .retryAfter(Problem.SOON);
    }

    static Problem failed(ContentId content, String error) {
        return Problem.of(
                "release_failed",
                502,
                "The release failed",
                "The release of " + Json.quoted(content.value()) + " was begun, and failed: " + error
                        + ". It is over, and others may release it.",
                "look");
    }

    /** @param takeableIn time until another release may begin */
    static Problem inDoubt(ContentId content, Duration takeableIn) {
        return Problem.of(
                        "release_in_doubt",
                        502,
                        "Nobody knows whether it was released",
                        "The releaser did not say what became of " + Json.quoted(content.value())
                                + ", and may still be at it. Nobody else may begin for " + takeableIn.toMillis()
                                + " ms: look what was done, then release it again if need be.",
                        "look")
                .with(Map.of("takeableInMs", takeableIn.toMillis()))
                .retryAfter(takeableIn);
    }

    static Problem storeUnavailable(StoreUnavailable.Effect effect, Duration limit) {
        String undone = "Nothing was released, because the database did not answer. ";
        return Problem.unanswered(
                effect,
                undone + "Nothing was left behind: send the same request again.",
                "maybe_a_lease",
                undone + "A lease may have been left behind; it would read as in progress until this node reaches the"
                        + " database again and lets it go, or until somebody takes it over, after "
                        + limit.toMillis() + " ms. Send the same request again.");
    }
}
