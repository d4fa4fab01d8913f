package io.holdfast.mysql;

import static io.holdfast.mysql.MysqlRows.bytes;

import io.holdfast.AttemptId;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Deployments;
import java.util.List;
import java.util.Optional;

/** Reads the history. */
final class MysqlDeployments implements Deployments {
    private final MysqlCalls work;
    private final MysqlStatements statements;

    MysqlDeployments(MysqlCalls work, MysqlStatements statements) {
        this.work = work;
        this.statements = statements;
    }

    @Override
    public Optional<Deployment> find(AttemptId id) {
        return work.ask(statements.find, MysqlRows::deploymentIfAny, (Object) bytes(id));
    }

    @Override
    public Optional<Deployment> current(AppId app) {
        // The one that is building has the highest fence.
        return recent(app, 1).stream().findFirst();
    }

    @Override
    public Optional<Deployment> live(AppId app) {
        return work.ask(statements.live, MysqlRows::deploymentIfAny, (Object) bytes(app.value()));
    }

    @Override
    public List<Deployment> recent(AppId app, int atMost) {
        return work.ask(
                statements.recent, MysqlRows::deployments, bytes(app.value()), (long) Deployments.atLeastOne(atMost));
    }
}
