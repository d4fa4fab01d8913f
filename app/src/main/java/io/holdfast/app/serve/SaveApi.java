package io.holdfast.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.Fence;
import io.holdfast.NotDone;
import io.holdfast.SilenceLimit;
import io.holdfast.StoreUnavailable;
import io.holdfast.save.Ending;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.SaveOutcome;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveToken;
import io.holdfast.save.SaveTokenStore;
import io.holdfast.save.Saving;
import io.holdfast.save.TokenDigest;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The routes of saves. A token comes in a header, where no log looks, and is answered once. */
final class SaveApi {
    private static final Logger LOG = LoggerFactory.getLogger(SaveApi.class);

    private static final String TOKEN = "Holdfast-Save-Token";

    private static final Duration VALID = Duration.ofHours(1);

    /** The most bytes of a content: what is larger belongs elsewhere, and a reference to it here. */
    private static final int MAX_CONTENT = 1024 * 1024;

    private final Saving saving;
    private final SaveTokenStore tokens;
    private final Writer writer;
    private final Builds builds;
    private final SilenceLimit limit;

    SaveApi(Saving saving, SaveTokenStore tokens, Writer writer, Builds builds, SilenceLimit limit) {
        this.saving = saving;
        this.tokens = tokens;
        this.writer = writer;
        this.builds = builds;
        this.limit = limit;
    }

    void addTo(RoutesConfig routes) {
        routes.post("/save-tokens", this::issue);
        routes.post("/saves", this::save);
        routes.post("/save-tokens/{idempotencyKey}/settlements", this::settle);
    }

    private void issue(Context ctx) {
        JsonNode wish = Incoming.json(ctx, "validForMs", "ifInDoubt");
        IfInDoubt ifInDoubt = Incoming.valid(() -> ifInDoubt(Incoming.text(wish, "ifInDoubt")));
        Duration validFor = Incoming.valid(() ->
                SaveTokenStore.validity(Incoming.millis(wish, "validForMs").orElse(VALID)));
        SaveToken token;
        try {
            token = saving.issue(validFor, ifInDoubt);
        } catch (StoreUnavailable e) {
            LOG.warn("a save token was not issued", e);
            throw new Refused(SaveProblems.notIssued(e.effect()));
        }
        Answers.json(
                ctx,
                201,
                Views.members(
                        "token", token.reveal(),
                        "idempotencyKey", token.digest().toString(),
                        "validForMs", validFor.toMillis(),
                        "ifInDoubt", ifInDoubt.name().toLowerCase(Locale.ROOT)));
    }

    private static IfInDoubt ifInDoubt(String said) {
        return switch (said) {
            case "run_again" -> IfInDoubt.RUN_AGAIN;
            case "refuse" -> IfInDoubt.REFUSE;
            default ->
                throw new IllegalArgumentException(
                        "ifInDoubt must be \"run_again\": the content may be written twice; or"
                                + " \"refuse\": somebody has to look first");
        };
    }

    private void save(Context ctx) {
        String text = Incoming.header(ctx, TOKEN).orElseThrow(() -> new Refused(SaveProblems.tokenIsMissing(TOKEN)));
        SaveToken token = Incoming.readable(() -> SaveToken.parse(text));
        byte[] content = Incoming.bytes(ctx, MAX_CONTENT);
        Payload payload = Incoming.readable(() -> Payload.of(ctx.contentType(), content));
        String key = token.digest().toString();
        save(token, payload)
                .<Context>fold(
                        saved -> {
                            LOG.atInfo()
                                    .setMessage("saved")
                                    .addKeyValue("idempotencyKey", key)
                                    .log();
                            return answer(ctx, saved.result());
                        },
                        lost -> {
                            throw new Refused(SaveProblems.lost(lost.to()));
                        },
                        unknown -> {
                            throw new Refused(SaveProblems.noSuchToken());
                        },
                        other -> {
                            throw new Refused(SaveProblems.otherPayload());
                        },
                        completed -> {
                            ctx.header("Idempotent-Replayed", "true");
                            return answer(ctx, completed.result());
                        },
                        busy -> {
                            throw new Refused(SaveProblems.saveInProgress(key, busy.by()));
                        },
                        doubt -> {
                            throw new Refused(SaveProblems.saveInDoubt(key, doubt.by()));
                        },
                        expired -> {
                            throw new Refused(SaveProblems.expired());
                        });
    }

    private SaveOutcome save(SaveToken token, Payload payload) {
        builds.enter();
        try {
            return saving.save(
                    token,
                    payload.fingerprint(),
                    (reservation, takenOverFrom, pulse) -> writer.write(payload, reservation, takenOverFrom));
        } catch (NotDone e) {
            LOG.warn("nothing was saved under {}", token.digest(), e);
            throw new Refused(SaveProblems.notSaved(e.getMessage()));
        } catch (IOException e) {
            LOG.warn("nobody knows what was saved under {}", token.digest(), e);
            throw new Refused(SaveProblems.unanswered(token.digest().toString(), limit.value()));
        } catch (StoreUnavailable e) {
            LOG.warn("the store was away from a save under {}", token.digest(), e);
            throw new Refused(SaveProblems.storeUnavailable(e.effect()));
        } catch (IllegalStateException e) {
            // The node began to shut down after the place was taken.
            throw builds.closed() ? new Refused(Problem.shuttingDown()) : e;
        } finally {
            builds.leave();
        }
    }

    /** As it was kept, byte for byte. */
    private static Context answer(Context ctx, SaveResult result) {
        return Answers.bytes(ctx, 200, result.bytes());
    }

    private void settle(Context ctx) {
        String text = Incoming.segment(ctx, 1);
        TokenDigest token = Incoming.readable(() -> digest(text));
        JsonNode said = Incoming.json(ctx, 2 * SaveResult.MAX_BYTES, Set.of("fence", "state", "result"));
        Fence seen = Incoming.fence(said, "was seen, of the save that is in doubt");
        Ending ending = Incoming.valid(() -> SaveResults.ending(said));
        tokens.settle(token, seen, ending)
                .<Context>fold(
                        saved -> Answers.json(ctx, 200, Views.members("state", "saved")),
                        notSaved -> Answers.json(ctx, 200, Views.members("state", "not_saved")),
                        lost -> {
                            throw new Refused(SaveProblems.notSettled(lost.to()));
                        });
    }

    private static TokenDigest digest(String text) {
        try {
            return TokenDigest.ofSha256(HexFormat.of().parseHex(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the idempotency key of a save token is 64 hexadecimal digits: send it as it was given", e);
        }
    }
}
