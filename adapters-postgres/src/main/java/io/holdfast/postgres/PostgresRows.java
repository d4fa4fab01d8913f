package io.holdfast.postgres;

import io.holdfast.AttemptId;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Hold;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Slug;
import java.net.URI;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads rows into the domain's values, and writes the one value that has several forms. Column names as in the statements. */
final class PostgresRows {
    private static final String BUILDING = "building";
    private static final String ABANDONED = "abandoned";
    private static final String LIVE = "live";
    private static final String FAILED = "failed";
    private static final String NOT_STARTED = "not_started";

    private PostgresRows() {}

    static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    static Duration duration(ResultSet row, String column) throws SQLException {
        return Duration.of(row.getLong(column), ChronoUnit.MICROS);
    }

    static Optional<AttemptId> attempt(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getObject(column, UUID.class)).map(AttemptId::new);
    }

    /** Whoever holds just now. */
    static Optional<Incumbent> incumbent(ResultSet row) throws SQLException {
        return row.getBoolean("in_held") ? Optional.of(holder(row)) : Optional.empty();
    }

    /** Whoever was the last to take. */
    static Incumbent holder(ResultSet row) throws SQLException {
        return new Incumbent(
                new AttemptId(row.getObject("in_attempt", UUID.class)),
                new Holder(row.getString("in_holder")),
                new Fence(row.getLong("in_fence")),
                instant(row, "in_since"),
                duration(row, "in_silent_for"),
                duration(row, "in_takeable_in"));
    }

    /** What came of a renewal; empty if it had no word. */
    static Optional<Renewal> renewal(ResultSet row, Hold hold) throws SQLException {
        if (row.getObject("remaining") != null) {
            return Optional.of(new Renewal.Held(duration(row, "remaining")));
        }
        Optional<Incumbent> incumbent = incumbent(row);
        if (incumbent
                .filter(by -> by.attempt().equals(hold.attempt()) && by.fence().equals(hold.fence()))
                .isPresent()) {
            // Not renewed, and still there: locked by a stranger, or the snapshot is older than what happened to it.
            return Optional.empty();
        }
        return Optional.of(new Renewal.Lost(incumbent));
    }

    static Eviction evicted(ResultSet row) throws SQLException {
        return new Eviction.Evicted(new Fence(row.getLong("fence")), duration(row, "remaining"));
    }

    /** Why nobody was evicted; empty if the fence that was seen came true only now: it is to be looked at again. */
    static Optional<Eviction> moved(ResultSet row, Fence seen) throws SQLException {
        row.next();
        Optional<Incumbent> holder = incumbent(row);
        return holder.filter(by -> by.fence().equals(seen)).isPresent()
                ? Optional.empty()
                : Optional.of(new Eviction.Moved(holder));
    }

    static Optional<Deployment> deploymentIfAny(ResultSet rows) throws SQLException {
        return rows.next() ? Optional.of(deployment(rows)) : Optional.empty();
    }

    static List<Deployment> deployments(ResultSet rows) throws SQLException {
        List<Deployment> deployments = new ArrayList<>();
        while (rows.next()) {
            deployments.add(deployment(rows));
        }
        return List.copyOf(deployments);
    }

    static Deployment deployment(ResultSet row) throws SQLException {
        return new Deployment(
                new AttemptId(row.getObject("id", UUID.class)),
                AppId.of(row.getString("app")),
                Slug.of(row.getString("slug")),
                new Fence(row.getLong("fence")),
                new Holder(row.getString("holder")),
                instant(row, "started"),
                attempt(row, "taken_over"),
                state(row));
    }

    private static Deployment.State state(ResultSet row) throws SQLException {
        return switch (row.getString("state")) {
            case BUILDING -> new Deployment.Building(builder(row));
            case ABANDONED -> new Deployment.Abandoned(attempt(row, "by_id"));
            default -> ending(row).orElseThrow();
        };
    }

    /** Who is at a deployment. It is the app's incumbent, unless somebody has changed or deleted the app's row by hand. */
    private static Incumbent builder(ResultSet row) throws SQLException {
        AttemptId id = new AttemptId(row.getObject("id", UUID.class));
        Optional<Incumbent> incumbent = incumbent(row).filter(by -> by.attempt().equals(id));
        return incumbent.isPresent()
                ? incumbent.get()
                : new Incumbent(
                        id,
                        new Holder(row.getString("holder")),
                        new Fence(row.getLong("fence")),
                        instant(row, "started"),
                        duration(row, "age"),
                        Duration.ZERO);
    }

    /** How the deployment ended, if its holder told. */
    static Optional<Ending> ending(ResultSet row) throws SQLException {
        String state = row.getString("state");
        if (state == null) {
            return Optional.empty();
        }
        String detail = row.getString("detail");
        return switch (state) {
            case LIVE -> Optional.of(new Ending.Live(URI.create(detail)));
            case FAILED -> Optional.of(new Ending.Failed(detail));
            case NOT_STARTED -> Optional.of(new Ending.NotStarted(detail));
            default -> Optional.empty();
        };
    }

    static String state(Ending ending) {
        return ending.fold(live -> LIVE, failed -> FAILED, notStarted -> NOT_STARTED);
    }

    static String detail(Ending ending) {
        return ending.fold(live -> live.url().toString(), Ending.Failed::error, Ending.NotStarted::why);
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        return Instant.EPOCH.plus(row.getLong(column), ChronoUnit.MICROS);
    }
}
