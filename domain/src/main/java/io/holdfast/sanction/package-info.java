/**
 * Sanctioning an account, with at most one sanction at a time: {@link io.holdfast.sanction.Sanctioning} imposes, replaces and
 * lifts in the {@link io.holdfast.sanction.SanctionStore}. Of two operators who act at once, one does, and the other is told
 * what the first one did.
 */
@NullMarked
package io.holdfast.sanction;

import org.jspecify.annotations.NullMarked;
