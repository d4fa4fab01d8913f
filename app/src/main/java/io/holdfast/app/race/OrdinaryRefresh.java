package io.holdfast.app.race;

import io.holdfast.app.race.OrdinaryTables.Keyed;
import java.util.Optional;
import java.util.UUID;

/** The ways to rotate refresh tokens without Holdfast. Whoever comes with one that was spent is taken for a thief. */
abstract class OrdinaryRefresh implements Way {
    private static final String REVOKED = "revoked";

    /** The families, each with the one token that counts. */
    final Keyed sessions;

    private final Effects effects;

    private OrdinaryRefresh(OrdinaryTables tables, Effects effects) {
        this.sessions = tables.keyed("session");
        this.effects = effects;
    }

    @Override
    public final Pressed prepare(Scenario scenario, String key) {
        String token = newToken();
        sessions.insert(key, token);
        return Pressed.told(Answer.prepared(token));
    }

    @Override
    public final Pressed press(String key, String given) {
        return rotate(key, given)
                .map(successor -> new Pressed(
                        Answer.started(successor, null),
                        effects.start(key, successor).thenApply(over -> Report.DONE)))
                .orElseGet(() -> Pressed.told(loggedOut()));
    }

    @Override
    public final Answer again(String key, String given) {
        return rotate(key, given).isPresent() ? Answer.given(given) : loggedOut();
    }

    private static Answer loggedOut() {
        return Answer.loggedOut("the token was spent before, so the session is revoked");
    }

    /** Spends a token, and returns its successor; or empty, and the family is revoked. */
    abstract Optional<String> rotate(String family, String token);

    static String newToken() {
        return UUID.randomUUID().toString();
    }

    final Optional<String> revoke(String family) {
        sessions.set(family, REVOKED);
        return Optional.empty();
    }

    /** {@link Strategy#CHECK_THEN_ACT}: of two successors the first one is overwritten, and its owner a thief tomorrow. */
    static class CheckThenAct extends OrdinaryRefresh {
        CheckThenAct(OrdinaryTables tables, Effects effects) {
            super(tables, effects);
        }

        @Override
        Optional<String> rotate(String family, String token) {
            if (!sessions.find(family).equals(Optional.of(token))) {
                return revoke(family);
            }
            String successor = newToken();
            sessions.set(family, successor);
            return Optional.of(successor);
        }
    }

    /** {@link Strategy#IN_MEMORY}: the same under a lock, of which each process has one. */
    static final class InMemory extends CheckThenAct {
        InMemory(OrdinaryTables tables, Effects effects) {
            super(tables, effects);
        }

        @Override
        synchronized Optional<String> rotate(String family, String token) {
            return super.rotate(family, token);
        }
    }

    /** {@link Strategy#REVOKE_ON_REUSE}: one successor, and nobody who can use it. */
    static final class RevokeOnReuse extends OrdinaryRefresh {
        RevokeOnReuse(OrdinaryTables tables, Effects effects) {
            super(tables, effects);
        }

        @Override
        Optional<String> rotate(String family, String token) {
            String successor = newToken();
            return sessions.set(family, token, successor) ? Optional.of(successor) : revoke(family);
        }
    }
}
