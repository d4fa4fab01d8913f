-- Saving: who may save with a token, and what came of it (one row per token, known by its digest only).
-- Times and text as in V1.

CREATE TABLE IF NOT EXISTS holdfast_save (
    token         bytea   NOT NULL,           -- SHA-256 of the token; the token itself is nowhere
    refuse        boolean NOT NULL,           -- whether nobody may take it from a silent holder
    over_at       bigint  NOT NULL,           -- from when on it cannot be reserved: it expires, or was used
    fence         bigint  NOT NULL,           -- 0 until it is first taken
    held          boolean NOT NULL,           -- whether the last attempt still has it
    attempt       uuid,                       -- the last one that took it
    holder        text COLLATE "C",
    since         bigint  NOT NULL,
    beat          bigint  NOT NULL,           -- the holder's last sign of life
    silence_limit bigint  NOT NULL,           -- the holder's own
    free_at       bigint  NOT NULL,           -- from when on another attempt may take it; 0: at once
    taken_over    uuid,                       -- the last attempt to be taken over, silent: it may have written
    payload       bytea,                      -- SHA-256 of what is, or was, saved with it
    result        bytea,                      -- what came of it; it is used once this is there
    CONSTRAINT holdfast_save_key PRIMARY KEY (token)
) WITH (
    -- As holdfast_app: no index on beat and free_at, ever.
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 50
);

CREATE INDEX IF NOT EXISTS holdfast_save_over ON holdfast_save (over_at) WHERE NOT held;
