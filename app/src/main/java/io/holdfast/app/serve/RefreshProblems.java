package io.holdfast.app.serve;

import io.holdfast.StoreUnavailable;
import java.util.Map;

/** What may be answered instead of a refresh token, to whoever sends none at all; a token that is no good is {@code invalid_grant}. */
final class RefreshProblems {
    private RefreshProblems() {}

    /** For clients that know OAuth, also in its words. */
    static Problem unsupportedGrant() {
        return Problem.of(
                        "unsupported_grant_type",
                        400,
                        "Unsupported grant type",
                        "grant_type must be refresh_token.",
                        "correct_the_request")
                .with(Map.of("error", "unsupported_grant_type"));
    }

    static Problem tokenIsMissing(String name) {
        return Problem.of(
                        "token_is_missing",
                        400,
                        "No token",
                        "Send the token as " + name + " in the body.",
                        "correct_the_request")
                .with(Map.of("error", "invalid_request"));
    }

    /** No key of a node's own making: another node, or the next start, would know none of its tokens. */
    static Problem noKey() {
        return Problem.of(
                "no_refresh_key",
                501,
                "No key for refresh tokens",
                "This service was started without a key to sign refresh tokens: make one with \"openssl rand 32\", and give"
                        + " the file to every node as --refresh-key-files.",
                "configure_the_service");
    }

    static Problem notOpened(StoreUnavailable.Effect effect) {
        String undone = "No token was made, because the database did not answer. ";
        return Problem.unanswered(
                effect,
                undone + "Nothing was left behind: send the same request again.",
                "maybe_a_family",
                undone
                        + "A family may have been left behind, which nobody has a token of, and which ends by itself: send the"
                        + " same request again.");
    }
}
