package io.holdfast.docs;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** What a sample has at hand for statements of its own. */
final class Sql {
    private Sql() {}

    static void run(DataSource database, String statement, Object... values) {
        try (Connection connection = database.getConnection();
                PreparedStatement prepared = prepare(connection, statement, values)) {
            prepared.execute();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static String read(DataSource database, String query, Object... values) {
        try (Connection connection = database.getConnection();
                PreparedStatement prepared = prepare(connection, query, values);
                ResultSet rows = prepared.executeQuery()) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static PreparedStatement prepare(Connection connection, String statement, Object... values)
            throws SQLException {
        PreparedStatement prepared = connection.prepareStatement(statement);
        for (int i = 0; i < values.length; i++) {
            prepared.setObject(i + 1, values[i]);
        }
        return prepared;
    }
}
