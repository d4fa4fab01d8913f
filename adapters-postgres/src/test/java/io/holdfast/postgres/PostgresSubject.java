package io.holdfast.postgres;

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
import javax.sql.DataSource;

/** The stores on a test's database, and the hands on its tables. */
final class PostgresSubject implements EngineSubject {
    private final DataSource pool;
    private final PostgresStores stores;
    private final ClaimStore claims;
    private final Deployments deployments;

    PostgresSubject(DataSource pool) {
        this.pool = pool;
        this.stores = PostgresStores.of(pool);
        this.claims = stores.claims();
        this.deployments = stores.deployments();
    }

    PostgresStores stores() {
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
        run("TRUNCATE holdfast_app, holdfast_deployment");
    }

    @Override
    public void deleteByHand(AppId app) {
        run("DELETE FROM holdfast_app WHERE app = ?", app.value());
        run("DELETE FROM holdfast_deployment WHERE app = ?", app.value());
    }

    @Override
    public void setFence(AppId app, Fence fence) {
        run("""
                WITH moved AS (UPDATE holdfast_app SET fence = ? WHERE app = ? RETURNING attempt, fence)
                UPDATE holdfast_deployment SET fence = moved.fence FROM moved WHERE id = moved.attempt""", fence.value(), app.value());
    }

    @Override
    public String dump(AppId app) {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement("""
                        SELECT concat((SELECT string_agg(a::text, '') FROM holdfast_app a WHERE app = ?), ' of ',
                               (SELECT string_agg(d::text, ' ' ORDER BY fence) FROM holdfast_deployment d WHERE app = ?))""")) {
            statement.setString(1, app.value());
            statement.setString(2, app.value());
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return String.valueOf(rows.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
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
