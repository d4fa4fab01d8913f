package io.holdfast.docs;

import static io.holdfast.docs.Sql.read;
import static io.holdfast.docs.Sql.run;

import io.holdfast.Fence;
import io.holdfast.contract.PublishSubject;
import io.holdfast.postgres.PostgresStores;
import io.holdfast.publish.AppId;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import java.time.Duration;
import javax.sql.DataSource;

/** The contract's sample: a store of somebody's own and the hands on it. The adapter for PostgreSQL plays its part. */
// tag::subject
record OwnStore(DataSource database) implements PublishSubject {
    @Override
    public ClaimStore claims() {
        return PostgresStores.of(database).claims(); // yours
    }

    @Override
    public Deployments deployments() {
        return PostgresStores.of(database).deployments(); // yours
    }

    @Override
    public void letPass(Duration time) {
        long micros = time.toNanos() / 1_000;
        run(database, "UPDATE holdfast_app SET since = since - ?, beat = beat - ?", micros, micros);
        run(database, "UPDATE holdfast_app SET free_at = free_at - ? WHERE free_at <> 0", micros);
        run(database, "UPDATE holdfast_deployment SET started = started - ?", micros);
    }

    @Override
    public void wipe() {
        run(database, "TRUNCATE holdfast_app, holdfast_deployment");
    }

    @Override
    public void deleteByHand(AppId app) {
        run(database, "DELETE FROM holdfast_app WHERE app = ?", app.value());
        run(database, "DELETE FROM holdfast_deployment WHERE app = ?", app.value());
    }

    @Override
    public void setFence(AppId app, Fence fence) {
        run(database, "UPDATE holdfast_app SET fence = ? WHERE app = ?", fence.value(), app.value());
        run(database, """
            UPDATE holdfast_deployment SET fence = ?
            WHERE id = (SELECT attempt FROM holdfast_app WHERE app = ?)""", fence.value(), app.value());
    }

    @Override
    public String dump(AppId app) {
        return read(database, """
            SELECT json_build_array((SELECT json_agg(a) FROM holdfast_app a WHERE app = ?),
                (SELECT json_agg(d ORDER BY fence) FROM holdfast_deployment d WHERE app = ?))""", app.value(), app.value());
    }
}
// end::subject
