package io.holdfast.app.race;

import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.Pulse;
import io.holdfast.SilenceLimit;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Conclusion;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Orchestrator;
import io.holdfast.publish.PublishOutcome;
import io.holdfast.publish.Publishing;
import io.holdfast.publish.Slug;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** {@link Strategy#CLAIM} for {@link Port#PUBLISH}: the use case itself, on the adapter, with its heartbeats. */
final class Claiming implements PublishingWay {
    /** What the attempt before left behind; nothing of it may show up in a later deployment (C5). */
    static final String OLD_ERROR = "old error: no space left on device";

    private final ClaimStore claims;
    private final Publishing publishing;
    private final Effects effects;
    private final Passing passing;

    Claiming(
            ClaimStore claims, Heartbeats heartbeats, Holder me, SilenceLimit limit, Effects effects, Passing passing) {
        this.claims = claims;
        this.publishing = new Publishing(claims, this::deploy, heartbeats, me, limit, Budget.DEFAULT);
        this.effects = effects;
        this.passing = passing;
    }

    private CompletionStage<Orchestrator.Work> deploy(
            Claim claim, Slug slug, Optional<AttemptId> takenOverFrom, Pulse pulse) {
        return effects.start(claim.app().value(), claim.attempt().toString())
                .thenApply(over -> new Orchestrator.Work.Ended(live(slug)));
    }

    private static Ending live(Slug slug) {
        return new Ending.Live(URI.create("https://" + slug.value() + ".example"));
    }

    @Override
    public Pressed publish(String app, String slug) {
        return publishing
                .publish(AppId.of(app), Slug.of(slug))
                .fold(
                        Claiming::started,
                        before -> unexpected(before),
                        other -> unexpected(other),
                        busy -> Pressed.told(
                                Answer.inProgress(busy.running().attempt().toString())),
                        fixed -> unexpected(fixed),
                        taken -> Pressed.told(Answer.nameTaken()));
    }

    private static Pressed started(PublishOutcome.Started won) {
        String takenOver = won.takenOverFrom().map(AttemptId::toString).orElse(null);
        Answer answer = Answer.started(won.claim().attempt().toString(), takenOver);
        return new Pressed(answer, won.conclusion().thenApply(Claiming::end));
    }

    private static String end(Conclusion conclusion) {
        return conclusion instanceof Conclusion.Ended ended && ended.ending() instanceof Ending.Live
                ? Report.DONE
                : conclusion.toString();
    }

    private static Pressed unexpected(PublishOutcome outcome) {
        return Pressed.told(Answer.error(new IllegalStateException(outcome.toString())));
    }

    @Override
    public void leaveLive(String app, String slug) {
        claims.finish(claim(app, slug), live(Slug.of(slug)));
        claims.finish(claim(app, slug), new Ending.Failed(OLD_ERROR));
    }

    @Override
    public String leaveDead(String app, String slug) {
        claims.finish(claim(app, slug), new Ending.Failed(OLD_ERROR));
        String dead = claim(app, slug).attempt().toString();
        passing.letPass(app, Contender.SILENCE);
        return dead;
    }

    /** Takes the app without a heart that would beat for it. */
    private Claim claim(String app, String slug) {
        ClaimRequest request = new ClaimRequest(
                AttemptId.random(),
                AppId.of(app),
                Slug.of(slug),
                new Holder("somebody before"),
                Publishing.DEFAULT_LIMIT,
                Optional.empty());
        return claims.claim(request).fold(ClaimOutcome.Claimed::claim, refused -> {
            throw new IllegalStateException("an app that nobody knows was refused: " + refused);
        });
    }
}
