/** What only a soak needs. */
@NullMarked
package io.holdfast.contract.soak;

import org.jspecify.annotations.NullMarked;
