package io.holdfast.app.serve;

import io.holdfast.Incumbent;
import io.holdfast.StoreUnavailable;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What may be answered instead of the result of a save. */
final class SaveProblems {
    private SaveProblems() {}

    static Problem tokenIsMissing(String header) {
        return Problem.of(
                "token_is_missing",
                400,
                "No token",
                "Send the save token in the header " + header + ", and in no other place.",
                "correct_the_request");
    }

    static Problem noSuchToken() {
        return Problem.of(
                "no_such_save_token",
                404,
                "No such save token",
                "This save token was never issued, or its save is so long ago that it is forgotten. Nothing was saved now.",
                "use_a_new_token");
    }

    static Problem expired() {
        return Problem.of(
                "save_token_expired",
                410,
                "The save token has expired",
                "This save token was not used in time, and surely nothing was saved with it.",
                "use_a_new_token");
    }

    static Problem otherPayload() {
        return Problem.of(
                "save_token_reused",
                422,
                "This save token is for another content",
                "This save token saves, or has saved, another content, and this one was not saved: save each content with a"
                        + " token of its own.",
                "use_a_new_token");
    }

    static Problem saveInProgress(String idempotencyKey, Incumbent by) {
        return Problem.of(
                        "save_in_progress",
                        409,
                        "Already saving",
                        "The content is being saved by "
                                + Json.quoted(by.holder().label()) + ", attempt "
                                + by.attempt() + ", since " + by.since()
                                + ". Nothing is wrong and nothing needs to be fixed: send the same request again, for the"
                                + " result.",
                        "wait")
                .with(members(idempotencyKey, by))
                .whileHeld(by.takeableIn());
    }

    static Problem saveInDoubt(String idempotencyKey, Incumbent by) {
        return Problem.of(
                        "save_in_doubt",
                        409,
                        "Nobody knows whether it was saved",
                        "The content was saved or was not: the last to have this token was "
                                + Json.quoted(by.holder().label()) + ", silent for "
                                + by.silentFor().toMillis()
                                + " ms now. This token is not to be run again: look whether the"
                                + " content is there, and tell it by POST /save-tokens/" + idempotencyKey
                                + "/settlements with fence " + by.fence() + ".",
                        "settle")
                .with(members(idempotencyKey, by));
    }

    private static Map<String, Object> members(String idempotencyKey, Incumbent by) {
        Map<String, Object> members = Views.incumbent(by);
        members.put("idempotencyKey", idempotencyKey);
        return members;
    }

    static Problem notSaved(@Nullable String why) {
        return Problem.of(
                        "not_saved",
                        502,
                        "Not saved",
                        "This request saved nothing: " + why + ". Send it again, with the same token.",
                        "retry")
                .retryAfter(Problem.SOON);
    }

    /** @param limit after which the token's policy says what is done */
    static Problem unanswered(String idempotencyKey, Duration limit) {
        return Problem.of(
                        "save_unanswered",
                        502,
                        "Nobody knows whether it was saved",
                        "The writer did not say whether the content was saved. Send the same request again, with the same"
                                + " token, in " + limit.toMillis()
                                + " ms: then it is saved again, or somebody has to look, as the token was issued.",
                        "retry")
                .with(Map.of("idempotencyKey", idempotencyKey))
                .retryAfter(limit);
    }

    static Problem lost(Optional<Incumbent> to) {
        return Problem.of(
                        "save_lost",
                        409,
                        "Taken over while it was saved",
                        "This request was silent for too long, "
                                + to.map(by -> Json.quoted(by.holder().label()) + " is saving now.")
                                        .orElse("and another one has ended the save.")
                                + " Send the same request again, for the result that stands.",
                        "retry")
                .with(to.map(Views::incumbent).orElse(Map.of()))
                .retryAfter(Problem.SOON);
    }

    static Problem notSettled(Optional<Incumbent> to) {
        return Problem.of(
                        "not_in_doubt",
                        409,
                        "Nobody is silent by that fence",
                        "Nothing was changed: no save of that fence is in doubt. "
                                + to.map(by -> Json.quoted(by.holder().label()) + " is at it, by fence " + by.fence()
                                                + ", and may be silent for another "
                                                + by.takeableIn().toMillis() + " ms.")
                                        .orElse("It has ended, was taken over, or was never begun: save again to see."),
                        "look")
                .with(to.map(Views::incumbent).orElse(Map.of()));
    }

    static Problem notIssued(StoreUnavailable.Effect effect) {
        String undone = "No token was issued, because the database did not answer. ";
        return Problem.unanswered(
                effect,
                undone + "Nothing was left behind: send the same request again.",
                "maybe_a_token",
                undone + "A token may have been left behind, which nobody has, and which expires: send the same request"
                        + " again.");
    }

    static Problem storeUnavailable(StoreUnavailable.Effect effect) {
        return Problem.unanswered(
                effect,
                "Nothing was saved, because the database did not answer: send the same request again, with the same token.",
                "maybe_a_save",
                "The database did not answer, and the content may have been saved: send the same request again, with the"
                        + " same token, for what came of it. It may read as in progress until this node reaches the database"
                        + " again; and if that takes too long, and the token is one to be refused or has expired, as in doubt"
                        + " until then, or until somebody has looked.");
    }
}
