package io.holdfast.mysql;

import static io.holdfast.mysql.MysqlRows.bytes;

import io.holdfast.AttemptId;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Deployments;
import java.util.List;
import java.util.Optional;

/** Reads what was published. */
final class MysqlDeployments implements Deployments {
    private final MysqlCalls calls;
    private final MysqlStatements statements;

    MysqlDeployments(MysqlCalls calls, MysqlStatements statements) {
        this.calls = calls;
        this.statements = statements;
    }

    @Override
    public Optional<Deployment> find(AttemptId id) {
        return calls.ask(statements.find, MysqlRows::oneDeployment, (Object) bytes(id));
    }

    @Override
    public Optional<Deployment> current(AppId app) {
        return calls.ask(statements.current, MysqlRows::oneDeployment, (Object) bytes(app.value()));
    }

    @Override
    public Optional<Deployment> live(AppId app) {
        return calls.ask(statements.live, MysqlRows::oneDeployment, (Object) bytes(app.value()));
    }

    @Override
    public List<Deployment> recent(AppId app, int atMost) {
        if (atMost < 1) {
            throw new IllegalArgumentException("at most 0 or fewer deployments: ask for 1 or more");
        }
        return calls.ask(statements.recent, MysqlRows::deployments, bytes(app.value()), (long) atMost);
    }
}
