package io.holdfast.publish;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import java.util.Optional;

/**
 * One wish to publish.
 *
 * @param attempt becomes the deployment's id; the same one in every repetition of the same call
 * @param slug the name that the app is to have; for an app that is live, the one that it has
 * @param limit how long this holder may stay silent; kept in the row
 * @param requestKey the client's idempotency key, if it sent one
 */
public record ClaimRequest(
        AttemptId attempt, AppId app, Slug slug, Holder holder, SilenceLimit limit, Optional<RequestKey> requestKey) {}
