package io.holdfast.postgres;

import io.holdfast.AttemptId;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Deployments;
import java.util.List;
import java.util.Optional;

/** Reads the history. */
final class PostgresDeployments implements Deployments {
    private final PostgresCalls work;
    private final PostgresStatements statements;

    PostgresDeployments(PostgresCalls work, PostgresStatements statements) {
        this.work = work;
        this.statements = statements;
    }

    @Override
    public Optional<Deployment> find(AttemptId id) {
        return work.ask(statements.find, PostgresRows::deploymentIfAny, id.value());
    }

    @Override
    public Optional<Deployment> current(AppId app) {
        // The one that is building has the highest fence.
        return recent(app, 1).stream().findFirst();
    }

    @Override
    public Optional<Deployment> live(AppId app) {
        return work.ask(statements.live, PostgresRows::deploymentIfAny, app.value());
    }

    @Override
    public List<Deployment> recent(AppId app, int atMost) {
        return work.ask(
                statements.recent, PostgresRows::deployments, app.value(), (long) Deployments.atLeastOne(atMost));
    }
}
