-- Publishing: who may publish an app (one row per app) and what was published (its last deployments).
-- All times are microseconds since 1970 by this server's clock. Text is UTF-8 in VARBINARY, compared byte for byte: the
-- usual collations make one key of 'job', 'JOB' and 'jób'. To read it: SELECT CONVERT(app USING utf8mb4) ...

CREATE TABLE IF NOT EXISTS holdfast_app (
    app           VARBINARY(255) NOT NULL,
    attempt       BINARY(16),               -- the last one that took the app, and the id of its deployment
    fence         BIGINT         NOT NULL,
    building      BOOLEAN        NOT NULL,  -- whether that attempt still holds the app
    holder        VARBINARY(200),
    since         BIGINT,
    beat          BIGINT,                   -- the holder's last sign of life
    silence_limit BIGINT,                   -- the holder's own
    free_at       BIGINT         NOT NULL,  -- from when on another attempt may take it; 0: at once
    slug          VARBINARY(63),
    taken_over    BINARY(16),               -- the attempt whose silent hold this one ended
    live          BINARY(16),               -- the deployment that users see
    PRIMARY KEY (app),
    -- Not on beat or free_at: a heartbeat changes these two and nothing else, and so touches no index.
    UNIQUE KEY holdfast_app_slug (slug)
) ENGINE = InnoDB;

CREATE TABLE IF NOT EXISTS holdfast_deployment (
    id         BINARY(16)     NOT NULL,
    app        VARBINARY(255) NOT NULL,
    fence      BIGINT         NOT NULL,
    slug       VARBINARY(63)  NOT NULL,
    holder     VARBINARY(200) NOT NULL,
    request    VARBINARY(255),
    started    BIGINT         NOT NULL,
    state      ENUM ('building', 'live', 'failed', 'not_started', 'abandoned') CHARACTER SET ascii NOT NULL,
    detail     VARBINARY(4000),             -- the url, the error, the reason
    taken_over BINARY(16),
    by_id      BINARY(16),                  -- who took over, when abandoned
    PRIMARY KEY (id),
    UNIQUE KEY holdfast_deployment_fence (app, fence),
    UNIQUE KEY holdfast_deployment_request (app, request)
) ENGINE = InnoDB;
