package io.holdfast.mysql;

import com.mysql.cj.jdbc.MysqlDataSource;
import java.io.Serial;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The driver's own connection, kept until it breaks, and nothing sent on it that was not asked for. For one thread. */
final class KeptConnection extends MysqlDataSource {
    @Serial
    private static final long serialVersionUID = 1L;

    private transient @Nullable Connection kept;

    KeptConnection(String url) {
        setUrl(url);
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (kept == null || kept.isClosed()) {
            kept = MysqlServer.plain(getUrl()).getConnection();
        }
        Connection connection = kept;
        return (Connection) Proxy.newProxyInstance(
                KeptConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
