package io.holdfast.mongo;

import io.holdfast.AttemptId;
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
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.UuidRepresentation;

/** Reads documents, and writes values for them. Times are microseconds since 1970. */
final class MongoRows {
    private MongoRows() {}

    static BsonValue value(String text) {
        return new BsonString(text);
    }

    static BsonValue value(AttemptId id) {
        // Said here, since the client's own setting may be another one, or none (E2).
        return new BsonBinary(id.value(), UuidRepresentation.STANDARD);
    }

    static BsonValue value(Fence fence) {
        return new BsonInt64(fence.value());
    }

    static BsonValue micros(Duration time) {
        return new BsonInt64(time.toNanos() / 1_000);
    }

    static BsonValue value(Optional<String> text) {
        return text.<BsonValue>map(BsonString::new).orElse(BsonNull.VALUE);
    }

    /** A hold as {@link MongoStatements#held} compares it: the order of the fields counts. */
    static BsonDocument hold(BsonValue key, Hold hold) {
        return new BsonDocument("key", key)
                .append("attempt", value(hold.attempt()))
                .append("fence", value(hold.fence()));
    }

    /** The hold that the app is under. */
    static Claim claim(BsonDocument app) {
        return new Claim(new AppId(text(app, "_id")), id(app, "attempt"), fence(app));
    }

    /** Whether it is held by this very hold. */
    static boolean isHeldBy(Hold hold, BsonDocument row) {
        return isHeld(row) && isOf(hold, row);
    }

    /** Whether this very hold was the last that had it. */
    static boolean isOf(Hold hold, BsonDocument row) {
        return value(hold.attempt()).equals(row.get("attempt"))
                && value(hold.fence()).equals(row.get("fence"));
    }

    /** Whether somebody holds it by this fence, or keeps others from taking it. */
    static boolean isAsSeen(Fence seen, BsonDocument row) {
        return fence(row).equals(seen) && (isHeld(row) || !isTakeable(row));
    }

    /** Who holds it; empty when nobody does. */
    static Optional<Incumbent> incumbent(BsonDocument row) {
        return isHeld(row) ? Optional.of(holder(row)) : Optional.empty();
    }

    static boolean isHeld(BsonDocument row) {
        return row.getBoolean("held").getValue();
    }

    /** Whoever was the last to take it. */
    static Incumbent holder(BsonDocument row) {
        return new Incumbent(
                id(row, "attempt"),
                new Holder(text(row, "holder")),
                fence(row),
                instant(row, "since"),
                between(row, "beat", "now"),
                remaining(row));
    }

    /** Until it may be taken. */
    static Duration remaining(BsonDocument row) {
        Duration left = between(row, "now", "free_at");
        return left.isNegative() ? Duration.ZERO : left;
    }

    static boolean isTakeable(BsonDocument row) {
        return remaining(row).isZero();
    }

    /** The slug that an app which is live has to keep. */
    static Optional<Slug> fixedSlug(BsonDocument app) {
        return app.isNull("live") ? Optional.empty() : Optional.of(new Slug(text(app, "slug")));
    }

    /** Whether there is no higher fence. */
    static boolean isExhausted(BsonDocument row) {
        return row.getInt64("fence").getValue() == Long.MAX_VALUE;
    }

    static Fence fence(BsonDocument row) {
        return new Fence(row.getInt64("fence").getValue());
    }

    /** The deployments that the document was asked for. */
    static List<Deployment> deployments(BsonDocument app) {
        return entries(app).stream().map(entry -> deployment(app, entry)).toList();
    }

    /** The deployment with this id, if the document was asked for it and has it. */
    static Optional<Deployment> deployment(BsonDocument app, AttemptId id) {
        return deployment(app, entry -> value(id).equals(entry.get("id")));
    }

    /** The deployment that this request key has started, if the document was asked for it and has it. */
    static Optional<Deployment> deploymentFor(BsonDocument app, String request) {
        return deployment(app, entry -> value(request).equals(entry.get("request")));
    }

    private static Optional<Deployment> deployment(BsonDocument app, Predicate<BsonDocument> which) {
        return entries(app).stream()
                .filter(which)
                .map(entry -> deployment(app, entry))
                .findFirst();
    }

    private static List<BsonDocument> entries(BsonDocument app) {
        return app.getArray("deployments").stream().map(BsonValue::asDocument).toList();
    }

    private static Deployment deployment(BsonDocument app, BsonDocument entry) {
        return new Deployment(
                id(entry, "id"),
                new AppId(text(app, "_id")),
                new Slug(text(entry, "slug")),
                fence(entry),
                new Holder(text(entry, "holder")),
                instant(entry, "started"),
                idIfAny(entry, "taken_over"),
                state(app, entry));
    }

    private static Deployment.State state(BsonDocument app, BsonDocument entry) {
        String state = text(entry, "state");
        return switch (state) {
            case "building" -> new Deployment.Building(holder(app));
            case "abandoned" -> new Deployment.Abandoned(idIfAny(entry, "by_id"));
            case "live" -> new Ending.Live(URI.create(text(entry, "detail")));
            case "failed" -> new Ending.Failed(text(entry, "detail"));
            case "not_started" -> new Ending.NotStarted(text(entry, "detail"));
            default -> throw new IllegalStateException("deployment is in no state that this version knows: " + state);
        };
    }

    /** What is kept as the state of an ending. */
    static String state(Ending ending) {
        return ending.fold(live -> "live", failed -> "failed", notStarted -> "not_started");
    }

    /** What is kept as the detail of an ending. */
    static String detail(Ending ending) {
        return ending.fold(live -> live.url().toString(), failed -> failed.error(), notStarted -> notStarted.why());
    }

    static String text(BsonDocument row, String field) {
        return row.getString(field).getValue();
    }

    static AttemptId id(BsonDocument row, String field) {
        return new AttemptId(row.getBinary(field).asUuid(UuidRepresentation.STANDARD));
    }

    static Optional<AttemptId> idIfAny(BsonDocument row, String field) {
        return row.isNull(field) ? Optional.empty() : Optional.of(id(row, field));
    }

    static Instant instant(BsonDocument row, String field) {
        return Instant.EPOCH.plus(row.getInt64(field).getValue(), ChronoUnit.MICROS);
    }

    private static Duration between(BsonDocument row, String earlier, String later) {
        return Duration.of(
                row.getInt64(later).getValue() - row.getInt64(earlier).getValue(), ChronoUnit.MICROS);
    }
}
