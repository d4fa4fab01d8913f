package io.holdfast.save;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;

/**
 * One wish to save.
 *
 * @param attempt the same one in every repetition of the same call
 * @param payload of what is to be saved
 * @param limit how long this holder may stay silent; kept in the row
 */
public record ReserveRequest(
        TokenDigest token, AttemptId attempt, Fingerprint payload, Holder holder, SilenceLimit limit) {}
