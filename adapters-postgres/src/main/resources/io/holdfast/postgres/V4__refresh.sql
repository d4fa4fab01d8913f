
-- Refresh tokens: which generation of a family is the current one. No token is here, and nothing that one is made of.

CREATE TABLE IF NOT EXISTS holdfast_refresh (
    family      uuid   NOT NULL,
    generation  bigint NOT NULL,
    born        bigint NOT NULL,  -- the current generation; so the one before it was used then
    born_before bigint NOT NULL,  -- the one before it; so the one before that was used then
    token_valid bigint NOT NULL,
    grace       bigint NOT NULL,
    expires_at  bigint NOT NULL,  -- the family, whatever becomes of it
    revoked_at  bigint NOT NULL,  -- 0: it is not
    CONSTRAINT holdfast_refresh_key PRIMARY KEY (family)
) WITH (
    -- A rotation changes no column that is in an index, and so it is HOT, too.
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 50
);

-- For what is forgotten; decides nothing.
CREATE INDEX IF NOT EXISTS holdfast_refresh_expiry ON holdfast_refresh (expires_at);
