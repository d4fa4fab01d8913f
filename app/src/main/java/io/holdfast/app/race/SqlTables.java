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

    private static final String SITES = """
            create table old_site (
              slug %1$s not null primary key,
              app %1$s not null)""";
    private static final String DEPLOYMENTS = """
            create table old_deployment (
              id varchar(36) not null primary key,
              app %1$s not null,
              state varchar(20) not null,
              error varchar(1000),
              started %2$s not null)""";
    private static final String BY_APP = """
            create index old_deployment_app on old_deployment (app, state)""";
    private static final String OWNER = """
            select app from old_site where slug = ?""";
    private static final String REGISTER = """
            insert into old_site (slug, app) values (?, ?)""";
    private static final String BUILDING = """
            select id from old_deployment
            where app = ? and state = 'building' and started > %s
            order by started desc limit 1""";
    private static final String FAIL = """
            update old_deployment set state = 'failed', error = ?
            where app = ? and state = 'building'""";
    private static final String INSERT = """
            insert into old_deployment (id, app, state, started) values (?, ?, ?, %s)""";
    private static final String MARK = """
            update old_deployment set state = ? where id = ?""";

    /** Where the two engines differ. */
    enum Dialect {
        POSTGRES("text", "timestamptz", "clock_timestamp() - ? * interval '1 millisecond'"),
        // Exact, or apps that differ in case alone would be one.
        MYSQL("varchar(255) collate utf8mb4_bin", "datetime(6)", "utc_timestamp(6) - interval ? * 1000 microsecond");

        final String key;
        final String time;
        /** The time that lies a number of milliseconds back. */
        final String ago;

        Dialect(String key, String time, String ago) {
            this.key = key;
            this.time = time;
            this.ago = ago;
        }

        static Dialect of(String url) {
            return url.startsWith("jdbc:mysql:") ? MYSQL : POSTGRES;
        }
    }

    private final DataSource connections;
    private final String prefix;
    private final Dialect dialect;

    SqlTables(DataSource connections, Dialect dialect, String prefix) {
        this.connections = connections;
        this.dialect = dialect;
        this.prefix = prefix;
    }

    @Override
    public void create() {
        run(SITES.formatted(dialect.key));
        run(DEPLOYMENTS.formatted(dialect.key, dialect.time));
        run(BY_APP);
    }

    @Override
    public Optional<String> ownerOf(String slug) {
        return read(OWNER, slug);
    }

    @Override
    public void register(String slug, String app) {
        try {
            execute(REGISTER, slug, app);
        } catch (SQLException e) {
            if (PG_UNIQUE.equals(e.getSQLState()) || e.getErrorCode() == MYSQL_DUPLICATE) {
                throw new DuplicateName(slug, e);
            }
            throw new StoreFailed(e);
        }
    }

    @Override
    public Optional<String> building(String app, Duration youngerThan) {
        return read(BUILDING.formatted(dialect.ago), app, youngerThan.toMillis());
    }

    @Override
    public void failBuilding(String app, String error) {
        run(FAIL, error, app);
    }

    @Override
    public void insert(String id, String app, String state, Duration age) {
        run(INSERT.formatted(dialect.ago), id, app, state, age.toMillis());
    }

    @Override
    public void mark(String id, String state) {
        run(MARK, state, id);
    }

    private void run(String sql, Object... values) {
        try {
            execute(sql, values);
        } catch (SQLException e) {
            throw new StoreFailed(e);
        }
    }

    private void execute(String sql, Object... values) throws SQLException {
        try (Connection connection = connections.getConnection();
                PreparedStatement statement = prepare(connection, sql, values)) {
            statement.executeUpdate();
        }
    }

    private Optional<String> read(String sql, Object... values) {
        try (Connection connection = connections.getConnection();
                PreparedStatement statement = prepare(connection, sql, values);
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
        } catch (SQLException e) {
            throw new StoreFailed(e);
        }
    }

    private PreparedStatement prepare(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql.replace("old_", prefix + "old_"));
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
