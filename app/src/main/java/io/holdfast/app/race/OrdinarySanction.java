package io.holdfast.app.race;

import io.holdfast.app.race.OrdinaryTables.Listed;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The ways to sanction an account without Holdfast. */
abstract class OrdinarySanction implements Way {
    static final String ACTIVE = "active";
    static final String ENDED = "ended";
    static final Duration LONG_AGO = Duration.ofDays(1);

    final Listed sanctions;
    private final Effects effects;

    private OrdinarySanction(OrdinaryTables tables, Effects effects) {
        this.sanctions = tables.listed("sanction");
        this.effects = effects;
    }

    @Override
    public final Pressed prepare(Scenario scenario, String key) {
        sanctions.insert(newId(), key, ENDED, LONG_AGO);
        return Pressed.told(Answer.prepared(null));
    }

    static String newId() {
        return UUID.randomUUID().toString();
    }

    final Pressed impose(String key, String id) {
        sanctions.insert(id, key, ACTIVE, Duration.ZERO);
        return new Pressed(Answer.started(id, null), effects.start(key, id).thenApply(over -> Report.DONE));
    }

    /** {@link Strategy#IN_MEMORY}: right as long as there is one process. */
    static final class InMemory extends OrdinarySanction {
        private final Map<String, String> active = new ConcurrentHashMap<>();

        InMemory(OrdinaryTables tables, Effects effects) {
            super(tables, effects);
        }

        @Override
        public Pressed press(String key, String given) {
            String id = newId();
            String before = active.putIfAbsent(key, id);
            return before == null ? impose(key, id) : Pressed.told(Answer.given(before));
        }
    }

    /** {@link Strategy#CHECK_THEN_ACT}: right as long as nobody comes between the two statements. */
    static final class CheckThenAct extends OrdinarySanction {
        CheckThenAct(OrdinaryTables tables, Effects effects) {
            super(tables, effects);
        }

        @Override
        public Pressed press(String key, String given) {
            Optional<String> before = sanctions.newest(key, ACTIVE, LONG_AGO);
            return before.isPresent() ? Pressed.told(Answer.given(before.get())) : impose(key, newId());
        }
    }

    /** {@link Strategy#FAIL_THEN_START}: the last one wins, and all have mailed. */
    static final class FailThenStart extends OrdinarySanction {
        FailThenStart(OrdinaryTables tables, Effects effects) {
            super(tables, effects);
        }

        @Override
        public Pressed press(String key, String given) {
            sanctions.markAll(key, ACTIVE, ENDED, "superseded");
            return impose(key, newId());
        }
    }
}
