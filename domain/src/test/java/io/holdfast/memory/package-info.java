/** Stores in memory, held to the same contract as the databases' and used by the tests of the use cases. */
@NullMarked
package io.holdfast.memory;

import org.jspecify.annotations.NullMarked;
