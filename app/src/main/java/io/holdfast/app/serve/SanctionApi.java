package io.holdfast.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.StoreUnavailable;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.sanction.Sanctioning;
import io.holdfast.sanction.Terms;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The routes of sanctions. */
final class SanctionApi {
    private static final Logger LOG = LoggerFactory.getLogger(SanctionApi.class);

    private final Sanctioning sanctioning;

    SanctionApi(Sanctioning sanctioning) {
        this.sanctioning = sanctioning;
    }

    void addTo(RoutesConfig routes) {
        routes.post("/accounts/{account}/sanctions", this::impose);
        routes.get("/accounts/{account}/sanctions", this::history);
        routes.get("/accounts/{account}/sanction", this::active);
        routes.post("/accounts/{account}/sanctions/{id}/replace", this::replace);
        routes.post("/accounts/{account}/sanctions/{id}/lift", this::lift);
    }

    private void impose(Context ctx) {
        Terms terms = terms(ctx);
        known(terms.account(), () -> sanctioning.impose(terms))
                .<Context>fold(
                        imposed -> answerImposed(ctx, imposed.sanction()),
                        another -> {
                            throw new Refused(SanctionProblems.alreadySanctioned(another.active()));
                        },
                        over -> answerImposed(ctx, over.sanction()));
    }

    private void replace(Context ctx) {
        AttemptId seen = seen(ctx);
        Terms terms = terms(ctx);
        known(terms.account(), () -> sanctioning.replace(seen, terms))
                .<Context>fold(
                        imposed -> answerImposed(ctx, imposed.sanction()),
                        another -> {
                            throw new Refused(SanctionProblems.anotherSanction(seen, another.active()));
                        },
                        over -> answerImposed(ctx, over.sanction()),
                        none -> {
                            throw new Refused(SanctionProblems.nothingToReplace(terms.account()));
                        });
    }

    private static Context answerImposed(Context ctx, Sanction sanction) {
        log("sanction imposed", sanction);
        return Answers.json(ctx, 201, Views.sanction(sanction));
    }

    private static Context answerEnded(Context ctx, Sanction sanction) {
        log("sanction has ended", sanction);
        return Answers.json(ctx, 200, Views.sanction(sanction));
    }

    private static void log(String message, Sanction sanction) {
        LOG.atInfo()
                .setMessage(message)
                .addKeyValue("sanction", sanction.id())
                .addKeyValue("account", sanction.terms().account().value())
                .log();
    }

    private void lift(Context ctx) {
        Account account = account(ctx);
        AttemptId seen = seen(ctx);
        JsonNode said = Incoming.json(ctx, "by");
        Holder by = Incoming.valid(() -> new Holder(Incoming.text(said, "by")));
        sanctioning.lift(account, seen, by).<Context>fold(over -> answerEnded(ctx, over.sanction()), missed -> {
            throw new Refused(missed.active()
                    .map(active -> SanctionProblems.anotherSanction(seen, active))
                    .orElseGet(() -> SanctionProblems.noSuchSanction(account, seen)));
        });
    }

    private void active(Context ctx) {
        Account account = account(ctx);
        Sanction active =
                sanctioning.active(account).orElseThrow(() -> new Refused(SanctionProblems.notSanctioned(account)));
        Answers.json(ctx, 200, Views.sanction(active));
    }

    private void history(Context ctx) {
        Account account = account(ctx);
        Answers.json(
                ctx,
                200,
                Views.members(
                        "account",
                        account.value(),
                        "sanctions",
                        sanctioning.history(account, SanctionStore.HISTORY).stream()
                                .map(Views::sanction)
                                .toList()));
    }

    /** What came of it; or that nobody knows, and where to look. */
    private static <R> R known(Account account, Supplier<R> call) {
        try {
            return call.get();
        } catch (StoreUnavailable e) {
            LOG.warn("it is not known that a sanction was imposed", e);
            throw new Refused(SanctionProblems.storeUnavailable(e.effect(), account));
        }
    }

    private static Terms terms(Context ctx) {
        Account account = account(ctx);
        JsonNode said = Incoming.json(ctx, "reason", "by", "lastingMs");
        return Incoming.valid(() -> new Terms(
                account,
                Incoming.text(said, "reason"),
                new Holder(Incoming.text(said, "by")),
                Incoming.millis(said, "lastingMs")));
    }

    private static Account account(Context ctx) {
        String text = Incoming.segment(ctx, 1);
        return Incoming.valid(() -> Account.of(text));
    }

    private static AttemptId seen(Context ctx) {
        String text = Incoming.segment(ctx, 3);
        return Incoming.readable(() -> AttemptId.parse(text));
    }
}
