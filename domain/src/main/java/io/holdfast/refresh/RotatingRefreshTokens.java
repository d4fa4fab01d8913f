package io.holdfast.refresh;

import java.util.Optional;

/**
 * Refresh tokens that are used once. Opens families, rotates their tokens and ends them.
 *
 * <p>A call that failed with {@link io.holdfast.StoreUnavailable}, UNKNOWN included, may be repeated with the same token: if
 * it had been rotated, the repetition gets that very successor, as long as the grace of its family lasts (R2). Thread-safe;
 * owns no thread.
 */
public final class RotatingRefreshTokens {
    private final RefreshTokenStore store;
    private final TokenKeys keys;

    public RotatingRefreshTokens(RefreshTokenStore store, TokenKeys keys) {
        this.store = store;
        this.keys = keys;
    }

    /**
     * Begins a family, for one login on one device, and returns its first token. Repeated, it begins another one; a family
     * whose token nobody has got ends by itself.
     *
     * @throws io.holdfast.StoreUnavailable if the store stayed away
     */
    public RefreshToken open(FamilyTerms terms) {
        FamilyId family = FamilyId.random();
        store.open(family, terms);
        return keys.sign(Generation.first(family));
    }

    /**
     * Takes a token and gives its successor, or says why not. A token of an older key gets one of the current key. Tell an
     * outsider no more than that its token is no good.
     *
     * @param token whatever the client has sent; what is no token of ours is UNKNOWN, and never reaches the store
     * @throws io.holdfast.StoreUnavailable if the store stayed away
     */
    public RotateOutcome<RefreshToken> rotate(String token) {
        Optional<Generation> presented = keys.read(token);
        return presented.isPresent()
                ? store.rotate(presented.get()).map(keys::sign)
                : new RotateOutcome.Refused<>(RotateOutcome.Why.UNKNOWN);
    }

    /**
     * Ends the family of a token, also of one that is spent or over. What is no token of ours is none of our business.
     *
     * @throws io.holdfast.StoreUnavailable if the store stayed away
     */
    public void revoke(String token) {
        keys.read(token).map(Generation::family).ifPresent(store::revoke);
    }

    /**
     * Ends a family, as when a user logs out everywhere.
     *
     * @throws io.holdfast.StoreUnavailable if the store stayed away
     */
    public void revoke(FamilyId family) {
        store.revoke(family);
    }
}
