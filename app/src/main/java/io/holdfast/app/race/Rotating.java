package io.holdfast.app.race;

import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.RefreshToken;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.refresh.RotateOutcome;
import io.holdfast.refresh.RotatingRefreshTokens;
import io.holdfast.refresh.TokenKeys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;

/** {@link Strategy#CLAIM} for {@link Port#REFRESH}. */
final class Rotating implements Way {
    // No contender is that late, and no run that long.
    private static final FamilyTerms TERMS =
            new FamilyTerms(Duration.ofDays(1), Duration.ofDays(1), Duration.ofHours(1));

    private final RotatingRefreshTokens tokens;
    private final Effects effects;

    /**
     * @param run names it, the same for all its processes. A real key is random and secret: this one lives no longer than
     *     its tokens, which open nothing
     */
    Rotating(RefreshTokenStore store, String run, Effects effects) {
        this.tokens = new RotatingRefreshTokens(store, TokenKeys.of(sha256(run)));
        this.effects = effects;
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new LinkageError("every Java platform has SHA-256", e);
        }
    }

    @Override
    public Pressed prepare(Scenario scenario, String key) {
        return Pressed.told(Answer.prepared(tokens.open(TERMS).text()));
    }

    @Override
    public Pressed press(String key, String given) {
        return tokens.rotate(given)
                .fold(
                        rotated -> started(key, rotated.successor().text()),
                        replayed ->
                                Pressed.told(Answer.given(replayed.successor().text())),
                        reused -> Pressed.told(Answer.loggedOut(reused.toString())),
                        refused -> Pressed.told(Answer.loggedOut(refused.toString())));
    }

    private Pressed started(String key, String successor) {
        return new Pressed(
                Answer.started(successor, null), effects.start(key, successor).thenApply(over -> Report.DONE));
    }

    @Override
    public Answer again(String key, String given) {
        RotateOutcome<RefreshToken> outcome = tokens.rotate(given);
        return outcome.fold(
                rotated -> Answer.given(given),
                replayed -> Answer.given(given),
                reused -> Answer.loggedOut(reused.toString()),
                refused -> Answer.loggedOut(refused.toString()));
    }
}
