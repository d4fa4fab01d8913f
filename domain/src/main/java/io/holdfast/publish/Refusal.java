package io.holdfast.publish;

import io.holdfast.Incumbent;

/**
 * Why a publish was not started. What the store says and what the use case says are the same objects. Where several
 * reasons apply, the answer is the first one in this order: AlreadyRun and OtherRequest, InProgress, SlugFixed, SlugTaken
 * (C12).
 */
public sealed interface Refusal extends ClaimOutcome, PublishOutcome {
    /** This very attempt has ended, or this request key has had its deployment, which may be running still. */
    record AlreadyRun(Deployment deployment) implements Refusal {}

    /** The request key was used for this app with another slug; {@code deployment} is what it got. */
    record OtherRequest(Deployment deployment) implements Refusal {}

    /**
     * Somebody is publishing this app; or was evicted, and may not know it yet. Follow that deployment: {@code
     * running.attempt()} is its id.
     */
    record InProgress(Incumbent running) implements Refusal {}

    /** The app is live under another slug, and publishing is not renaming. */
    record SlugFixed(Slug current) implements Refusal {}

    /** Another app has it: choose another name. */
    record SlugTaken(Slug slug) implements Refusal {}
}
