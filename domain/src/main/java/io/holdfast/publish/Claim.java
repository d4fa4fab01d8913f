package io.holdfast.publish;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Hold;

/** The right to publish one app. Its attempt is the id of the deployment that it is for. */
public record Claim(AppId app, AttemptId attempt, Fence fence) implements Hold {}
