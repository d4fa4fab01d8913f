/**
 * Saving with one-time tokens: {@link io.holdfast.save.Saving} issues them, reserves one in the {@link
 * io.holdfast.save.SaveTokenStore}, has the {@link io.holdfast.save.ContentWriter} write, and keeps the result for whoever
 * comes again with the same token. A store sees nothing of a token but its digest (S8).
 */
@NullMarked
package io.holdfast.save;

import org.jspecify.annotations.NullMarked;
