package io.holdfast.app.race;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import io.holdfast.app.Backend;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * Lets time pass for one app: moves the times of its claim back, in the stores' own tables. No caller of the stores can do
 * that, which is as it should be.
 */
interface Passing {
    void letPass(String app, Duration time);

    static Passing on(Backend backend, String prefix) {
        return backend.on(
                sql -> (app, time) -> inRow(sql, prefix, app, time),
                mongo -> (app, time) -> inDocument(mongo, prefix, app, time));
    }

    private static void inRow(DataSource connections, String prefix, String app, Duration time) {
        // A fence is not a time, and stays.
        move(connections, app, time, """
                update %sapp set since = since - ?, beat = beat - ?, free_at = free_at - ? where app = ?""".formatted(prefix));
        move(connections, app, time, """
                update %sdeployment set started = started - ? where app = ?""".formatted(prefix));
    }

    private static void move(DataSource connections, String app, Duration time, String sql) {
        try (Connection connection = connections.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            int parameters = statement.getParameterMetaData().getParameterCount();
            for (int i = 1; i < parameters; i++) {
                statement.setLong(i, TimeUnit.NANOSECONDS.toMicros(time.toNanos()));
            }
            statement.setString(parameters, app);
            if (statement.executeUpdate() == 0) {
                throw nothing(app);
            }
        } catch (SQLException e) {
            throw new StoreFailed(e);
        }
    }

    private static void inDocument(MongoDatabase database, String prefix, String app, Duration time) {
        String pipeline = """
                [{ $set: {
                    since: { $subtract: ['$since', %1$s] },
                    beat: { $subtract: ['$beat', %1$s] },
                    free_at: { $subtract: ['$free_at', %1$s] },
                    deployments: { $map: { input: '$deployments', as: 'd', in: { $mergeObjects: ['$$d',
                      { started: { $subtract: ['$$d.started', %1$s] } }] } } } } }]""".formatted("NumberLong('" + TimeUnit.NANOSECONDS.toMicros(time.toNanos()) + "')");
        List<BsonDocument> stages =
                BsonArray.parse(pipeline).stream().map(BsonValue::asDocument).toList();
        if (database.getCollection(prefix + "app")
                        .updateOne(Filters.eq("_id", app), stages)
                        .getMatchedCount()
                == 0) {
            throw nothing(app);
        }
    }

    private static IllegalStateException nothing(String app) {
        return new IllegalStateException("there is nothing of " + app + " to let time pass for");
    }
}
