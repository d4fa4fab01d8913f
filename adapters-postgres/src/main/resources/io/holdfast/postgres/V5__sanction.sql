-- Sanctions: the active one of each account, and its last ones.
-- All times are microseconds since 1970 by this server's clock. Text is compared byte for byte.

CREATE TABLE IF NOT EXISTS holdfast_sanction (
    id          uuid             NOT NULL,
    account     text COLLATE "C" NOT NULL,
    number      bigint           NOT NULL,  -- the account's first one is 1, each later one is one more
    reason      text COLLATE "C" NOT NULL,
    imposed_by  text COLLATE "C" NOT NULL,
    since       bigint           NOT NULL,
    ends_at     bigint,                     -- when it ends by itself; null: never
    state       text COLLATE "C" NOT NULL,  -- active (also when its time is over), lifted, replaced, ran_out
    lifted_by   text COLLATE "C",
    lifted_at   bigint,
    replaced_by uuid,
    CONSTRAINT holdfast_sanction_key PRIMARY KEY (id),
    CONSTRAINT holdfast_sanction_state CHECK (state IN ('active', 'lifted', 'replaced', 'ran_out'))
) WITH (
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 50
);

CREATE UNIQUE INDEX IF NOT EXISTS holdfast_sanction_number ON holdfast_sanction (account, number);
-- What decides: one active sanction per account, and any number that have ended.
CREATE UNIQUE INDEX IF NOT EXISTS holdfast_sanction_active ON holdfast_sanction (account) WHERE state = 'active';
