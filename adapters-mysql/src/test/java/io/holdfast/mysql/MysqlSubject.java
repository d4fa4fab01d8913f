package io.holdfast.mysql;

import com.mysql.cj.jdbc.exceptions.MySQLTransactionRollbackException;
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
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** The stores on a test's database, and the hands on its tables. */
final class MysqlSubject implements EngineSubject {
    private static final List<String> TABLES = List.of(
            "holdfast_app",
            "holdfast_deployment",
            "holdfast_lease",
            "holdfast_refresh",
            "holdfast_sanction",
            "holdfast_save");

    private final DataSource pool;
    private final MysqlStores stores;
    private final ClaimStore claims;
    private final Deployments deployments;
    private final LeaseStore leases;
    private final SanctionStore sanctions;

    MysqlSubject(DataSource pool) {
        this(pool, MysqlStores.of(pool));
    }

    MysqlSubject(DataSource pool, MysqlStores stores) {
        this.pool = pool;
        this.stores = stores;
        this.claims = stores.claims();
        this.deployments = stores.deployments();
        this.leases = stores.leases();
        this.sanctions = stores.sanctions();
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

    /** A zero in one of {@code marks} is no time. */
    private void age(String table, long micros, List<String> times, List<String> marks) {
        run(Stream.concat(
                        times.stream().map(time -> "%1$s = %1$s - %2$d".formatted(time, micros)),
                        marks.stream()
                                .map(time ->
                                        "%1$s = CASE %1$s WHEN 0 THEN 0 ELSE %1$s - %2$d END".formatted(time, micros)))
                .collect(Collectors.joining(", ", "UPDATE " + table + " SET ", "")));
    }

    @Override
    public void wipe() {
        for (String table : TABLES) {
            run("DELETE FROM " + table);
        }
    }

    @Override
    public void deleteByHand(AppId app) {
        run("DELETE FROM holdfast_app WHERE app = ?", (Object) MysqlRows.bytes(app.value()));
        run("DELETE FROM holdfast_deployment WHERE app = ?", (Object) MysqlRows.bytes(app.value()));
    }

    @Override
    public void deleteByHand(LeaseName name) {
        run("DELETE FROM holdfast_lease WHERE name = ?", (Object) MysqlRows.bytes(name.value()));
    }

    @Override
    public void setFence(LeaseName name, Fence fence) {
        run("UPDATE holdfast_lease SET fence = ? WHERE name = ?", fence.value(), MysqlRows.bytes(name.value()));
    }

    @Override
    public void deleteByHand(Account account) {
        run("DELETE FROM holdfast_sanction WHERE account = ?", (Object) MysqlRows.bytes(account.value()));
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
        return rows("SELECT * FROM holdfast_app WHERE app = ?", MysqlRows.bytes(app.value()))
                + rows("SELECT * FROM holdfast_deployment WHERE app = ? ORDER BY fence", MysqlRows.bytes(app.value()));
    }

    @Override
    public String dump(LeaseName name) {
        return rows("SELECT * FROM holdfast_lease WHERE name = ?", MysqlRows.bytes(name.value()));
    }

    @Override
    public String dump(Account account) {
        return rows(
                "SELECT * FROM holdfast_sanction WHERE account = ? ORDER BY number", MysqlRows.bytes(account.value()));
    }

    // Save tokens.

    @Override
    public SaveTokenStore saveTokens() {
        return stores.saveTokens();
    }

    @Override
    public void deleteByHand(TokenDigest token) {
        run("DELETE FROM holdfast_save WHERE token = ?", (Object) token.bytes());
    }

    @Override
    public void setFence(TokenDigest token, Fence fence) {
        run("UPDATE holdfast_save SET fence = ? WHERE token = ?", fence.value(), token.bytes());
    }

    @Override
    public String dump(TokenDigest token) {
        return rows("SELECT * FROM holdfast_save WHERE token = ?", token.bytes());
    }

    /** All of them. */
    String dumpOfSaveTokens() {
        return rows("SELECT * FROM holdfast_save WHERE token >= ?", new byte[0]);
    }

    // Refresh tokens.

    @Override
    public RefreshTokenStore refreshTokens() {
        return stores.refreshTokens();
    }

    @Override
    public void deleteByHand(FamilyId family) {
        run("DELETE FROM holdfast_refresh WHERE family = ?", (Object) MysqlRows.bytes(family.value()));
    }

    @Override
    public String dump(FamilyId family) {
        return rows("SELECT * FROM holdfast_refresh WHERE family = ?", MysqlRows.bytes(family.value()));
    }

    private String rows(String sql, byte[] key) {
        StringBuilder dump = new StringBuilder();
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setBytes(1, key);
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
        } catch (MySQLTransactionRollbackException deadlock) {
            // It wants all rows of a table, and a store at work has some of them: nothing was done.
            run(sql, values);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
