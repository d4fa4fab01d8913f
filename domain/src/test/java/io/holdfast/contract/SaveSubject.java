package io.holdfast.contract;

import io.holdfast.Fence;
import io.holdfast.save.SaveTokenStore;
import io.holdfast.save.TokenDigest;
import java.time.Duration;

/** A store of save tokens under test, and the hands that do to it what time, operators and accidents do. */
public interface SaveSubject {
    SaveTokenStore saveTokens();

    /** As {@link PublishSubject#letPass}. */
    void letPass(Duration time);

    /** Empties the store. */
    void wipe();

    /** Deletes the token's row by hand, as an operator would. */
    void deleteByHand(TokenDigest token);

    /** Sets the fence of a token that was issued. */
    void setFence(TokenDigest token, Fence fence);

    /** As {@link PublishSubject#dump}. */
    String dump(TokenDigest token);
}
