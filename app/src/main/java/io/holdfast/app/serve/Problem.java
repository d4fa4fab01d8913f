package io.holdfast.app.serve;

import io.holdfast.Incumbent;
import io.holdfast.StoreUnavailable;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Slug;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Why a request was not done, in the form of RFC 9457. The type is for programs and never changes, the title and the detail are
 * for people and agents, and the advice is one word that says what to do now.
 *
 * @param retryAfter when to come again, if that helps; zero: never mind
 */
record Problem(
        String type,
        int status,
        String title,
        String detail,
        String advice,
        Map<String, Object> more,
        Duration retryAfter) {
    private static final String TYPES = "urn:holdfast:problem:";

    /** How long a client is asked to leave the database, or this node, alone. */
    private static final Duration SOON = Duration.ofSeconds(5);

    /** A publish is looked at again after this long, unless it may be taken over before. */
    private static final Duration WHILE_BUILDING = Duration.ofSeconds(5);

    private static Problem of(String type, int status, String title, String detail, String advice) {
        return new Problem(TYPES + type, status, title, detail, advice, Map.of(), Duration.ZERO);
    }

    private Problem with(Map<String, Object> members) {
        return new Problem(type, status, title, detail, advice, members, retryAfter);
    }

    private Problem retryAfter(Duration when) {
        return new Problem(type, status, title, detail, advice, more, when);
    }

    static Problem publishInProgress(AppId app, Incumbent running) {
        return of(
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
                        "sinceHeartbeatMs", running.silentFor().toMillis(),
                        "takeableInMs", running.takeableIn().toMillis()))
                .retryAfter(min(WHILE_BUILDING, running.takeableIn()));
    }

    static Problem slugTaken(Slug slug) {
        return of(
                        "slug_taken",
                        409,
                        "The slug is another app's",
                        "The slug " + Json.quoted(slug.value()) + " belongs to another app: choose another one.",
                        "choose_another_slug")
                .with(Map.of("slug", slug.value()));
    }

    static Problem slugFixed(Slug current) {
        return of(
                        "slug_fixed",
                        409,
                        "A live app keeps its slug",
                        "The app is live as " + Json.quoted(current.value())
                                + ", and publishing is not renaming: publish it with " + "that slug.",
                        "use_the_current_slug")
                .with(Map.of("slug", current.value()));
    }

    static Problem otherRequest(Deployment deployment) {
        return of(
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
        return of(
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
        return of("no_word", 503, "No word just now", "The claim's row is locked just now: tell it again.", "retry")
                .retryAfter(Duration.ofSeconds(1));
    }

    static Problem storeUnavailable(StoreUnavailable.Effect effect, Duration limit) {
        boolean clean = effect == StoreUnavailable.Effect.NOT_APPLIED;
        return of(
                        "store_unavailable",
                        503,
                        "The database does not answer",
                        "Nothing was started, because the database did not answer. "
                                + (clean
                                        ? "Nothing was left behind: send the same request again."
                                        : "A claim may have been left behind; it would read as in progress, and may be taken over"
                                                + " after " + limit.toMillis() + " ms. Send the same request again."),
                        "retry")
                .with(Map.of("leftBehind", clean ? "nothing" : "maybe_a_claim"))
                .retryAfter(SOON);
    }

    static Problem unreadable() {
        return of(
                        "store_unavailable",
                        503,
                        "The database does not answer",
                        "The database did not answer: ask again.",
                        "retry")
                .retryAfter(SOON);
    }

    static Problem shuttingDown() {
        return of(
                        "shutting_down",
                        503,
                        "Shutting down",
                        "This node is shutting down, and nothing was started: send the same request again, to another one.",
                        "retry")
                .retryAfter(SOON);
    }

    static Problem busy(int builds) {
        return of(
                        "too_many_builds",
                        503,
                        "Too many builds",
                        "This node runs " + builds
                                + " builds, as many as it may, and nothing was started: send the same request "
                                + "again, later or to another node.",
                        "retry")
                .retryAfter(SOON);
    }

    static Problem neverPublished(AppId app) {
        return of(
                "app_never_published",
                404,
                "Never published",
                "The app " + Json.quoted(app.value()) + " was never published.",
                "check_the_address");
    }

    static Problem noSuchDeployment(String id) {
        return of(
                "no_such_deployment",
                404,
                "No such deployment",
                "There is no deployment " + id + ", or it has left the history.",
                "check_the_address");
    }

    static Problem noSuchPath() {
        return of("no_such_path", 404, "Not found", "There is nothing here: see /openapi.json.", "check_the_address");
    }

    static Problem noSuchMethod() {
        return of(
                "no_such_method",
                405,
                "Method not allowed",
                "This path knows other methods: see /openapi.json.",
                "check_the_address");
    }

    /** It could not be read at all. */
    static Problem malformed(String detail) {
        return of("malformed_request", 400, "Malformed request", detail, "correct_the_request");
    }

    /** It was read, and asks for something that cannot be. */
    static Problem invalid(String detail) {
        return of("invalid_request", 422, "Invalid request", detail, "correct_the_request");
    }

    static Problem tooLarge(int bytes) {
        return of(
                "request_too_large",
                413,
                "Request too large",
                "The body is larger than " + bytes + " bytes.",
                "correct_the_request");
    }

    static Problem notJson() {
        return of(
                "not_json",
                415,
                "Not JSON",
                "Send the body with the header Content-Type: application/json.",
                "correct_the_request");
    }

    static Problem noToken() {
        return of(
                "unauthorized",
                401,
                "Unauthorized",
                "Send a token that this service knows, as Authorization: Bearer TOKEN.",
                "authenticate");
    }

    static Problem foreignHost() {
        return of(
                "foreign_host",
                421,
                "Misdirected request",
                "Without tokens this service answers to names of this machine only: use localhost.",
                "use_localhost");
    }

    /** What is at fault is in the log, under {@code reference}; the client learns no more. */
    static Problem internal(String reference) {
        return of(
                        "internal_error",
                        500,
                        "Internal error",
                        "Something that should not happen has happened; the log tells more under " + reference
                                + ". Whether anything was started is not known: look at the app's deployment.",
                        "look")
                .with(Map.of("reference", reference));
    }

    /** What the server itself refused, before there was a request to speak of. */
    static Problem refusedByServer(int status, String reason) {
        return of(
                "malformed_request",
                status,
                status < 500 ? "Malformed request" : "Internal error",
                "The request line, the path or a header could not be taken: " + reason + ".",
                "correct_the_request");
    }

    Map<String, Object> members() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("type", type);
        all.put("title", title);
        all.put("status", status);
        all.put("detail", detail);
        all.put("advice", advice);
        all.putAll(more);
        return all;
    }

    /** In whole seconds, rounded up: coming back early is in vain. */
    long retryAfterSeconds() {
        return retryAfter.plusMillis(999).toSeconds();
    }

    private static Duration min(Duration one, Duration other) {
        // A second at least, lest a client asks in a tight loop.
        Duration least = Duration.ofSeconds(1);
        Duration smaller = one.compareTo(other) < 0 ? one : other;
        return smaller.compareTo(least) < 0 ? least : smaller;
    }
}
