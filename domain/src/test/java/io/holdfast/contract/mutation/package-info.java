/**
 * Mutants of what an adapter really sends: each has one condition removed or weakened, on its way to the database, and a suite
 * must turn red. Which test does that is kept in a table beside the adapter's tests, {@link io.holdfast.contract.mutation.Killers};
 * {@link io.holdfast.contract.mutation.MutationContract} holds the adapter to it.
 */
@NullMarked
package io.holdfast.contract.mutation;

import org.jspecify.annotations.NullMarked;
