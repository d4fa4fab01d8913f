-- Refresh tokens: which generation of a family is the current one. No token is here, and nothing that one is made of.
-- All times are microseconds since 1970 by this server's clock.

CREATE TABLE IF NOT EXISTS holdfast_refresh (
    family      BINARY(16) NOT NULL,
    generation  BIGINT     NOT NULL,
    born        BIGINT     NOT NULL,  -- the current generation; so the one before it was used then
    born_before BIGINT     NOT NULL,  -- the one before it; so the one before that was used then
    token_valid BIGINT     NOT NULL,
    grace       BIGINT     NOT NULL,
    expires_at  BIGINT     NOT NULL,  -- the family, whatever becomes of it
    revoked_at  BIGINT     NOT NULL,  -- 0: it is not
    PRIMARY KEY (family),
    -- For what is forgotten; decides nothing. No rotation changes it.
    KEY holdfast_refresh_expiry (expires_at)
) ENGINE = InnoDB;
