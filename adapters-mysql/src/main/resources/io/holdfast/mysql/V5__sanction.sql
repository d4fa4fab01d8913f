-- Sanctions: the active one of each account, and its last ones.
-- All times are microseconds since 1970 by this server's clock. Text is UTF-8 in VARBINARY, compared byte for byte.

CREATE TABLE IF NOT EXISTS holdfast_sanction (
    id             BINARY(16)      NOT NULL,
    account        VARBINARY(255)  NOT NULL,
    number         BIGINT          NOT NULL,  -- the account's first one is 1, each later one is one more
    reason         VARBINARY(1000) NOT NULL,
    imposed_by     VARBINARY(200)  NOT NULL,
    since          BIGINT          NOT NULL,
    ends_at        BIGINT,                    -- when it ends by itself; null: never
    -- active also when its time is over, until the next one is imposed
    state          ENUM ('active', 'lifted', 'replaced', 'ran_out') CHARACTER SET ascii NOT NULL,
    lifted_by      VARBINARY(200),
    lifted_at      BIGINT,
    replaced_by    BINARY(16),
    -- What decides: one active sanction per account, and any number that have ended, because NULLs are all different.
    active_account VARBINARY(255) GENERATED ALWAYS AS (CASE WHEN state = 'active' THEN account END) VIRTUAL,
    PRIMARY KEY (id),
    UNIQUE KEY holdfast_sanction_number (account, number),
    UNIQUE KEY holdfast_sanction_active (active_account)
) ENGINE = InnoDB;
