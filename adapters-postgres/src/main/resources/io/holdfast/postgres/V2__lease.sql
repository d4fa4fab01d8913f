
-- Leases: who may do what their names stand for. One row for each name that was ever used, so that its fence goes on.

CREATE TABLE IF NOT EXISTS holdfast_lease (
    name          text COLLATE "C" NOT NULL,
    attempt       uuid             NOT NULL,  -- the last one that took it
    fence         bigint           NOT NULL,
    held          boolean          NOT NULL,  -- whether that attempt still holds it
    holder        text COLLATE "C" NOT NULL,
    since         bigint           NOT NULL,
    beat          bigint           NOT NULL,  -- the holder's last sign of life
    silence_limit bigint           NOT NULL,  -- the holder's own
    free_at       bigint           NOT NULL,  -- from when on another attempt may take it, held or not; 0: at once
    CONSTRAINT holdfast_lease_key PRIMARY KEY (name)
) WITH (
    -- As for holdfast_app: heartbeats are to be HOT.
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 50
);
