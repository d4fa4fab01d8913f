/** Releasing a content, at most once at a time: {@link io.holdfast.release.Releasing}. */
@NullMarked
package io.holdfast.release;

import org.jspecify.annotations.NullMarked;
