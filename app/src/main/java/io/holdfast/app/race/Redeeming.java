package io.holdfast.app.race;

import io.holdfast.Budget;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.NotDone;
import io.holdfast.save.Fingerprint;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.SaveOutcome;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveToken;
import io.holdfast.save.SaveTokenStore;
import io.holdfast.save.Saving;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** {@link Strategy#CLAIM} for {@link Port#SAVE}. The result of a save is the id of its attempt. */
final class Redeeming implements Way {
    private static final Duration VALID = Duration.ofDays(1);

    private final Saving saving;
    private final Effects effects;
    private final Beside beside = new Beside();

    Redeeming(SaveTokenStore tokens, Heartbeats heartbeats, Holder me, Effects effects) {
        this.saving = new Saving(tokens, heartbeats, me, Saving.DEFAULT_LIMIT, Budget.DEFAULT);
        this.effects = effects;
    }

    @Override
    public Pressed prepare(Scenario scenario, String key) {
        return Pressed.told(
                Answer.prepared(saving.issue(VALID, IfInDoubt.REFUSE).reveal()));
    }

    @Override
    public Pressed press(String key, String given) {
        return beside.press(answer -> save(key, SaveToken.parse(given), answer));
    }

    @Override
    public Answer again(String key, String given) {
        return press(key, given).answer();
    }

    private String save(String key, SaveToken token, CompletableFuture<Answer> answer) {
        SaveOutcome outcome;
        try {
            outcome = saving.save(token, Fingerprint.of(utf8(key)), (reservation, takenOverFrom, pulse) -> {
                String id = reservation.attempt().toString();
                answer.complete(Answer.started(id, null));
                effects.start(key, id).join();
                return SaveResult.of(utf8(id));
            });
        } catch (NotDone e) {
            throw new IllegalStateException(e);
        }
        answer.complete(told(outcome));
        return outcome instanceof SaveOutcome.Saved ? Report.DONE : outcome.toString();
    }

    private static Answer told(SaveOutcome outcome) {
        return outcome.fold(
                // Said already, when it began.
                Redeeming::unexpected,
                Redeeming::unexpected,
                Redeeming::unexpected,
                Redeeming::unexpected,
                used -> Answer.given(new String(used.result().bytes(), StandardCharsets.UTF_8)),
                busy -> Answer.inProgress(busy.by().attempt().toString()),
                Redeeming::unexpected,
                Redeeming::unexpected);
    }

    private static Answer unexpected(SaveOutcome outcome) {
        return Answer.error(new IllegalStateException(outcome.toString()));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
