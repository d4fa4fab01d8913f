package io.holdfast.app.race;

import io.holdfast.app.race.OrdinaryTables.Duplicate;
import io.holdfast.app.race.OrdinaryTables.Keyed;
import io.holdfast.app.race.OrdinaryTables.Listed;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The ways to release a content without Holdfast. */
abstract class OrdinaryRelease implements Way {
    static final String RUNNING = "running";
    private static final String OVER = "over";

    final Listed releases;
    private final Effects effects;

    private OrdinaryRelease(OrdinaryTables tables, Effects effects) {
        this.releases = tables.listed("release");
        this.effects = effects;
    }

    @Override
    public final Pressed prepare(Scenario scenario, String key) {
        return scenario.isSlow() ? press(key, "") : Pressed.told(Answer.prepared(null));
    }

    static String newId() {
        return UUID.randomUUID().toString();
    }

    /** @param unlock afterwards */
    final Pressed release(String key, String id, Runnable unlock) {
        releases.insert(id, key, RUNNING, Duration.ZERO);
        return new Pressed(Answer.started(id, null), effects.start(key, id).thenApply(over -> {
            releases.mark(id, OVER);
            unlock.run();
            return Report.DONE;
        }));
    }

    /** {@link Strategy#IN_MEMORY}: right as long as there is one process. */
    static final class InMemory extends OrdinaryRelease {
        private final Map<String, String> running = new ConcurrentHashMap<>();

        InMemory(OrdinaryTables tables, Effects effects) {
            super(tables, effects);
        }

        @Override
        public Pressed press(String key, String given) {
            String id = newId();
            String before = running.putIfAbsent(key, id);
            return before == null
                    ? release(key, id, () -> running.remove(key))
                    : Pressed.told(Answer.inProgress(before));
        }
    }

    /** {@link Strategy#CHECK_THEN_ACT}. */
    static final class CheckThenAct extends OrdinaryRelease {
        private final Duration longest;

        /**
         * @param longest whatever was started before that is taken for dead
         */
        CheckThenAct(OrdinaryTables tables, Effects effects, Duration longest) {
            super(tables, effects);
            this.longest = longest;
        }

        @Override
        public Pressed press(String key, String given) {
            Optional<String> before = releases.newest(key, RUNNING, longest);
            return before.isPresent() ? Pressed.told(Answer.inProgress(before.get())) : release(key, newId(), () -> {});
        }
    }

    /** {@link Strategy#GUESSED_EXPIRY}: right as long as nothing takes longer than somebody once thought. */
    static final class GuessedExpiry extends OrdinaryRelease {
        private final Keyed locks;
        private final Duration longest;

        /**
         * @param longest whatever was locked before that is taken for left behind
         */
        GuessedExpiry(OrdinaryTables tables, Effects effects, Duration longest) {
            super(tables, effects);
            this.locks = tables.keyed("lock");
            this.longest = longest;
        }

        @Override
        public Pressed press(String key, String given) {
            String id = newId();
            if (!lock(key, id)) {
                Optional<String> owner = locks.find(key, longest);
                if (owner.isPresent()) {
                    return Pressed.told(Answer.inProgress(owner.get()));
                }
                locks.delete(key);
                if (!lock(key, id)) {
                    return Pressed.told(Answer.inProgress(locks.find(key).orElse("")));
                }
            }
            // By the name alone, as everybody writes it: also the lock of whoever has taken over.
            return release(key, id, () -> locks.delete(key));
        }

        private boolean lock(String key, String id) {
            try {
                locks.insert(key, id);
                return true;
            } catch (Duplicate e) {
                return false;
            }
        }
    }
}
