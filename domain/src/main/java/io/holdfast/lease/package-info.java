/**
 * Anything that one at a time may do: {@link io.holdfast.lease.UnderLease} takes a lease from the {@link
 * io.holdfast.lease.LeaseStore}, runs the work while it is renewed, and gives it back.
 */
@NullMarked
package io.holdfast.lease;

import org.jspecify.annotations.NullMarked;
