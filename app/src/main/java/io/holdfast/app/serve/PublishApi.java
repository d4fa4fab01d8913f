package io.holdfast.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.SilenceLimit;
import io.holdfast.StoreUnavailable;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.Conclusion;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Deployments;
import io.holdfast.publish.Ending;
import io.holdfast.publish.PublishOutcome;
import io.holdfast.publish.PublishOutcome.Started;
import io.holdfast.publish.Publishing;
import io.holdfast.publish.RequestKey;
import io.holdfast.publish.Slug;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** The routes of publishing. What they say is described in {@code openapi.json}. */
final class PublishApi {
    private static final Logger LOG = LoggerFactory.getLogger(PublishApi.class);

    private static final String KEY = "Idempotency-Key";

    /** The most bytes of a body, unless it brings the output of a build. */
    private static final int MAX_BODY = 16 * 1024;

    /** An error is cut to what is kept of it, never refused, but it has to fit into memory. */
    private static final int MAX_END = 16 * 1024 * 1024;

    private final Publishing publishing;
    private final Deployments deployments;
    private final Builds builds;
    private final SilenceLimit limit;

    PublishApi(Publishing publishing, Deployments deployments, Builds builds, SilenceLimit limit) {
        this.publishing = publishing;
        this.deployments = deployments;
        this.builds = builds;
        this.limit = limit;
    }

    void addTo(RoutesConfig routes) {
        routes.post("/apps/{app}/publishes", this::publish);
        routes.get("/apps/{app}/deployment", this::currentDeployment);
        routes.get("/deployments/{id}", this::deployment);
        routes.post("/deployments/{id}/alive", this::alive);
        routes.post("/deployments/{id}/end", this::end);
    }

    private void publish(Context ctx) {
        AppId app = app(ctx);
        Optional<RequestKey> key = requestKey(ctx);
        JsonNode wish = body(ctx, MAX_BODY, Set.of("slug"));
        Slug slug = valid(() -> Slug.of(text(wish, "slug")));
        claim(app, slug, key)
                .<Context>fold(
                        started -> answerStarted(ctx, started, slug),
                        again -> answerReplayed(ctx, again.deployment()),
                        other -> {
                            throw new Refused(Problem.otherRequest(other.deployment()));
                        },
                        busy -> {
                            throw new Refused(Problem.publishInProgress(app, busy.running()));
                        },
                        fixed -> {
                            throw new Refused(Problem.slugFixed(fixed.current()));
                        },
                        taken -> {
                            throw new Refused(Problem.slugTaken(taken.slug()));
                        });
    }

    private PublishOutcome claim(AppId app, Slug slug, Optional<RequestKey> key) {
        builds.enter();
        PublishOutcome outcome = null;
        try {
            outcome = publishing.publish(app, slug, key);
        } catch (StoreUnavailable e) {
            LOG.warn("a publish was not started", e);
            throw new Refused(Problem.storeUnavailable(e.effect(), limit.value()));
        } catch (IllegalStateException e) {
            // The node began to shut down after the place was taken.
            throw builds.closed() ? new Refused(Problem.shuttingDown()) : e;
        } finally {
            if (!(outcome instanceof Started)) {
                builds.leave();
            }
        }
        return outcome;
    }

    private Context answerStarted(Context ctx, Started started, Slug slug) {
        log(started.claim(), "deployment started")
                .addKeyValue(
                        "takenOverFrom",
                        started.takenOverFrom().map(AttemptId::toString).orElse("-"))
                .log();
        started.conclusion().thenAccept(conclusion -> {
            builds.leave();
            tell(started.claim(), conclusion);
        });
        ctx.header("Location", Views.path(started.claim().attempt()));
        return Answers.json(ctx, 202, Views.started(started, slug));
    }

    private static Context answerReplayed(Context ctx, Deployment deployment) {
        boolean building = deployment.state() instanceof Deployment.Building;
        ctx.header("Idempotent-Replayed", "true");
        ctx.header("Location", Views.path(deployment.id()));
        return Answers.json(ctx, building ? 202 : 200, Views.deployment(deployment));
    }

    private static void tell(Claim claim, Conclusion conclusion) {
        conclusion.<@Nullable Void>fold(
                ended -> {
                    log(claim, "deployment ended")
                            .addKeyValue("state", Endings.view(ended.ending()).get("state"))
                            .log();
                    return null;
                },
                lost -> {
                    log(claim, "deployment was taken over before its end was known")
                            .log();
                    return null;
                },
                elsewhere -> {
                    log(claim, "deployment goes on elsewhere").log();
                    return null;
                },
                doubt -> {
                    log(
                                    claim,
                                    "nobody knows what became of the deployment; it may be taken over when it has been silent")
                            .setCause(doubt.cause())
                            .log();
                    return null;
                });
    }

    private static LoggingEventBuilder log(Claim claim, String message) {
        return LOG.atInfo()
                .setMessage(message)
                .addKeyValue("deployment", claim.attempt())
                .addKeyValue("app", claim.app().value())
                .addKeyValue("fence", claim.fence());
    }

    private void currentDeployment(Context ctx) {
        AppId app = app(ctx);
        Deployment current = deployments.current(app).orElseThrow(() -> new Refused(Problem.neverPublished(app)));
        Answers.json(ctx, 200, Views.app(app, current, deployments.live(app)));
    }

    private void deployment(Context ctx) {
        Answers.json(ctx, 200, Views.deployment(find(ctx)));
    }

    private void alive(Context ctx) {
        JsonNode sign = body(ctx, MAX_BODY, Set.of("fence"));
        publishing
                .alive(claim(ctx, sign))
                .orElseThrow(() -> new Refused(Problem.noWord()))
                .<Context>fold(
                        held -> Answers.json(
                                ctx, 200, Map.of("remainingMs", held.remaining().toMillis())),
                        lost -> {
                            throw new Refused(Problem.claimLost(lost.to()));
                        });
    }

    private void end(Context ctx) {
        JsonNode said = body(ctx, MAX_END, Set.of("fence", "state", "url", "error", "why"));
        Claim claim = claim(ctx, said);
        Ending ending = valid(() -> Endings.read(said));
        publishing
                .ended(claim, ending)
                .<Context>fold(ended -> Answers.json(ctx, 200, Endings.view(ended.ending())), lost -> {
                    throw new Refused(Problem.claimLost(lost.to()));
                });
    }

    /** The fence is what tells the one who works from everybody else: whoever does not know it has lost. */
    private Claim claim(Context ctx, JsonNode body) {
        JsonNode fence = body.path("fence");
        if (!fence.isIntegralNumber() || !fence.canConvertToLong()) {
            throw new Refused(Problem.invalid("fence must be the number that the deployment was given."));
        }
        Deployment deployment = find(ctx);
        return valid(() -> new Claim(deployment.app(), deployment.id(), new Fence(fence.longValue())));
    }

    private Deployment find(Context ctx) {
        String text = readable(() -> PathText.segment(ctx.path(), 1));
        AttemptId id = readable(() -> AttemptId.parse(text));
        return deployments.find(id).orElseThrow(() -> new Refused(Problem.noSuchDeployment(id.toString())));
    }

    private static AppId app(Context ctx) {
        String text = readable(() -> PathText.segment(ctx.path(), 1));
        return valid(() -> AppId.of(text));
    }

    private static Optional<RequestKey> requestKey(Context ctx) {
        List<String> keys = Collections.list(ctx.req().getHeaders(KEY));
        if (keys.size() > 1) {
            throw new Refused(Problem.malformed("There are several " + KEY + " headers: send one."));
        }
        return keys.stream().findFirst().map(key -> valid(() -> RequestKey.of(key)));
    }

    /** Reads the body, which has these members at most. */
    private static JsonNode body(Context ctx, int most, Set<String> known) {
        // Also keeps out the forms that any web page can make a browser send here without asking first.
        if (ctx.contentType() == null
                || !ctx.contentType().split(";", 2)[0].strip().equalsIgnoreCase("application/json")) {
            throw new Refused(Problem.notJson());
        }
        byte[] bytes;
        try {
            bytes = ctx.req().getInputStream().readNBytes(most + 1);
        } catch (IOException e) {
            throw new Refused(Problem.malformed("The body broke off."));
        }
        if (bytes.length > most) {
            throw new Refused(Problem.tooLarge(most));
        }
        JsonNode body = readable(() -> Json.object(bytes));
        for (String name : (Iterable<String>) body::fieldNames) {
            if (!known.contains(name)) {
                throw new Refused(Problem.invalid("There is no member " + Json.quoted(name) + " here, but "
                        + String.join(", ", known.stream().sorted().toList()) + "."));
            }
        }
        return body;
    }

    private static String text(JsonNode body, String name) {
        JsonNode value = body.path(name);
        if (value.isMissingNode()) {
            throw new IllegalArgumentException(name + " is missing: give it a value");
        }
        if (!value.isTextual()) {
            throw new IllegalArgumentException(name + " must be a text");
        }
        return value.textValue();
    }

    private static <R> R readable(Supplier<R> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            throw new Refused(Problem.malformed(sentence(e)));
        }
    }

    private static <R> R valid(Supplier<R> making) {
        try {
            return making.get();
        } catch (IllegalArgumentException e) {
            throw new Refused(Problem.invalid(sentence(e)));
        }
    }

    private static String sentence(IllegalArgumentException e) {
        String message = String.valueOf(e.getMessage());
        return message.endsWith(".") ? message : message + ".";
    }
}
