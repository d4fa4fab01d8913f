package io.holdfast.contract.interleaving;

import io.holdfast.contract.Ports;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The adapter on one connection that is kept, and that stops before every step: a statement, a commit, a roll-back. Where
 * a statement brings its COMMIT along in one text, as on PostgreSQL, the two are sent one after the other, so that there is
 * a moment between them.
 */
final class Session implements AutoCloseable {
    private static final Pattern WITH_COMMIT = Pattern.compile("(?s)(BEGIN.*);\\s*COMMIT");

    /** What else a session sends concerns nobody but itself. */
    private static final Pattern ENDS_TRANSACTION = Pattern.compile("(COMMIT|ROLLBACK)\\b.*");

    private static final Pattern WRITE = Pattern.compile("(INSERT INTO|UPDATE|DELETE FROM)\\s+holdfast_(\\w+)");

    private final SteppedServer server;
    private final UnaryOperator<String> spoilt;
    private final Ports ports;
    private final List<String> errors = new ArrayList<>();
    private @Nullable Connection kept;
    private Consumer<String> stop = step -> {};

    /**
     * @param spoilt makes other statements of the adapter's, to see what comes of it
     */
    Session(SteppedServer server, UnaryOperator<String> spoilt) {
        this.server = server;
        this.spoilt = spoilt;
        ports = server.on(proxy(
                DataSource.class,
                (method, arguments) -> method.getName().equals("getConnection")
                        ? stepped(connection())
                        : method.invoke(this, arguments)));
    }

    Ports ports() {
        return ports;
    }

    /** What the server calls it. */
    long id() throws SQLException {
        return server.id(connection());
    }

    /** From now on it stops here. */
    void stopsAt(Consumer<String> place) {
        stop = place;
        errors.clear();
    }

    /** What the server has refused since, by its codes. */
    List<String> errors() {
        return List.copyOf(errors);
    }

    private Connection connection() throws SQLException {
        if (kept == null || kept.isClosed()) {
            kept = server.connect();
        }
        return kept;
    }

    @Override
    public void close() throws SQLException {
        if (kept != null) {
            kept.close();
        }
    }

    private Connection stepped(Connection own) {
        return proxy(Connection.class, (method, arguments) -> switch (method.getName()) {
            case "close" -> null;
            case "prepareStatement" -> prepared(own, method, arguments);
            case "createStatement" -> plain((Statement) method.invoke(own, arguments));
            default -> method.invoke(own, arguments);
        });
    }

    private PreparedStatement prepared(Connection own, Method method, Object[] arguments) throws Exception {
        String text = spoilt.apply((String) arguments[0]);
        Matcher both = WITH_COMMIT.matcher(text);
        arguments[0] = both.matches() ? both.group(1) : text;
        PreparedStatement statement = (PreparedStatement) method.invoke(own, arguments);
        return proxy(PreparedStatement.class, (called, values) -> {
            if (!called.getName().startsWith("execute")) {
                return called.invoke(statement, values);
            }
            stop.accept(name(text));
            Object answer = called.invoke(statement, values);
            if (both.matches()) {
                commit(own);
            }
            return answer;
        });
    }

    private void commit(Connection own) throws SQLException {
        if (server.isFelt(own)) {
            stop.accept("COMMIT");
        }
        try (Statement commit = own.createStatement()) {
            commit.execute("COMMIT");
        }
    }

    private Statement plain(Statement statement) {
        return proxy(Statement.class, (method, arguments) -> {
            if (method.getName().equals("execute")
                    && ENDS_TRANSACTION.matcher((String) arguments[0]).matches()) {
                stop.accept(((String) arguments[0]).split(" ", 2)[0]);
            }
            return method.invoke(statement, arguments);
        });
    }

    private static String name(String text) {
        Matcher write = WRITE.matcher(text);
        return write.find() ? write.group(1).split(" ", 2)[0] + " " + write.group(2) : "SELECT";
    }

    @FunctionalInterface
    private interface Call {
        @Nullable
        Object made(Method method, Object[] arguments) throws Exception;
    }

    private <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                Session.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return call.made(method, arguments);
                    } catch (InvocationTargetException e) {
                        if (e.getCause() instanceof SQLException refused) {
                            errors.add(refused.getSQLState() + "/" + refused.getErrorCode());
                        }
                        throw e.getCause();
                    }
                }));
    }
}
