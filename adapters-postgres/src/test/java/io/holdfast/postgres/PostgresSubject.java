package io.holdfast.postgres;

import io.holdfast.Fence;
import io.holdfast.contract.EngineSubject;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseStore;
import io.holdfast.publish.AppId;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.save.SaveTokenStore;
import io.holdfast.save.TokenDigest;
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
    private final LeaseStore leases;
    private final SanctionStore sanctions;

    PostgresSubject(DataSource pool) {
        this.pool = pool;
        this.stores = PostgresStores.of(pool);
        this.claims = stores.claims();
        this.deployments = stores.deployments();
        this.leases = stores.leases();
        this.sanctions = stores.sanctions();
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
    public LeaseStore leases() {
        return leases;
    }

    @Override
    public SanctionStore sanctions() {
        return sanctions;
    }

    @Override
    public void letPass(Duration time) {
        long micros = time.toNanos() / 1_000;
        run("UPDATE holdfast_app SET since = since - ?, beat = beat - ?", micros, micros);
        run("UPDATE holdfast_app SET free_at = free_at - ? WHERE free_at <> 0", micros);
        run("UPDATE holdfast_deployment SET started = started - ?", micros);
        run("UPDATE holdfast_lease SET since = since - ?, beat = beat - ?", micros, micros);
        run("UPDATE holdfast_lease SET free_at = free_at - ? WHERE free_at <> 0", micros);
        run(
                "UPDATE holdfast_refresh SET born = born - ?, born_before = born_before - ?, expires_at = expires_at - ?",
                micros,
                micros,
                micros);
        run("UPDATE holdfast_refresh SET revoked_at = revoked_at - ? WHERE revoked_at <> 0", micros);
        run(
                "UPDATE holdfast_sanction SET since = since - ?, ends_at = ends_at - ?, lifted_at = lifted_at - ?",
                micros,
                micros,
                micros);
        run(
                "UPDATE holdfast_save SET since = since - ?, beat = beat - ?, over_at = over_at - ?",
                micros,
                micros,
                micros);
        run("UPDATE holdfast_save SET free_at = free_at - ? WHERE free_at <> 0", micros);
    }

    @Override
    public void wipe() {
        run(
                "TRUNCATE holdfast_app, holdfast_deployment, holdfast_lease, holdfast_refresh, holdfast_sanction, holdfast_save");
    }

    @Override
    public void deleteByHand(AppId app) {
        run("DELETE FROM holdfast_app WHERE app = ?", app.value());
        run("DELETE FROM holdfast_deployment WHERE app = ?", app.value());
    }

    @Override
    public void deleteByHand(LeaseName name) {
        run("DELETE FROM holdfast_lease WHERE name = ?", name.value());
    }

    @Override
    public void setFence(LeaseName name, Fence fence) {
        run("UPDATE holdfast_lease SET fence = ? WHERE name = ?", fence.value(), name.value());
    }

    @Override
    public void deleteByHand(Account account) {
        run("DELETE FROM holdfast_sanction WHERE account = ?", account.value());
    }

    @Override
    public void setFence(AppId app, Fence fence) {
        run("""
                WITH moved AS (UPDATE holdfast_app SET fence = ? WHERE app = ? RETURNING attempt, fence)
                UPDATE holdfast_deployment SET fence = moved.fence FROM moved WHERE id = moved.attempt""", fence.value(), app.value());
    }

    @Override
    public String dump(AppId app) {
        return text("""
                SELECT concat((SELECT string_agg(a::text, '') FROM holdfast_app a WHERE app = ?), ' of ',
                       (SELECT string_agg(d::text, ' ' ORDER BY fence) FROM holdfast_deployment d WHERE app = ?))""", app.value(), app.value());
    }

    @Override
    public String dump(LeaseName name) {
        return text("SELECT string_agg(l::text, '') FROM holdfast_lease l WHERE name = ?", name.value());
    }

    @Override
    public String dump(Account account) {
        return text(
                "SELECT string_agg(s::text, ' ' ORDER BY number) FROM holdfast_sanction s WHERE account = ?",
                account.value());
    }

    // Refresh tokens.

    @Override
    public RefreshTokenStore refreshTokens() {
        return stores.refreshTokens();
    }

    @Override
    public void deleteByHand(FamilyId family) {
        run("DELETE FROM holdfast_refresh WHERE family = ?", family.value());
    }

    @Override
    public String dump(FamilyId family) {
        return text("SELECT string_agg(r::text, '') FROM holdfast_refresh r WHERE family = ?", family.value());
    }

    // Save tokens.

    @Override
    public SaveTokenStore saveTokens() {
        return stores.saveTokens();
    }

    @Override
    public void deleteByHand(TokenDigest token) {
        run("DELETE FROM holdfast_save WHERE token = ?", token.bytes());
    }

    @Override
    public void setFence(TokenDigest token, Fence fence) {
        run("UPDATE holdfast_save SET fence = ? WHERE token = ?", fence.value(), token.bytes());
    }

    @Override
    public String dump(TokenDigest token) {
        return text("SELECT string_agg(a::text, '') FROM holdfast_save a WHERE token = ?", token.bytes());
    }

    /** All of them. */
    String dumpOfSaveTokens() {
        return text("SELECT string_agg(a::text, ' ') FROM holdfast_save a");
    }

    /** The only value of a query. */
    private String text(String sql, Object... values) {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return String.valueOf(rows.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
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
