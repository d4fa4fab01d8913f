package io.holdfast.app.race;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** {@link OrdinaryTables} on PostgreSQL and MySQL. */
final class SqlTables implements OrdinaryTables {
    private static final String PG_UNIQUE = "23505";
    private static final int MYSQL_DUPLICATE = 1062;

    private final DataSource connections;
    private final Dialect dialect;
    private final String prefix;

    /** Where the two engines differ. */
    enum Dialect {
        POSTGRES("text", "timestamptz", "clock_timestamp() - ? * interval '1 millisecond'"),
        // Exact, or keys that differ in case alone would be one.
        MYSQL("varchar(255) collate utf8mb4_bin", "datetime(6)", "utc_timestamp(6) - interval ? * 1000 microsecond");

        final String text;
        final String time;
        /** The time that lies a number of milliseconds back. */
        final String ago;

        Dialect(String text, String time, String ago) {
            this.text = text;
            this.time = time;
            this.ago = ago;
        }

        static Dialect of(String url) {
            return url.startsWith("jdbc:mysql:") ? MYSQL : POSTGRES;
        }
    }

    SqlTables(DataSource connections, Dialect dialect, String prefix) {
        this.connections = connections;
        this.dialect = dialect;
        this.prefix = prefix;
    }

    @Override
    public void create() {
        KEYED.forEach(table -> new SqlKeyed(table).create());
        LISTED.forEach(table -> new SqlListed(table).create());
    }

    @Override
    public Keyed keyed(String table) {
        return new SqlKeyed(table);
    }

    @Override
    public Listed listed(String table) {
        return new SqlListed(table);
    }

    private final class SqlKeyed implements Keyed {
        private static final String CREATE = """
                create table old (
                  name %1$s not null primary key,
                  value %1$s not null,
                  inserted %2$s not null)""";
        private static final String INSERT = """
                insert into old (name, value, inserted) values (?, ?, %s)""";
        private static final String FIND = """
                select value from old where name = ?""";
        private static final String FIND_YOUNG = """
                select value from old where name = ? and inserted > %s""";
        private static final String SET = """
                update old set value = ? where name = ?""";
        private static final String SET_IF = """
                update old set value = ? where name = ? and value = ?""";
        private static final String DELETE = """
                delete from old where name = ?""";

        private final String table;

        SqlKeyed(String table) {
            this.table = table;
        }

        void create() {
            run(table, CREATE.formatted(dialect.text, dialect.time));
        }

        @Override
        public void insert(String key, String value) {
            try {
                execute(table, INSERT.formatted(dialect.ago), key, value, 0L);
            } catch (SQLException e) {
                if (PG_UNIQUE.equals(e.getSQLState()) || e.getErrorCode() == MYSQL_DUPLICATE) {
                    throw new Duplicate(key, e);
                }
                throw new StoreFailed(e);
            }
        }

        @Override
        public Optional<String> find(String key) {
            return read(table, FIND, key);
        }

        @Override
        public Optional<String> find(String key, Duration youngerThan) {
            return read(table, FIND_YOUNG.formatted(dialect.ago), key, youngerThan.toMillis());
        }

        @Override
        public void set(String key, String value) {
            run(table, SET, value, key);
        }

        @Override
        public boolean set(String key, String old, String value) {
            return run(table, SET_IF, value, key, old) == 1;
        }

        @Override
        public void delete(String key) {
            run(table, DELETE, key);
        }
    }

    private final class SqlListed implements Listed {
        private static final String CREATE = """
                create table old (
                  id varchar(36) not null primary key,
                  name %1$s not null,
                  state varchar(20) not null,
                  error varchar(1000),
                  started %2$s not null)""";
        private static final String BY_NAME = """
                create index old_name on old (name, state)""";
        private static final String INSERT = """
                insert into old (id, name, state, started) values (?, ?, ?, %s)""";
        private static final String NEWEST = """
                select id from old
                where name = ? and state = ? and started > %s
                order by started desc limit 1""";
        private static final String MARK = """
                update old set state = ? where id = ?""";
        private static final String MARK_ALL = """
                update old set state = ?, error = ? where name = ? and state = ?""";

        private final String table;

        SqlListed(String table) {
            this.table = table;
        }

        void create() {
            run(table, CREATE.formatted(dialect.text, dialect.time));
            run(table, BY_NAME);
        }

        @Override
        public void insert(String id, String key, String state, Duration age) {
            run(table, INSERT.formatted(dialect.ago), id, key, state, age.toMillis());
        }

        @Override
        public Optional<String> newest(String key, String state, Duration youngerThan) {
            return read(table, NEWEST.formatted(dialect.ago), key, state, youngerThan.toMillis());
        }

        @Override
        public void mark(String id, String state) {
            run(table, MARK, state, id);
        }

        @Override
        public void markAll(String key, String old, String state, String error) {
            run(table, MARK_ALL, state, error, key, old);
        }
    }

    private int run(String table, String sql, Object... values) {
        try {
            return execute(table, sql, values);
        } catch (SQLException e) {
            throw new StoreFailed(e);
        }
    }

    private int execute(String table, String sql, Object... values) throws SQLException {
        try (Connection connection = connections.getConnection();
                PreparedStatement statement = prepare(connection, table, sql, values)) {
            return statement.executeUpdate();
        }
    }

    private Optional<String> read(String table, String sql, Object... values) {
        try (Connection connection = connections.getConnection();
                PreparedStatement statement = prepare(connection, table, sql, values);
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
        } catch (SQLException e) {
            throw new StoreFailed(e);
        }
    }

    private PreparedStatement prepare(Connection connection, String table, String sql, Object... values)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql.replace("old", prefix + "old_" + table));
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
