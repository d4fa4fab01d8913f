package io.holdfast.app.race;

import io.holdfast.app.race.OrdinaryTables.Keyed;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The ways to save with a one-time token without Holdfast. */
abstract class OrdinarySave implements Way {
    private static final String UNUSED = "";

    /** The tokens, each with what came of it. */
    final Keyed saves;

    private final Effects effects;

    private OrdinarySave(OrdinaryTables tables, Effects effects) {
        this.saves = tables.keyed("save");
        this.effects = effects;
    }

    @Override
    public Pressed prepare(Scenario scenario, String key) {
        String token = newId();
        saves.insert(token, UNUSED);
        return Pressed.told(Answer.prepared(token));
    }

    @Override
    public final Answer again(String key, String given) {
        return press(key, given).answer();
    }

    static String newId() {
        return UUID.randomUUID().toString();
    }

    /** @param mark afterwards: that the token was used */
    final Pressed write(String key, String id, Runnable mark) {
        return new Pressed(Answer.started(id, null), effects.start(key, id).thenApply(over -> {
            mark.run();
            return Report.DONE;
        }));
    }

    /** {@link Strategy#IN_MEMORY}: right as long as there is one process, and until it is started again. */
    static final class InMemory extends OrdinarySave {
        private final Map<String, String> used = new ConcurrentHashMap<>();

        InMemory(OrdinaryTables tables, Effects effects) {
            super(tables, effects);
        }

        @Override
        public Pressed press(String key, String given) {
            String id = newId();
            String before = used.putIfAbsent(given, id);
            return before == null ? write(key, id, () -> {}) : Pressed.told(Answer.given(before));
        }
    }

    /** {@link Strategy#CHECK_THEN_ACT}: right as long as nobody comes before it is written. */
    static final class CheckThenAct extends OrdinarySave {
        CheckThenAct(OrdinaryTables tables, Effects effects) {
            super(tables, effects);
        }

        @Override
        public Pressed press(String key, String given) {
            Optional<String> before = saves.find(given).filter(result -> !result.equals(UNUSED));
            if (before.isPresent()) {
                return Pressed.told(Answer.given(before.get()));
            }
            String id = newId();
            return write(key, id, () -> saves.set(given, id));
        }
    }

    /** {@link Strategy#ACT_THEN_MARK}: what the unique index refuses was written nevertheless. */
    static final class ActThenMark extends OrdinarySave {
        ActThenMark(OrdinaryTables tables, Effects effects) {
            super(tables, effects);
        }

        @Override
        public Pressed prepare(Scenario scenario, String key) {
            // It is in the table once it was used.
            return Pressed.told(Answer.prepared(newId()));
        }

        @Override
        public Pressed press(String key, String given) {
            Optional<String> before = saves.find(given);
            if (before.isPresent()) {
                return Pressed.told(Answer.given(before.get()));
            }
            String id = newId();
            return write(key, id, () -> saves.insert(given, id));
        }
    }
}
