package io.holdfast.mongo;

import static io.holdfast.mongo.MongoRows.value;
import static io.holdfast.mongo.MongoStatements.let;

import io.holdfast.AttemptId;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Deployments;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/** Reads deployments; each operation is one read of one document. */
final class MongoDeployments implements Deployments {
    private final MongoCalls calls;

    MongoDeployments(MongoCalls calls) {
        this.calls = calls;
    }

    @Override
    public Optional<Deployment> find(AttemptId id) {
        return read(new BsonDocument("ids", value(id)), MongoStatements.WITH_ID, let("id", value(id))).stream()
                .findFirst();
    }

    @Override
    public Optional<Deployment> current(AppId app) {
        return recent(app, 1).stream().findFirst();
    }

    @Override
    public Optional<Deployment> live(AppId app) {
        return read(MongoStatements.is(value(app.value())), MongoStatements.LIVE, new BsonDocument()).stream()
                .findFirst();
    }

    @Override
    public List<Deployment> recent(AppId app, int atMost) {
        return read(
                MongoStatements.is(value(app.value())),
                MongoStatements.newest(Deployments.atLeastOne(atMost)),
                new BsonDocument());
    }

    private List<Deployment> read(BsonDocument which, BsonDocument fields, BsonDocument let) {
        BsonDocument app = calls.begin()
                .ask(apps -> apps.find(which).projection(fields).let(let).first());
        return app == null ? List.of() : MongoRows.deployments(app);
    }
}
