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
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
        this(pool, PostgresStores.of(pool));
    }

    PostgresSubject(DataSource pool, PostgresStores stores) {
        this.pool = pool;
        this.stores = stores;
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
        // All times of a key at once, as time does it: a history could tell if one had passed and another not.
        age("holdfast_app", micros, List.of("since", "beat"), List.of("free_at"));
        age("holdfast_deployment", micros, List.of("started"), List.of());
        age("holdfast_lease", micros, List.of("since", "beat"), List.of("free_at"));
        age("holdfast_refresh", micros, List.of("born", "born_before", "expires_at"), List.of("revoked_at"));
        age("holdfast_sanction", micros, List.of("since", "ends_at", "lifted_at"), List.of());
        age("holdfast_save", micros, List.of("since", "beat", "over_at"), List.of("free_at"));
    }

    /**
     * Of all rows that there are when it begins, and of none that comes meanwhile.
     *
     * @param marks in which a zero is no time
     */
    private void age(String table, long micros, List<String> times, List<String> marks) {
        run(Stream.concat(
                        times.stream().map(time -> "%1$s = %1$s - %2$d".formatted(time, micros)),
                        marks.stream()
                                .map(time ->
                                        "%1$s = CASE %1$s WHEN 0 THEN 0 ELSE %1$s - %2$d END".formatted(time, micros)))
                .collect(Collectors.joining(
                        ", ",
                        "BEGIN; LOCK TABLE %1$s IN SHARE ROW EXCLUSIVE MODE; UPDATE %1$s SET ".formatted(table),
                        "; COMMIT")));
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
