-- Saving: who may save with a token, and what came of it. One row for each token, known by its digest only.

CREATE TABLE IF NOT EXISTS holdfast_save (
    token         BINARY(32)     NOT NULL,  -- SHA-256 of the token; the token itself is nowhere
    refuse        BOOLEAN        NOT NULL,  -- whether nobody may take it from a silent holder
    over_at       BIGINT         NOT NULL,  -- from when on it cannot be reserved: it expires, or was used
    fence         BIGINT         NOT NULL,  -- 0 until it is first taken
    held          BOOLEAN        NOT NULL,  -- whether the last attempt still has it
    attempt       BINARY(16),               -- the last one that took it
    holder        VARBINARY(200),
    since         BIGINT,
    beat          BIGINT,                   -- the holder's last sign of life
    silence_limit BIGINT,                   -- the holder's own
    free_at       BIGINT         NOT NULL,  -- from when on another attempt may take it; 0: at once
    taken_over    BINARY(16),               -- the last attempt to be taken over, silent: it may have written
    payload       BINARY(32),               -- SHA-256 of what is, or was, saved with it
    result        MEDIUMBLOB,               -- what came of it; it is used once this is there
    PRIMARY KEY (token),
    -- For the clean-up. No heartbeat changes it.
    KEY holdfast_save_over (over_at)
) ENGINE = InnoDB;
