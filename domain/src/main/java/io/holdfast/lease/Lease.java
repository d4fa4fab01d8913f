package io.holdfast.lease;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Hold;

/** The right to do what its name stands for, until it is released or taken over. */
public record Lease(LeaseName name, AttemptId attempt, Fence fence) implements Hold {}
