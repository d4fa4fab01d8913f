-- Publishing: who may publish an app (one row per app) and what was published (its last deployments).
-- All times are microseconds since 1970 by this server's clock. Text is compared byte for byte.

CREATE TABLE IF NOT EXISTS holdfast_app (
    app           text COLLATE "C" NOT NULL,
    attempt       uuid             NOT NULL,  -- the last one that took the app, and the id of its deployment
    fence         bigint           NOT NULL,
    building      boolean          NOT NULL,  -- whether that attempt still holds the app
    holder        text COLLATE "C" NOT NULL,
    since         bigint           NOT NULL,
    beat          bigint           NOT NULL,  -- the holder's last sign of life
    silence_limit bigint           NOT NULL,  -- the holder's own
    free_at       bigint           NOT NULL,  -- from when on another attempt may take it; 0: at once
    slug          text COLLATE "C" NOT NULL,
    request       text COLLATE "C",           -- the last idempotency key
    taken_over    uuid,                       -- the attempt whose silent hold this one ended
    live          uuid,                       -- the deployment that users see
    CONSTRAINT holdfast_app_key PRIMARY KEY (app)
) WITH (
    -- A heartbeat changes beat and free_at, and nothing else. As long as neither is in an index and the page has room, the
    -- new row version stays in its page and touches no index (HOT). So: no index on them, ever.
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 50
);

CREATE UNIQUE INDEX IF NOT EXISTS holdfast_app_slug ON holdfast_app (slug);

CREATE TABLE IF NOT EXISTS holdfast_deployment (
    id         uuid             NOT NULL,
    app        text COLLATE "C" NOT NULL,
    fence      bigint           NOT NULL,
    slug       text COLLATE "C" NOT NULL,
    holder     text COLLATE "C" NOT NULL,
    request    text COLLATE "C",
    started    bigint           NOT NULL,
    state      text COLLATE "C" NOT NULL,  -- building, live, failed, not_started, abandoned
    detail     text COLLATE "C",           -- the url, the error, the reason
    taken_over uuid,
    by_id      uuid,                       -- who took over, when abandoned
    CONSTRAINT holdfast_deployment_key PRIMARY KEY (id),
    CONSTRAINT holdfast_deployment_state CHECK (state IN ('building', 'live', 'failed', 'not_started', 'abandoned'))
) WITH (
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 50
);

CREATE UNIQUE INDEX IF NOT EXISTS holdfast_deployment_fence ON holdfast_deployment (app, fence);
CREATE UNIQUE INDEX IF NOT EXISTS holdfast_deployment_request ON holdfast_deployment (app, request) WHERE request IS NOT NULL;
-- A take whose snapshot was too old to see the deployment that it should abandon fails here, and is made again.
CREATE UNIQUE INDEX IF NOT EXISTS holdfast_deployment_building ON holdfast_deployment (app) WHERE state = 'building';
