-- What makes this server, this user or these tables unfit to decide: one row for each defect, and what to do about it.
-- Changes nothing. It can be run by hand, too.

WITH tables (name) AS (VALUES
    ('holdfast_app'),
    ('holdfast_deployment'),
    ('holdfast_lease'),
    ('holdfast_refresh'),
    ('holdfast_sanction'),
    ('holdfast_save')
), columns (tab, name, type, required) AS (VALUES
    -- "C" is exact, and the same everywhere: an index in a language's order breaks when the operating system changes it.
    ('holdfast_app',        'app',           'text COLLATE "C"', true),
    ('holdfast_app',        'attempt',       'uuid',             true),
    ('holdfast_app',        'fence',         'bigint',           true),
    ('holdfast_app',        'building',      'boolean',          true),
    ('holdfast_app',        'holder',        'text COLLATE "C"', true),
    ('holdfast_app',        'since',         'bigint',           true),
    ('holdfast_app',        'beat',          'bigint',           true),
    ('holdfast_app',        'silence_limit', 'bigint',           true),
    ('holdfast_app',        'free_at',       'bigint',           true),
    ('holdfast_app',        'slug',          'text COLLATE "C"', true),
    ('holdfast_app',        'request',       'text COLLATE "C"', false),
    ('holdfast_app',        'taken_over',    'uuid',             false),
    ('holdfast_app',        'live',          'uuid',             false),
    ('holdfast_deployment', 'id',            'uuid',             true),
    ('holdfast_deployment', 'app',           'text COLLATE "C"', true),
    ('holdfast_deployment', 'fence',         'bigint',           true),
    ('holdfast_deployment', 'slug',          'text COLLATE "C"', true),
    ('holdfast_deployment', 'holder',        'text COLLATE "C"', true),
    ('holdfast_deployment', 'request',       'text COLLATE "C"', false),
    ('holdfast_deployment', 'started',       'bigint',           true),
    ('holdfast_deployment', 'state',         'text COLLATE "C"', true),
    ('holdfast_deployment', 'detail',        'text COLLATE "C"', false),
    ('holdfast_deployment', 'taken_over',    'uuid',             false),
    ('holdfast_deployment', 'by_id',         'uuid',             false),
    ('holdfast_lease',      'name',          'text COLLATE "C"', true),
    ('holdfast_lease',      'attempt',       'uuid',             true),
    ('holdfast_lease',      'fence',         'bigint',           true),
    ('holdfast_lease',      'held',          'boolean',          true),
    ('holdfast_lease',      'holder',        'text COLLATE "C"', true),
    ('holdfast_lease',      'since',         'bigint',           true),
    ('holdfast_lease',      'beat',          'bigint',           true),
    ('holdfast_lease',      'silence_limit', 'bigint',           true),
    ('holdfast_lease',      'free_at',       'bigint',           true),
    ('holdfast_refresh',    'family',        'uuid',             true),
    ('holdfast_refresh',    'generation',    'bigint',           true),
    ('holdfast_refresh',    'born',          'bigint',           true),
    ('holdfast_refresh',    'born_before',   'bigint',           true),
    ('holdfast_refresh',    'token_valid',   'bigint',           true),
    ('holdfast_refresh',    'grace',         'bigint',           true),
    ('holdfast_refresh',    'expires_at',    'bigint',           true),
    ('holdfast_refresh',    'revoked_at',    'bigint',           true),
    ('holdfast_sanction',   'id',            'uuid',             true),
    ('holdfast_sanction',   'account',       'text COLLATE "C"', true),
    ('holdfast_sanction',   'number',        'bigint',           true),
    ('holdfast_sanction',   'reason',        'text COLLATE "C"', true),
    ('holdfast_sanction',   'imposed_by',    'text COLLATE "C"', true),
    ('holdfast_sanction',   'since',         'bigint',           true),
    ('holdfast_sanction',   'ends_at',       'bigint',           false),
    ('holdfast_sanction',   'state',         'text COLLATE "C"', true),
    ('holdfast_sanction',   'lifted_by',     'text COLLATE "C"', false),
    ('holdfast_sanction',   'lifted_at',     'bigint',           false),
    ('holdfast_sanction',   'replaced_by',   'uuid',             false),
    ('holdfast_save',       'token',         'bytea',            true),
    ('holdfast_save',       'refuse',        'boolean',          true),
    ('holdfast_save',       'over_at',       'bigint',           true),
    ('holdfast_save',       'fence',         'bigint',           true),
    ('holdfast_save',       'held',          'boolean',          true),
    ('holdfast_save',       'attempt',       'uuid',             false),
    ('holdfast_save',       'holder',        'text COLLATE "C"', false),
    ('holdfast_save',       'since',         'bigint',           true),
    ('holdfast_save',       'beat',          'bigint',           true),
    ('holdfast_save',       'silence_limit', 'bigint',           true),
    ('holdfast_save',       'free_at',       'bigint',           true),
    ('holdfast_save',       'taken_over',    'uuid',             false),
    ('holdfast_save',       'payload',       'bytea',            false),
    ('holdfast_save',       'result',        'bytea',            false)
), indexes (name, tab, cols, predicate) AS (VALUES
    ('holdfast_app_key',             'holdfast_app',        'app',          NULL),
    ('holdfast_app_slug',            'holdfast_app',        'slug',         NULL),
    ('holdfast_deployment_key',      'holdfast_deployment', 'id',           NULL),
    ('holdfast_deployment_fence',    'holdfast_deployment', 'app, fence',   NULL),
    ('holdfast_deployment_request',  'holdfast_deployment', 'app, request', '(request IS NOT NULL)'),
    ('holdfast_deployment_building', 'holdfast_deployment', 'app',          '(state = ''building''::text)'),
    ('holdfast_lease_key',           'holdfast_lease',      'name',         NULL),
    ('holdfast_refresh_key',         'holdfast_refresh',    'family',       NULL),
    ('holdfast_sanction_key',        'holdfast_sanction',   'id',              NULL),
    ('holdfast_sanction_number',     'holdfast_sanction',   'account, number', NULL),
    ('holdfast_sanction_active',     'holdfast_sanction',   'account',         '(state = ''active''::text)'),
    ('holdfast_save_key',            'holdfast_save',       'token',           NULL)

), found_tables AS (
    SELECT t.name, c.oid, c.relpersistence
      FROM tables t
      LEFT JOIN pg_class c ON c.oid = to_regclass(t.name)
), found_columns AS (
    SELECT t.name AS tab, a.attname AS name, a.attnotnull AS required,
           a.atthasdef OR a.attidentity <> '' AS fills_itself,
           format_type(a.atttypid, a.atttypmod) || coalesce(' COLLATE ' || quote_ident(c.collname), '') AS type
      FROM found_tables t
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_collation c ON c.oid = a.attcollation
), found_indexes AS (
    SELECT t.name AS tab, c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition,
           string_agg(pg_get_indexdef(i.indexrelid, n, true), ', ' ORDER BY n) AS cols,
           pg_get_expr(i.indpred, i.indrelid) AS predicate,
           EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid) AS constrains,
           -- One in another collation may take two keys for one; one that is deferrable or half built decides nothing.
           i.indisvalid AND i.indisready AND i.indimmediate
               AND bool_and(i.indcollation[n - 1] = coalesce(a.attcollation, 0)) AS usable
      FROM found_tables t
      JOIN pg_index i ON i.indrelid = t.oid AND i.indisunique
      JOIN pg_class c ON c.oid = i.indexrelid
      CROSS JOIN generate_series(1, i.indnkeyatts) AS n
      LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[n - 1]
     GROUP BY t.name, c.relname, i.indexrelid, i.indrelid, i.indpred, i.indisvalid, i.indisready, i.indimmediate

), findings (rank, wrong, remedy) AS (
    SELECT 1, 'the server is PostgreSQL ' || current_setting('server_version'), 'Use version 13 or newer'
     WHERE current_setting('server_version_num')::int < 130000
    UNION ALL
    SELECT 1, 'the database is encoded in ' || current_setting('server_encoding') || ', which has no place for all text',
           'Make one with ENCODING ''UTF8'''
     WHERE current_setting('server_encoding') <> 'UTF8'
    UNION ALL
    SELECT 1, 'the session is read-only',
           'Connect to the primary; if this is it, set default_transaction_read_only to off for user ' || current_user
     WHERE current_setting('transaction_read_only')::boolean
    UNION ALL
    -- full_page_writes is not asked for: it is rightly off where the file system writes a page as a whole.
    SELECT 1, 'fsync is off: a crash of the machine takes back what was acknowledged',
           'Set fsync to on (Testcontainers turns it off: withCommand("postgres") leaves it on)'
     WHERE NOT current_setting('fsync')::boolean

    UNION ALL
    SELECT 2, format('table %s is missing', t.name), 'Run migrate(); if it exists, put its schema on the search_path'
      FROM found_tables t
     WHERE t.oid IS NULL
    UNION ALL
    SELECT 2, format('table %s is emptied when the server crashes', t.name), format('ALTER TABLE %s SET LOGGED', t.name)
      FROM found_tables t
     WHERE t.relpersistence <> 'p'
    UNION ALL
    SELECT 2, format('user %s has no right to %s on table %s', current_user, p, t.name),
           format('GRANT %s ON %s TO %I', p, t.name, current_user)
      FROM found_tables t, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS p
     WHERE t.oid IS NOT NULL AND NOT has_table_privilege(t.oid, p)

    UNION ALL
    SELECT 3, format('table %s has no column %s', c.tab, c.name), format('ALTER TABLE %s ADD COLUMN %s %s%s', c.tab, c.name,
           c.type, CASE WHEN c.required THEN ' NOT NULL' END)
      FROM columns c
      JOIN found_tables t ON t.name = c.tab AND t.oid IS NOT NULL
     WHERE NOT EXISTS (SELECT FROM found_columns f WHERE f.tab = c.tab AND f.name = c.name)
    UNION ALL
    SELECT 3, format('column %s of table %s is %s', c.name, c.tab, f.type),
           format('ALTER TABLE %s ALTER COLUMN %s TYPE %s', c.tab, c.name, c.type)
      FROM columns c
      JOIN found_columns f ON f.tab = c.tab AND f.name = c.name
     WHERE f.type <> c.type
    UNION ALL
    SELECT 3, format('column %s of table %s may be NULL', c.name, c.tab),
           format('ALTER TABLE %s ALTER COLUMN %s SET NOT NULL', c.tab, c.name)
      FROM columns c
      JOIN found_columns f ON f.tab = c.tab AND f.name = c.name
     WHERE c.required AND NOT f.required
    UNION ALL
    SELECT 3, format('column %I of table %s must be given, and nothing here gives it', f.name, f.tab),
           format('ALTER TABLE %s ALTER COLUMN %I DROP NOT NULL', f.tab, f.name)
      FROM found_columns f
     WHERE f.required AND NOT f.fills_itself
       AND NOT EXISTS (SELECT FROM columns c WHERE c.tab = f.tab AND c.name = f.name)

    UNION ALL
    SELECT 4, format('table %s has no unique index on (%s)%s that is valid and called %s', i.tab, i.cols,
                     ' WHERE ' || i.predicate, i.name)
                  || coalesce(', but ' || (SELECT min(f.definition) FROM found_indexes f WHERE f.name = i.name), ''),
           CASE WHEN i.name LIKE '%\_key'
                THEN format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %s, ADD CONSTRAINT %2$s PRIMARY KEY (%3$s)',
                            i.tab, i.name, i.cols)
                ELSE format('DROP INDEX IF EXISTS %s; CREATE UNIQUE INDEX %1$s ON %2$s (%3$s)%4$s',
                            i.name, i.tab, i.cols, ' WHERE ' || i.predicate)
           END
      FROM indexes i
      JOIN found_tables t ON t.name = i.tab AND t.oid IS NOT NULL
     WHERE NOT EXISTS (SELECT FROM found_indexes f
                        WHERE f.name = i.name AND f.tab = i.tab AND f.cols = i.cols
                          AND f.predicate IS NOT DISTINCT FROM i.predicate AND f.usable)
    UNION ALL
    SELECT 4, format('index %s lets (%s)%s be there once only', f.name, f.cols, ' WHERE ' || f.predicate),
           CASE WHEN f.constrains THEN format('ALTER TABLE %s DROP CONSTRAINT %I', f.tab, f.name)
                ELSE format('DROP INDEX %I', f.name)
           END
      FROM found_indexes f
     WHERE NOT EXISTS (SELECT FROM indexes i
                        WHERE i.tab = f.tab AND i.cols = f.cols AND i.predicate IS NOT DISTINCT FROM f.predicate)
       AND f.name NOT IN (SELECT name FROM indexes)
)
SELECT wrong, remedy FROM findings ORDER BY rank, wrong
