-- Leases: who may do what their names stand for. One row for each name that was ever used, so that its fence goes on.

CREATE TABLE IF NOT EXISTS holdfast_lease (
    name          VARBINARY(255) NOT NULL,
    attempt       BINARY(16),               -- the last one that took it
    fence         BIGINT         NOT NULL,
    held          BOOLEAN        NOT NULL,  -- whether that attempt still holds it
    holder        VARBINARY(200),
    since         BIGINT,
    beat          BIGINT,                   -- the holder's last sign of life
    silence_limit BIGINT,                   -- the holder's own
    free_at       BIGINT         NOT NULL,  -- from when on another attempt may take it, held or not; 0: at once
    PRIMARY KEY (name)
) ENGINE = InnoDB;
