package io.holdfast.contract;

import io.holdfast.Fence;
import io.holdfast.publish.AppId;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import java.time.Duration;

/** A store of publishes whose claims are reached in another way: with other settings, or over a bad network. */
record Reached(PublishSubject store, ClaimStore claims) implements PublishSubject {
    @Override
    public Deployments deployments() {
        return store.deployments();
    }

    @Override
    public void letPass(Duration time) {
        store.letPass(time);
    }

    @Override
    public void wipe() {
        store.wipe();
    }

    @Override
    public void deleteByHand(AppId app) {
        store.deleteByHand(app);
    }

    @Override
    public void setFence(AppId app, Fence fence) {
        store.setFence(app, fence);
    }

    @Override
    public String dump(AppId app) {
        return store.dump(app);
    }
}
