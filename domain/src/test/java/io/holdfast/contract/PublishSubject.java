package io.holdfast.contract;

import io.holdfast.Fence;
import io.holdfast.publish.AppId;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import java.time.Duration;

/** A store of publishes under test, and the hands that do to it what time, operators and accidents do. */
public interface PublishSubject {
    ClaimStore claims();

    Deployments deployments();

    /**
     * Lets time pass: moves every time in the store back by {@code time}; a negative one forward, as if the database's clock
     * had been set back. A fence is not a time and stays, and so does whatever marks a row as free.
     */
    void letPass(Duration time);

    /** Empties the store. */
    void wipe();

    /** Deletes the app's row by hand, as an operator would; its deployments too. */
    void deleteByHand(AppId app);

    /** Sets the fence of an app that exists, of its row and of its current deployment. */
    void setFence(AppId app, Fence fence);

    /**
     * Everything that the store holds about the app, in a form that differs if a byte of it does. Of an app that the store
     * holds nothing about: always the same.
     */
    String dump(AppId app);
}
