package io.holdfast.app.race;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** {@link Strategy#IN_MEMORY}: right as long as there is one process. */
final class InMemory extends Ordinary {
    /** The apps that are being published, each with its deployment. */
    private final Map<String, String> publishing = new ConcurrentHashMap<>();

    InMemory(OrdinaryTables tables, Effects effects) {
        super(tables, effects);
    }

    @Override
    public Pressed publish(String app, String slug) {
        String running = publishing.putIfAbsent(app, "");
        if (running != null) {
            return Pressed.told(Answer.inProgress(running));
        }
        try {
            if (!hasName(slug, app)) {
                publishing.remove(app);
                return Pressed.told(Answer.nameTaken());
            }
            Pressed started = start(app);
            publishing.put(app, String.valueOf(started.answer().effect()));
            CompletionStage<String> end = Objects.requireNonNull(started.end());
            return new Pressed(started.answer(), end.whenComplete((over, failure) -> publishing.remove(app)));
        } catch (RuntimeException e) {
            publishing.remove(app);
            throw e;
        }
    }
}
