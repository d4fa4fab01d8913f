package io.holdfast.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.SilenceLimit;
import io.holdfast.StoreUnavailable;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimStore;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** The routes of publishing. What they say is described in {@code openapi.json}. */
final class PublishApi {
    private static final Logger LOG = LoggerFactory.getLogger(PublishApi.class);

    private static final String KEY = "Idempotency-Key";

    /** An error is cut to what is kept of it, never refused, but it has to fit into memory. */
    private static final int MAX_END = 16 * 1024 * 1024;

    private final Publishing publishing;
    private final ClaimStore claims;
    private final Deployments deployments;
    private final Builds builds;
    private final SilenceLimit limit;

    PublishApi(Publishing publishing, ClaimStore claims, Deployments deployments, Builds builds, SilenceLimit limit) {
        this.publishing = publishing;
        this.claims = claims;
        this.deployments = deployments;
        this.builds = builds;
        this.limit = limit;
    }

    void addTo(RoutesConfig routes) {
        routes.post("/apps/{app}/publishes", this::publish);
        routes.post("/apps/{app}/evictions", this::evict);
        routes.get("/apps/{app}/deployment", this::currentDeployment);
        routes.get("/deployments/{id}", this::deployment);
        routes.post("/deployments/{id}/alive", this::alive);
        routes.post("/deployments/{id}/end", this::end);
    }

    private void publish(Context ctx) {
        AppId app = app(ctx);
        Optional<RequestKey> key = requestKey(ctx);
        JsonNode wish = Incoming.json(ctx, "slug");
        Slug slug = Incoming.valid(() -> Slug.of(Incoming.text(wish, "slug")));
        claim(app, slug, key)
                .<Context>fold(
                        started -> answerStarted(ctx, started, slug),
                        again -> answerReplayed(ctx, again.deployment()),
                        other -> {
                            throw new Refused(PublishProblems.otherRequest(other.deployment()));
                        },
                        busy -> {
                            throw new Refused(PublishProblems.publishInProgress(app, busy.running()));
                        },
                        fixed -> {
                            throw new Refused(PublishProblems.slugFixed(fixed.current()));
                        },
                        taken -> {
                            throw new Refused(PublishProblems.slugTaken(taken.slug()));
                        });
    }

    private PublishOutcome claim(AppId app, Slug slug, Optional<RequestKey> key) {
        builds.enter();
        PublishOutcome outcome = null;
        try {
            outcome = publishing.publish(app, slug, key);
        } catch (StoreUnavailable e) {
            LOG.warn("a publish was not started", e);
            throw new Refused(PublishProblems.storeUnavailable(e.effect(), limit.value()));
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

    private void evict(Context ctx) {
        AppId app = app(ctx);
        JsonNode said = Incoming.json(ctx, "fence", "when");
        Evictions.answer(ctx, claims.evict(app, Evictions.seen(said), Evictions.when(said)));
    }

    private void currentDeployment(Context ctx) {
        AppId app = app(ctx);
        Deployment current =
                deployments.current(app).orElseThrow(() -> new Refused(PublishProblems.neverPublished(app)));
        Answers.json(ctx, 200, Views.app(app, current, deployments.live(app)));
    }

    private void deployment(Context ctx) {
        Answers.json(ctx, 200, Views.deployment(find(ctx)));
    }

    private void alive(Context ctx) {
        JsonNode sign = Incoming.json(ctx, "fence");
        publishing
                .alive(claim(ctx, sign))
                .orElseThrow(() -> new Refused(PublishProblems.noWord()))
                .<Context>fold(
                        held -> Answers.json(
                                ctx, 200, Map.of("remainingMs", held.remaining().toMillis())),
                        lost -> {
                            throw new Refused(PublishProblems.claimLost(lost.to()));
                        });
    }

    private void end(Context ctx) {
        JsonNode said = Incoming.json(ctx, MAX_END, Set.of("fence", "state", "url", "error", "why"));
        Claim claim = claim(ctx, said);
        Ending ending = Incoming.valid(() -> Endings.read(said));
        publishing
                .ended(claim, ending)
                .<Context>fold(ended -> Answers.json(ctx, 200, Endings.view(ended.ending())), lost -> {
                    throw new Refused(PublishProblems.claimLost(lost.to()));
                });
    }

    /** The fence is what tells the one who works from everybody else: whoever does not know it has lost. */
    private Claim claim(Context ctx, JsonNode body) {
        Fence fence = Incoming.fence(body, "the deployment was given");
        Deployment deployment = find(ctx);
        return new Claim(deployment.app(), deployment.id(), fence);
    }

    private Deployment find(Context ctx) {
        String text = Incoming.segment(ctx, 1);
        AttemptId id = Incoming.readable(() -> AttemptId.parse(text));
        return deployments.find(id).orElseThrow(() -> new Refused(PublishProblems.noSuchDeployment(id.toString())));
    }

    private static AppId app(Context ctx) {
        String text = Incoming.segment(ctx, 1);
        return Incoming.valid(() -> AppId.of(text));
    }

    private static Optional<RequestKey> requestKey(Context ctx) {
        return Incoming.header(ctx, KEY).map(key -> Incoming.valid(() -> RequestKey.of(key)));
    }
}
