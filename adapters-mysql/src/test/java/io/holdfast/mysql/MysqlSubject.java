package io.holdfast.mysql;

import io.holdfast.Fence;
import io.holdfast.contract.EngineSubject;
import io.holdfast.publish.AppId;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import javax.sql.DataSource;

/** The stores on a test's database, and the hands on its tables. */
final class MysqlSubject implements EngineSubject {
    private final DataSource pool;
    private final MysqlStores stores;
    private final ClaimStore claims;
    private final Deployments deployments;

    MysqlSubject(DataSource pool) {
        this.pool = pool;
        this.stores = MysqlStores.of(pool);
        this.claims = stores.claims();
        this.deployments = stores.deployments();
    }

    MysqlStores stores() {
        return stores;
    }

    @Override
    public ClaimStore claims() {
        return claims;
    }

    @Override
    public Deployments deployments() {
        return deployments;
    }

    @Override
    public void letPass(Duration time) {
        long micros = time.toNanos() / 1_000;
        run("UPDATE holdfast_app SET since = since - ?, beat = beat - ?", micros, micros);
        run("UPDATE holdfast_app SET free_at = free_at - ? WHERE free_at <> 0", micros);
        run("UPDATE holdfast_deployment SET started = started - ?", micros);
    }

    @Override
    public void wipe() {
        run("TRUNCATE holdfast_app");
        run("TRUNCATE holdfast_deployment");
    }

    @Override
    public void deleteByHand(AppId app) {
        run("DELETE FROM holdfast_app WHERE app = ?", (Object) MysqlRows.bytes(app.value()));
        run("DELETE FROM holdfast_deployment WHERE app = ?", (Object) MysqlRows.bytes(app.value()));
    }

    @Override
    public void setFence(AppId app, Fence fence) {
        run("""
                UPDATE holdfast_app a JOIN holdfast_deployment d ON d.id = a.attempt
                   SET a.fence = ?, d.fence = ?
                 WHERE a.app = ?""", fence.value(), fence.value(), MysqlRows.bytes(app.value()));
    }

    @Override
    public String dump(AppId app) {
        return rows("SELECT * FROM holdfast_app WHERE app = ?", app)
                + rows("SELECT * FROM holdfast_deployment WHERE app = ? ORDER BY fence", app);
    }

    private String rows(String sql, AppId app) {
        StringBuilder dump = new StringBuilder();
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setBytes(1, MysqlRows.bytes(app.value()));
            try (ResultSet rows = statement.executeQuery()) {
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    for (int i = 1; i <= columns; i++) {
                        byte[] value = rows.getBytes(i);
                        dump.append(value == null ? "null" : HexFormat.of().formatHex(value))
                                .append(' ');
                    }
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return dump.toString();
    }

    private void run(String sql, Object... values) {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.execute();
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
