package io.holdfast.save;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Hold;

/** The right to save under one token, until it is ended or taken over. */
public record Reservation(TokenDigest token, AttemptId attempt, Fence fence) implements Hold {
    /** The same for every attempt with this token, and for no other token. Not a secret. */
    public String idempotencyKey() {
        return token.toString();
    }
}
