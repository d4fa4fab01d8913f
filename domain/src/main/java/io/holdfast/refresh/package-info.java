/**
 * Refresh tokens that are used once: {@link io.holdfast.refresh.RotatingRefreshTokens} gives out a token, and for each that
 * comes back its successor, by the word of the {@link io.holdfast.refresh.RefreshTokenStore}. Whoever comes with a token
 * that was spent long ago has a copy, and then the whole family ends.
 *
 * <p>A token is a {@link io.holdfast.refresh.Generation} under the host's signature. The store keeps the generation alone:
 * nothing in the database is a secret, junk never gets there, and all who ask for a successor get the same one.
 */
@NullMarked
package io.holdfast.refresh;

import org.jspecify.annotations.NullMarked;
