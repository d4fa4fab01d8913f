package io.holdfast.contract.mutation;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Predicate;
import javax.sql.DataSource;

/** Connections whose statements go over a {@link Wire}. */
public final class JdbcWire {
    private JdbcWire() {}

    /**
     * A new connection for each that is asked for.
     *
     * @param isNonsense whether the server says that this is no statement
     */
    public static DataSource to(String url, Wire<String> wire, Predicate<SQLException> isNonsense) {
        return to(() -> DriverManager.getConnection(url), wire, isNonsense);
    }

    /** The same, of connections to what is behind another wire. */
    public static DataSource to(DataSource behind, Wire<String> wire, Predicate<SQLException> isNonsense) {
        return to(behind::getConnection, wire, isNonsense);
    }

    private interface Source {
        Connection connection() throws SQLException;
    }

    private static DataSource to(Source source, Wire<String> wire, Predicate<SQLException> isNonsense) {
        return proxy(DataSource.class, (proxy, method, args) -> {
            if (method.getName().equals("getConnection")) {
                return connection(source.connection(), wire, isNonsense);
            }
            return method.getName().equals("getLoginTimeout") ? (Object) DriverManager.getLoginTimeout() : null;
        });
    }

    private static Connection connection(Connection real, Wire<String> wire, Predicate<SQLException> isNonsense) {
        return proxy(Connection.class, (proxy, method, args) -> {
            boolean isText = method.getName().equals("prepareStatement");
            Object[] sent = isText ? changed(args, wire) : args;
            Object answer = call(real, method, sent);
            boolean isChanged = isText && !sent[0].equals(args[0]);
            return answer instanceof PreparedStatement prepared
                    ? statement(PreparedStatement.class, prepared, wire, isNonsense, isChanged)
                    : answer instanceof Statement plain
                            ? statement(Statement.class, plain, wire, isNonsense, false)
                            : answer;
        });
    }

    private static <S extends Statement> S statement(
            Class<S> type, S real, Wire<String> wire, Predicate<SQLException> isNonsense, boolean isChanged) {
        return proxy(type, (proxy, method, args) -> {
            boolean isText = args != null
                    && args[0] instanceof String
                    && method.getName().startsWith("execute");
            Object[] sent = isText ? changed(args, wire) : args;
            boolean isMutated = isText ? !sent[0].equals(args[0]) : isChanged;
            try {
                return call(real, method, sent);
            } catch (SQLException e) {
                if (isMutated && isNonsense.test(e)) {
                    wire.refuse(String.valueOf(e.getMessage()));
                }
                throw e;
            }
        });
    }

    private static Object[] changed(Object[] args, Wire<String> wire) {
        Object[] changed = args.clone();
        changed[0] = wire.send((String) args[0]);
        return changed;
    }

    private static Object call(Object real, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(real, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(JdbcWire.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
