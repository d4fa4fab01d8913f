/** Servers to be broken, in containers of their own. Unlike the rest of the suite this needs Testcontainers beside it. */
@NullMarked
package io.holdfast.contract.fault;

import org.jspecify.annotations.NullMarked;
