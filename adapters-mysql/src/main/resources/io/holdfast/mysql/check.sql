-- What makes this server or these tables unfit to decide: one row for each defect, and what to do about it.
-- Changes nothing. It can be run by hand, too.

WITH wanted_tables (tab) AS (VALUES
    ROW('holdfast_app'),
    ROW('holdfast_deployment'),
    ROW('holdfast_lease'),
    ROW('holdfast_refresh'),
    ROW('holdfast_sanction'),
    ROW('holdfast_save')
), wanted_columns (tab, col, type, required) AS (VALUES
    ROW('holdfast_app',        'app',           'varbinary(255)',  TRUE),
    ROW('holdfast_app',        'attempt',       'binary(16)',      FALSE),
    ROW('holdfast_app',        'fence',         'bigint',          TRUE),
    ROW('holdfast_app',        'building',      'tinyint(1)',      TRUE),
    ROW('holdfast_app',        'holder',        'varbinary(200)',  FALSE),
    ROW('holdfast_app',        'since',         'bigint',          FALSE),
    ROW('holdfast_app',        'beat',          'bigint',          FALSE),
    ROW('holdfast_app',        'silence_limit', 'bigint',          FALSE),
    ROW('holdfast_app',        'free_at',       'bigint',          TRUE),
    ROW('holdfast_app',        'slug',          'varbinary(63)',   FALSE),
    ROW('holdfast_app',        'taken_over',    'binary(16)',      FALSE),
    ROW('holdfast_app',        'live',          'binary(16)',      FALSE),
    ROW('holdfast_deployment', 'id',            'binary(16)',      TRUE),
    ROW('holdfast_deployment', 'app',           'varbinary(255)',  TRUE),
    ROW('holdfast_deployment', 'fence',         'bigint',          TRUE),
    ROW('holdfast_deployment', 'slug',          'varbinary(63)',   TRUE),
    ROW('holdfast_deployment', 'holder',        'varbinary(200)',  TRUE),
    ROW('holdfast_deployment', 'request',       'varbinary(255)',  FALSE),
    ROW('holdfast_deployment', 'started',       'bigint',          TRUE),
    ROW('holdfast_deployment', 'state',         'enum(''building'',''live'',''failed'',''not_started'',''abandoned'')', TRUE),
    ROW('holdfast_deployment', 'detail',        'varbinary(4000)', FALSE),
    ROW('holdfast_deployment', 'taken_over',    'binary(16)',      FALSE),
    ROW('holdfast_deployment', 'by_id',         'binary(16)',      FALSE),
    ROW('holdfast_lease',      'name',          'varbinary(255)',  TRUE),
    ROW('holdfast_lease',      'attempt',       'binary(16)',      FALSE),
    ROW('holdfast_lease',      'fence',         'bigint',          TRUE),
    ROW('holdfast_lease',      'held',          'tinyint(1)',      TRUE),
    ROW('holdfast_lease',      'holder',        'varbinary(200)',  FALSE),
    ROW('holdfast_lease',      'since',         'bigint',          FALSE),
    ROW('holdfast_lease',      'beat',          'bigint',          FALSE),
    ROW('holdfast_lease',      'silence_limit', 'bigint',          FALSE),
    ROW('holdfast_lease',      'free_at',       'bigint',          TRUE),
    ROW('holdfast_refresh',    'family',        'binary(16)',      TRUE),
    ROW('holdfast_refresh',    'generation',    'bigint',          TRUE),
    ROW('holdfast_refresh',    'born',          'bigint',          TRUE),
    ROW('holdfast_refresh',    'born_before',   'bigint',          TRUE),
    ROW('holdfast_refresh',    'token_valid',   'bigint',          TRUE),
    ROW('holdfast_refresh',    'grace',         'bigint',          TRUE),
    ROW('holdfast_refresh',    'expires_at',    'bigint',          TRUE),
    ROW('holdfast_refresh',    'revoked_at',    'bigint',          TRUE),
    ROW('holdfast_sanction',   'id',            'binary(16)',      TRUE),
    ROW('holdfast_sanction',   'account',       'varbinary(255)',  TRUE),
    ROW('holdfast_sanction',   'number',        'bigint',          TRUE),
    ROW('holdfast_sanction',   'reason',        'varbinary(1000)', TRUE),
    ROW('holdfast_sanction',   'imposed_by',    'varbinary(200)',  TRUE),
    ROW('holdfast_sanction',   'since',         'bigint',          TRUE),
    ROW('holdfast_sanction',   'ends_at',       'bigint',          FALSE),
    ROW('holdfast_sanction',   'state',         'enum(''active'',''lifted'',''replaced'',''ran_out'')', TRUE),
    ROW('holdfast_sanction',   'lifted_by',     'varbinary(200)',  FALSE),
    ROW('holdfast_sanction',   'lifted_at',     'bigint',          FALSE),
    ROW('holdfast_sanction',   'replaced_by',   'binary(16)',      FALSE),
    ROW('holdfast_save',       'token',         'binary(32)',      TRUE),
    ROW('holdfast_save',       'refuse',        'tinyint(1)',      TRUE),
    ROW('holdfast_save',       'over_at',       'bigint',          TRUE),
    ROW('holdfast_save',       'fence',         'bigint',          TRUE),
    ROW('holdfast_save',       'held',          'tinyint(1)',      TRUE),
    ROW('holdfast_save',       'attempt',       'binary(16)',      FALSE),
    ROW('holdfast_save',       'holder',        'varbinary(200)',  FALSE),
    ROW('holdfast_save',       'since',         'bigint',          FALSE),
    ROW('holdfast_save',       'beat',          'bigint',          FALSE),
    ROW('holdfast_save',       'silence_limit', 'bigint',          FALSE),
    ROW('holdfast_save',       'free_at',       'bigint',          TRUE),
    ROW('holdfast_save',       'taken_over',    'binary(16)',      FALSE),
    ROW('holdfast_save',       'payload',       'binary(32)',      FALSE),
    ROW('holdfast_save',       'result',        'mediumblob',      FALSE)
), wanted_indexes (name, tab, cols) AS (VALUES
    ROW('PRIMARY',                     'holdfast_app',        'app'),
    ROW('holdfast_app_slug',           'holdfast_app',        'slug'),
    ROW('PRIMARY',                     'holdfast_deployment', 'id'),
    ROW('holdfast_deployment_fence',   'holdfast_deployment', 'app, fence'),
    ROW('holdfast_deployment_request', 'holdfast_deployment', 'app, request'),
    ROW('PRIMARY',                     'holdfast_lease',      'name'),
    ROW('PRIMARY',                     'holdfast_refresh',    'family'),
    ROW('PRIMARY',                     'holdfast_sanction',   'id'),
    ROW('holdfast_sanction_number',    'holdfast_sanction',   'account, number'),
    ROW('holdfast_sanction_active',    'holdfast_sanction',   'active_account'),
    ROW('PRIMARY',                     'holdfast_save',       'token')

-- What there is, and what is wanted, in one collation: the catalogue has one of its own, and the session another. Only of
-- these tables: a database may have thousands of others.
), there_tables (tab, engine) AS (
    SELECT CONVERT(table_name USING utf8mb4) COLLATE utf8mb4_bin, engine
      FROM information_schema.tables
     WHERE table_schema = DATABASE() AND table_name LIKE 'holdfast_%'
), there_columns (tab, col, type, nullable, can_be_left_out, made_of) AS (
    SELECT CONVERT(table_name USING utf8mb4) COLLATE utf8mb4_bin, CONVERT(column_name USING utf8mb4) COLLATE utf8mb4_bin,
           CONVERT(column_type USING utf8mb4) COLLATE utf8mb4_bin, is_nullable = 'YES',
           is_nullable = 'YES' OR column_default IS NOT NULL OR extra LIKE '%auto_increment%' OR extra LIKE '%GENERATED%',
           CONVERT(generation_expression USING utf8mb4) COLLATE utf8mb4_bin
      FROM information_schema.columns
     WHERE table_schema = DATABASE() AND table_name LIKE 'holdfast_%'
), there_indexes (tab, name, is_unique, cols) AS (
    -- A part of a column, as in slug(10), takes two slugs for one.
    SELECT CONVERT(table_name USING utf8mb4) COLLATE utf8mb4_bin, CONVERT(index_name USING utf8mb4) COLLATE utf8mb4_bin,
           non_unique = 0,
           CONVERT(GROUP_CONCAT(CONCAT(COALESCE(column_name, expression), COALESCE(CONCAT('(', sub_part, ')'), ''))
                                ORDER BY seq_in_index SEPARATOR ', ') USING utf8mb4) COLLATE utf8mb4_bin
      FROM information_schema.statistics
     WHERE table_schema = DATABASE() AND table_name LIKE 'holdfast_%'
     GROUP BY table_name, index_name, non_unique
), tables_ (tab, engine) AS (
    SELECT w.tab, t.engine
      FROM wanted_tables w
      LEFT JOIN there_tables t ON t.tab = CONVERT(w.tab USING utf8mb4) COLLATE utf8mb4_bin
), columns_ (tab, col, type, required, found, nullable) AS (
    SELECT w.tab, w.col, CONVERT(w.type USING utf8mb4) COLLATE utf8mb4_bin, w.required, c.type, c.nullable
      FROM wanted_columns w
      JOIN tables_ t ON t.tab = w.tab AND t.engine IS NOT NULL
      LEFT JOIN there_columns c ON c.tab = CONVERT(w.tab USING utf8mb4) COLLATE utf8mb4_bin
                               AND c.col = CONVERT(w.col USING utf8mb4) COLLATE utf8mb4_bin
), indexes_ (tab, name, cols) AS (
    SELECT CONVERT(w.tab USING utf8mb4) COLLATE utf8mb4_bin, CONVERT(w.name USING utf8mb4) COLLATE utf8mb4_bin,
           CONVERT(w.cols USING utf8mb4) COLLATE utf8mb4_bin
      FROM wanted_indexes w
      JOIN tables_ t ON t.tab = w.tab AND t.engine IS NOT NULL
), settings (name, setting) AS (
    SELECT LOWER(variable_name), variable_value FROM performance_schema.global_variables

), findings (importance, wrong, remedy) AS (
    SELECT 1, CONCAT('the server is read-only: ', name, ' is ', setting), 'Connect to the primary'
      FROM settings
     WHERE name IN ('read_only', 'super_read_only', 'innodb_read_only') AND setting = 'ON'
    UNION ALL
    SELECT 1, 'the session is read-only', 'Let the pool hand out connections that may write'
      FROM DUAL
     WHERE @@SESSION.transaction_read_only
    UNION ALL
    SELECT 1, 'the binary log is kept as statements, and the server refuses to write them at READ COMMITTED',
           'SET PERSIST binlog_format = ROW'
      FROM settings
     WHERE name = 'binlog_format' AND setting = 'STATEMENT'
       AND EXISTS (SELECT 1 FROM settings l WHERE l.name = 'log_bin' AND l.setting = 'ON')
    UNION ALL
    SELECT 1, CONCAT('claims that were acknowledged are lost when the machine fails: ', name, ' is ', setting),
           CONCAT('SET PERSIST ', name, ' = 1')
      FROM settings
     WHERE setting <> '1'
       AND (name = 'innodb_flush_log_at_trx_commit'
            OR name = 'sync_binlog' AND EXISTS (SELECT 1 FROM settings l WHERE l.name = 'log_bin' AND l.setting = 'ON'))

    UNION ALL
    SELECT 2, CONCAT('table ', tab, ' is missing'), 'Run migrate(); if it exists, name its database in the URL'
      FROM tables_
     WHERE engine IS NULL
    UNION ALL
    SELECT 2, CONCAT('table ', tab, ' is kept by ', engine, ', which has no transactions'),
           CONCAT('ALTER TABLE ', tab, ' ENGINE = InnoDB')
      FROM tables_
     WHERE engine <> 'InnoDB'

    UNION ALL
    SELECT 3, CONCAT('table ', tab, ' has no column ', col),
           CONCAT('ALTER TABLE ', tab, ' ADD COLUMN ', col, ' ', type, IF(required, ' NOT NULL', ''))
      FROM columns_
     WHERE found IS NULL
    UNION ALL
    SELECT 3,
           CONCAT('column ', col, ' of table ', tab, ' is ', found,
                  CASE WHEN found IN ('datetime', 'timestamp', 'time')
                       THEN ', which rounds to whole seconds and goes with a time zone: a hold would end too early'
                       WHEN found LIKE 'datetime%' OR found LIKE 'timestamp%'
                       THEN ', which goes with a time zone'
                       WHEN found LIKE '%char%' OR found LIKE '%text%'
                       THEN ', whose collation may take two texts for one, as ''job'' and ''JOB'''
                       ELSE '' END),
           CONCAT('ALTER TABLE ', tab, ' MODIFY ', col, ' ', type, IF(required, ' NOT NULL', ''))
      FROM columns_
     WHERE found <> type
    UNION ALL
    SELECT 3, CONCAT('column ', col, ' of table ', tab, ' may be NULL'),
           CONCAT('ALTER TABLE ', tab, ' MODIFY ', col, ' ', type, ' NOT NULL')
      FROM columns_
     WHERE found = type AND required AND nullable
    UNION ALL
    SELECT 3, CONCAT('column ', col, ' of table ', tab, ' must not be NULL, and is empty in a row that nobody ever took'),
           CONCAT('ALTER TABLE ', tab, ' MODIFY ', col, ' ', type)
      FROM columns_
     WHERE found = type AND NOT required AND NOT nullable
    UNION ALL
    SELECT 3, CONCAT('column ', c.col, ' of table ', c.tab, ' must have a value, and no statement here gives it one'),
           CONCAT('ALTER TABLE ', c.tab, ' MODIFY ', c.col, ' ', c.type, ' NULL')
      FROM there_columns c
     WHERE NOT c.can_be_left_out
       AND EXISTS (SELECT 1 FROM columns_ w WHERE w.tab = c.tab)
       AND NOT EXISTS (SELECT 1 FROM columns_ w WHERE w.tab = c.tab AND w.col = c.col)
    UNION ALL
    -- The guard of sanctions. The server writes the character set of the moment in front of the text.
    SELECT 3,
           CONCAT('table ', t.tab, ' has no column active_account that is the account of an active sanction, and NULL of others',
                  COALESCE(CONCAT(', but one that is ', IF(c.made_of = '', c.type, c.made_of)), '')),
           CONCAT('ALTER TABLE ', t.tab, IF(i.name IS NULL, '', CONCAT(' DROP INDEX ', i.name, ',')),
                  IF(c.col IS NULL, '', ' DROP COLUMN active_account,'), ' ADD COLUMN active_account VARBINARY(255)',
                  ' GENERATED ALWAYS AS (CASE WHEN state = ''active'' THEN account END) VIRTUAL',
                  IF(i.name IS NULL, '', CONCAT(', ADD UNIQUE INDEX ', i.name, ' (active_account)')))
      FROM tables_ t
      LEFT JOIN there_columns c ON c.tab = CONVERT(t.tab USING utf8mb4) COLLATE utf8mb4_bin
                               AND c.col = CONVERT('active_account' USING utf8mb4) COLLATE utf8mb4_bin
      LEFT JOIN there_indexes i ON i.tab = c.tab
                               AND i.name = CONVERT('holdfast_sanction_active' USING utf8mb4) COLLATE utf8mb4_bin
     WHERE t.tab = 'holdfast_sanction' AND t.engine IS NOT NULL
       AND (c.col IS NULL OR c.type <> 'varbinary(255)'
            OR c.made_of NOT LIKE '(case when (`state` = %''active%'') then `account` end)')

    -- By its name as well: a renewal names PRIMARY, and what has one of these names may be unique in something else.
    UNION ALL
    SELECT 4, CONCAT('table ', w.tab, ' has no unique index ', w.name, ' on (', w.cols, ')',
                     COALESCE(CONCAT(', but ', IF(f.is_unique, 'one', 'a plain one'), ' on (', f.cols, ')'), '')),
           CONCAT('ALTER TABLE ', w.tab,
                  IF(f.name IS NULL, '', IF(w.name = 'PRIMARY', ' DROP PRIMARY KEY,', CONCAT(' DROP INDEX ', w.name, ','))),
                  ' ADD ', IF(w.name = 'PRIMARY', 'PRIMARY KEY', CONCAT('UNIQUE INDEX ', w.name)), ' (', w.cols, ')')
      FROM indexes_ w
      LEFT JOIN there_indexes f ON f.tab = w.tab AND f.name = w.name
     WHERE f.name IS NULL OR f.cols <> w.cols OR NOT f.is_unique
    UNION ALL
    SELECT 4, CONCAT('index ', f.name, ' of table ', f.tab, ' lets (', f.cols, ') be there once only'),
           CONCAT('ALTER TABLE ', f.tab, ' DROP INDEX ', f.name)
      FROM there_indexes f
     WHERE f.is_unique
       AND EXISTS (SELECT 1 FROM indexes_ w WHERE w.tab = f.tab)
       AND NOT EXISTS (SELECT 1 FROM indexes_ w WHERE w.tab = f.tab AND (w.cols = f.cols OR w.name = f.name))
)
SELECT wrong, remedy FROM findings ORDER BY importance, wrong
