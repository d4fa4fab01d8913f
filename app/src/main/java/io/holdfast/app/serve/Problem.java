package io.holdfast.app.serve;

import io.holdfast.Incumbent;
import io.holdfast.StoreUnavailable;
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
    static final Duration SOON = Duration.ofSeconds(5);

    static Problem of(String type, int status, String title, String detail, String advice) {
        return new Problem(TYPES + type, status, title, detail, advice, Map.of(), Duration.ZERO);
    }

    Problem with(Map<String, Object> members) {
        return new Problem(type, status, title, detail, advice, members, retryAfter);
    }

    Problem retryAfter(Duration when) {
        return new Problem(type, status, title, detail, advice, more, when);
    }

    /** Of a call that may be repeated as it is, whatever came of it. */
    static Problem unreadable() {
        return unanswered("The database did not answer: ask again.");
    }

    /**
     * Of a call that leaves something behind.
     *
     * @param nothing the detail if nothing was left
     * @param maybe the detail if {@code left} may have been left
     */
    static Problem unanswered(StoreUnavailable.Effect effect, String nothing, String left, String maybe) {
        boolean clean = effect == StoreUnavailable.Effect.NOT_APPLIED;
        return unanswered(clean ? nothing : maybe).with(Map.of("leftBehind", clean ? "nothing" : left));
    }

    private static Problem unanswered(String detail) {
        return of("store_unavailable", 503, "The database does not answer", detail, "retry")
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
                        "Too much to do",
                        "This node runs " + builds
                                + " builds, releases and saves, as many as it may, and nothing was started: send the same request "
                                + "again, later or to another node.",
                        "retry")
                .retryAfter(SOON);
    }

    /** The eviction named a holder that is none any more. */
    static Problem moved(Optional<Incumbent> now) {
        return of(
                        "hold_moved",
                        409,
                        "Somebody else, or nobody, holds it now",
                        "Nobody holds by that fence, and nothing was changed. "
                                + now.map(by -> Json.quoted(by.holder().label()) + " holds it now, by fence "
                                                + by.fence() + ": name that one if you mean it, too.")
                                        .orElse("Nobody holds it now."),
                        "look")
                .with(now.map(Views::incumbent).orElse(Map.of()));
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

    /** To come again while somebody works: before long, but when the hold may be taken if that is sooner. */
    Problem whileHeld(Duration takeableIn) {
        // A second at least, lest a client asks in a tight loop.
        Duration least = Duration.ofSeconds(1);
        Duration smaller = SOON.compareTo(takeableIn) < 0 ? SOON : takeableIn;
        return retryAfter(smaller.compareTo(least) < 0 ? least : smaller);
    }
}
