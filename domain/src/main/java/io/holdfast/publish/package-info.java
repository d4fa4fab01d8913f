/**
 * Publishing an app, at most once at a time: {@link io.holdfast.publish.Publishing} claims the app in the {@link
 * io.holdfast.publish.ClaimStore}, has the {@link io.holdfast.publish.Orchestrator} deploy it, and records how that
 * ended. {@link io.holdfast.publish.Deployments} reads what happened and decides nothing.
 */
@NullMarked
package io.holdfast.publish;

import org.jspecify.annotations.NullMarked;
