package io.holdfast.refresh;

/**
 * A token as the client gets it: a secret. Prints as nothing, so that no log has it.
 *
 * @param family not a secret: what the host keeps beside the login, to {@linkplain RotatingRefreshTokens#revoke(FamilyId)
 *     end it}
 * @param text what is handed out and comes back: {@value #PREFIX} and 80 of A-Z, a-z, 0-9, hyphen and underscore
 */
public record RefreshToken(FamilyId family, String text) {
    /** By which a scanner finds a token where it should not be: {@code hfr_[A-Za-z0-9_-]{80}}. */
    public static final String PREFIX = "hfr_";

    @Override
    public String toString() {
        return PREFIX + "...";
    }
}
