package io.holdfast.postgres;

import java.io.Serial;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.PooledConnection;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGConnectionPoolDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The driver's own connection, kept until it breaks, and nothing sent on it that was not asked for. For one thread. */
final class KeptConnection extends PGSimpleDataSource {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient PGConnectionPoolDataSource connections = new PGConnectionPoolDataSource();
    private transient @Nullable PooledConnection kept;

    KeptConnection(String url) {
        connections.setUrl(url);
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (kept == null) {
            kept = connections.getPooledConnection();
            kept.addConnectionEventListener(new ConnectionEventListener() {
                @Override
                public void connectionClosed(ConnectionEvent event) {}

                @Override
                public void connectionErrorOccurred(ConnectionEvent event) {
                    kept = null;
                }
            });
        }
        return kept.getConnection();
    }
}
