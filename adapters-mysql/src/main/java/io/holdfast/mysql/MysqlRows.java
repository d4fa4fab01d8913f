package io.holdfast.mysql;

import io.holdfast.AttemptId;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Hold;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Slug;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads rows into values, and makes columns of values. Text travels as bytes of UTF-8, both ways, so that it does not matter
 * which character set the connection has.
 */
final class MysqlRows {
    private static final String BUILDING = "building";
    private static final String ABANDONED = "abandoned";
    private static final String LIVE = "live";
    private static final String FAILED = "failed";
    private static final String NOT_STARTED = "not_started";

    private static final HexFormat HEX = HexFormat.of();

    private MysqlRows() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] bytes(AttemptId attempt) {
        return bytes(attempt.value());
    }

    static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    /** Microseconds. */
    static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    /** The holds as the statements for many take them. */
    static <H extends Hold> String json(List<H> holds, Function<? super H, byte[]> key) {
        return holds.stream()
                .map(hold -> "[\"%s\",\"%s\",%d]"
                        .formatted(
                                HEX.formatHex(key.apply(hold)),
                                HEX.formatHex(bytes(hold.attempt())),
                                hold.fence().value()))
                .collect(Collectors.joining(",", "[", "]"));
    }

    static Optional<AttemptId> attempt(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getBytes(column)).map(MysqlRows::attempt);
    }

    private static AttemptId attempt(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new AttemptId(new UUID(buffer.getLong(), buffer.getLong()));
    }

    static Optional<String> text(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getBytes(column)).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    /** Whoever holds just now; empty if nobody does, or if there is no such row. */
    static Optional<Incumbent> incumbent(ResultSet row) throws SQLException {
        return row.getBoolean("in_held") ? Optional.of(holder(row)) : Optional.empty();
    }

    /** Whoever was the last to take. */
    static Incumbent holder(ResultSet row) throws SQLException {
        return new Incumbent(
                attempt(row.getBytes("in_attempt")),
                new Holder(text(row, "in_holder").orElseThrow()),
                new Fence(row.getLong("in_fence")),
                instant(row.getLong("in_since")),
                duration(row.getLong("now") - row.getLong("in_beat")),
                remaining(row));
    }

    /** What an eviction has made of a row. */
    static Eviction evicted(ResultSet row) throws SQLException {
        row.next();
        return new Eviction.Evicted(new Fence(row.getLong("fence")), remaining(row));
    }

    /** Why nobody was evicted; empty if the fence that was seen came true only now: it is to be looked at again. */
    static Optional<Eviction> moved(ResultSet row, Fence seen) throws SQLException {
        row.next();
        Optional<Incumbent> holder = incumbent(row);
        return holder.filter(by -> by.fence().equals(seen)).isPresent()
                ? Optional.empty()
                : Optional.of(new Eviction.Moved(holder));
    }

    /** The holds of all rows. */
    static List<Claim> claims(ResultSet rows) throws SQLException {
        List<Claim> all = new ArrayList<>();
        while (rows.next()) {
            all.add(new Claim(
                    new AppId(text(rows, "app").orElseThrow()),
                    attempt(rows.getBytes("attempt")),
                    new Fence(rows.getLong("fence"))));
        }
        return List.copyOf(all);
    }

    /** Time until the row may be taken. */
    static Duration remaining(ResultSet row) throws SQLException {
        return duration(Math.max(0, row.getLong("in_free_at") - row.getLong("now")));
    }

    /** The deployment of a row. */
    static Deployment deployment(ResultSet row) throws SQLException {
        return new Deployment(
                attempt(row.getBytes("id")),
                new AppId(text(row, "app").orElseThrow()),
                new Slug(text(row, "slug").orElseThrow()),
                new Fence(row.getLong("fence")),
                new Holder(text(row, "holder").orElseThrow()),
                instant(row.getLong("started")),
                attempt(row, "taken_over"),
                state(row));
    }

    /** The deployments of all rows. */
    static List<Deployment> deployments(ResultSet rows) throws SQLException {
        List<Deployment> all = new ArrayList<>();
        while (rows.next()) {
            all.add(deployment(rows));
        }
        return List.copyOf(all);
    }

    /** The deployment of the only row, if there is one. */
    static Optional<Deployment> deploymentIfAny(ResultSet rows) throws SQLException {
        return rows.next() ? Optional.of(deployment(rows)) : Optional.empty();
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
        AttemptId id = attempt(row.getBytes("id"));
        Optional<Incumbent> incumbent =
                incumbent(row).filter(now -> now.attempt().equals(id));
        if (incumbent.isPresent()) {
            return incumbent.get();
        }
        long started = row.getLong("started");
        return new Incumbent(
                id,
                new Holder(text(row, "holder").orElseThrow()),
                new Fence(row.getLong("fence")),
                instant(started),
                duration(row.getLong("now") - started),
                Duration.ZERO);
    }

    /** How the deployment of a row ended, if its holder told; empty also if there is no such row. */
    static Optional<Ending> ending(ResultSet row) throws SQLException {
        String state = row.getString("state");
        if (state == null) {
            return Optional.empty();
        }
        String detail = text(row, "detail").orElse("");
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

    static Duration duration(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
