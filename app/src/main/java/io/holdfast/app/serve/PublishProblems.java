package io.holdfast.app.serve;

import io.holdfast.Incumbent;
import io.holdfast.StoreUnavailable;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Slug;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** What may be answered instead of a deployment. */
final class PublishProblems {
    private PublishProblems() {}

    static Problem publishInProgress(AppId app, Incumbent running) {
        return Problem.of(
                        "publish_in_progress",
                        409,
                        "Already publishing",
                        Json.quoted(app.value()) + " is being published by deployment " + running.attempt() + ", since "
                                + running.since()
                                + ". Nothing is wrong and nothing needs to be fixed: wait, and follow that"
                                + " deployment. Should its owner stay silent, a publish may take over in "
                                + running.takeableIn().toMillis() + " ms.",
                        "wait")
                .with(Views.members(
                        "runningDeploymentId", running.attempt().toString(),
                        "deployment", Views.path(running.attempt()),
                        "startedAt", running.since().toString(),
                        "holder", running.holder().label(),
                        "fence", running.fence().value(),
                        "sinceHeartbeatMs", running.silentFor().toMillis(),
                        "takeableInMs", running.takeableIn().toMillis()))
                .whileHeld(running.takeableIn());
    }

    static Problem slugTaken(Slug slug) {
        return Problem.of(
                        "slug_taken",
                        409,
                        "The slug is another app's",
                        "The slug " + Json.quoted(slug.value()) + " belongs to another app: choose another one.",
                        "choose_another_slug")
                .with(Map.of("slug", slug.value()));
    }

    static Problem slugFixed(Slug current) {
        return Problem.of(
                        "slug_fixed",
                        409,
                        "A live app keeps its slug",
                        "The app is live as " + Json.quoted(current.value())
                                + ", and publishing is not renaming: publish it with " + "that slug.",
                        "use_the_current_slug")
                .with(Map.of("slug", current.value()));
    }

    static Problem otherRequest(Deployment deployment) {
        return Problem.of(
                        "idempotency_key_reused",
                        422,
                        "This idempotency key was another wish",
                        "This Idempotency-Key has published the app with the slug "
                                + Json.quoted(deployment.slug().value()) + ", in deployment " + deployment.id()
                                + ": send each new wish with a new key.",
                        "use_a_new_key")
                .with(Views.members(
                        "deploymentId", deployment.id().toString(),
                        "deployment", Views.path(deployment.id()),
                        "slug", deployment.slug().value()));
    }

    static Problem claimLost(Optional<Incumbent> to) {
        return Problem.of(
                        "claim_lost",
                        409,
                        "The deployment is no longer yours",
                        to.map(holder -> "It was taken over: deployment " + holder.attempt() + " holds the app now. ")
                                        .orElse("It has ended or was taken over, or its fence is another one. ")
                                + "Stop its work.",
                        "stop")
                .with(to.<Map<String, Object>>map(holder -> Map.of(
                                "runningDeploymentId",
                                holder.attempt().toString(),
                                "deployment",
                                Views.path(holder.attempt())))
                        .orElse(Map.of()));
    }

    /** The store knows neither yes nor no just now: its row is locked. */
    static Problem noWord() {
        return Problem.of(
                        "no_word",
                        503,
                        "No word just now",
                        "The claim's row is locked just now: tell it again.",
                        "retry")
                .retryAfter(Duration.ofSeconds(1));
    }

    static Problem storeUnavailable(StoreUnavailable.Effect effect, Duration limit) {
        String undone = "Nothing was started, because the database did not answer. ";
        return Problem.unanswered(
                effect,
                undone + "Nothing was left behind: send the same request again.",
                "maybe_a_claim",
                undone + "A claim may have been left behind; it would read as in progress until this node reaches the"
                        + " database again and ends it as not started, or until somebody takes it over, after "
                        + limit.toMillis() + " ms. Send the same request again.");
    }

    static Problem neverPublished(AppId app) {
        return Problem.of(
                "app_never_published",
                404,
                "Never published",
                "The app " + Json.quoted(app.value()) + " was never published.",
                "check_the_address");
    }

    static Problem noSuchDeployment(String id) {
        return Problem.of(
                "no_such_deployment",
                404,
                "No such deployment",
                "There is no deployment " + id + ", or it has left the history.",
                "check_the_address");
    }
}
