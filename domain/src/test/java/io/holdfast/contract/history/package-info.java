/**
 * Histories of several clients at one key, and whether one after the other could have been told the same: {@link
 * io.holdfast.contract.history.LinearContract} is the test of an engine, {@link io.holdfast.contract.history.Linearizability}
 * the checker, a {@link io.holdfast.contract.history.Model} what a port means when one comes after the other.
 */
@NullMarked
package io.holdfast.contract.history;

import org.jspecify.annotations.NullMarked;
