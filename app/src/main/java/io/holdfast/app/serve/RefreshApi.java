package io.holdfast.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.StoreUnavailable;
import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.RefreshToken;
import io.holdfast.refresh.RotateOutcome;
import io.holdfast.refresh.RotatingRefreshTokens;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The routes of refresh tokens, in the form of OAuth: a token comes in a body (RFC 6749), and a revocation is always well (RFC
 * 7009). Why a token is no good is said to the log and to nobody else.
 */
final class RefreshApi {
    private static final Logger LOG = LoggerFactory.getLogger(RefreshApi.class);

    private static final Duration FAMILY_VALID = Duration.ofDays(30);
    private static final Duration TOKEN_VALID = Duration.ofDays(7);
    private static final Duration GRACE = Duration.ofSeconds(30);

    /** A token that is none is found out without the store: that must not be seen by the time that it takes, either. */
    private static final long PACE = TimeUnit.MILLISECONDS.toNanos(100);

    private final Optional<RotatingRefreshTokens> tokens;

    /** @param tokens empty if this service was given no key */
    RefreshApi(Optional<RotatingRefreshTokens> tokens) {
        this.tokens = tokens;
    }

    void addTo(RoutesConfig routes) {
        routes.post("/refresh-families", this::open);
        routes.delete("/refresh-families/{family}", this::end);
        routes.post("/refresh", this::rotate);
        routes.post("/refresh/revocations", this::revoke);
    }

    private void open(Context ctx) {
        JsonNode wish = Incoming.json(ctx, "familyValidMs", "tokenValidMs", "graceMs");
        FamilyTerms terms = Incoming.valid(() -> new FamilyTerms(
                Incoming.millis(wish, "familyValidMs").orElse(FAMILY_VALID),
                Incoming.millis(wish, "tokenValidMs").orElse(TOKEN_VALID),
                Incoming.millis(wish, "graceMs").orElse(GRACE)));
        RefreshToken first;
        try {
            first = keyed().open(terms);
        } catch (StoreUnavailable e) {
            LOG.warn("a family was not opened", e);
            throw new Refused(RefreshProblems.notOpened(e.effect()));
        }
        Answers.json(ctx, 201, view(first));
    }

    private void rotate(Context ctx) {
        long began = System.nanoTime();
        Form form = Form.of(ctx, "grant_type", "refresh_token", "scope", "client_id");
        if (!form.value("grant_type").equals(Optional.of("refresh_token"))) {
            throw new Refused(RefreshProblems.unsupportedGrant());
        }
        String token = form.value("refresh_token")
                .orElseThrow(() -> new Refused(RefreshProblems.tokenIsMissing("refresh_token")));
        keyed().rotate(token)
                .<Context>fold(
                        rotated -> Answers.json(ctx, 200, view(rotated.successor())),
                        replayed -> Answers.json(ctx, 200, view(replayed.successor())),
                        reused -> {
                            tell(reused);
                            return refuse(ctx, began);
                        },
                        refused -> {
                            LOG.atInfo()
                                    .setMessage("refresh token refused")
                                    .addKeyValue("why", refused.why())
                                    .log();
                            return refuse(ctx, began);
                        });
    }

    private static void tell(RotateOutcome.Reused<RefreshToken> reused) {
        LOG.atWarn()
                .setMessage(
                        "a refresh token was used again after its time: somebody has a copy, and the family is revoked")
                .addKeyValue("family", reused.family())
                .log();
    }

    /** The same for everything, at the same pace. */
    private static Context refuse(Context ctx, long began) {
        long taken = System.nanoTime() - began;
        Executor later = CompletableFuture.delayedExecutor(PACE - taken % PACE, TimeUnit.NANOSECONDS);
        ctx.future(() ->
                CompletableFuture.runAsync(() -> Answers.json(ctx, 400, Map.of("error", "invalid_grant")), later));
        return ctx;
    }

    private void revoke(Context ctx) {
        Form form = Form.of(ctx, "token", "token_type_hint", "client_id");
        String token = form.value("token").orElseThrow(() -> new Refused(RefreshProblems.tokenIsMissing("token")));
        keyed().revoke(token);
        Answers.json(ctx, 200, Map.of());
    }

    private void end(Context ctx) {
        String text = Incoming.segment(ctx, 1);
        FamilyId family = Incoming.readable(() -> FamilyId.parse(text));
        keyed().revoke(family);
        Answers.json(ctx, 200, Views.members("family", family.toString(), "state", "revoked"));
    }

    private RotatingRefreshTokens keyed() {
        return tokens.orElseThrow(() -> new Refused(RefreshProblems.noKey()));
    }

    private static Map<String, Object> view(RefreshToken token) {
        return Views.members(
                "refresh_token", token.text(), "family", token.family().toString());
    }
}
