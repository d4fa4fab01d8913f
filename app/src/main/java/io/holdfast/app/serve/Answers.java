package io.holdfast.app.serve;

import io.javalin.http.Context;

/** Writes answers. */
final class Answers {
    private Answers() {}

    static Context json(Context ctx, int status, Object view) {
        return bytes(ctx, status, Json.write(view));
    }

    /** JSON that was written before. */
    static Context bytes(Context ctx, int status, byte[] json) {
        return ctx.status(status)
                .contentType("application/json")
                .header("Cache-Control", "no-store")
                .result(json);
    }

    static Context problem(Context ctx, Problem problem) {
        if (!problem.retryAfter().isZero()) {
            ctx.header("Retry-After", Long.toString(problem.retryAfterSeconds()));
        }
        if (problem.status() == 401) {
            ctx.header("WWW-Authenticate", "Bearer");
        }
        return json(ctx, problem.status(), problem.members()).contentType("application/problem+json");
    }
}
