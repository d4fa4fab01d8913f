package io.holdfast.contract.interleaving;

import io.holdfast.AttemptId;
import io.holdfast.Eviction;
import io.holdfast.Hold;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Names of attempts, which are others in each run; and answers with names in them. */
final class Names {
    private final Map<AttemptId, String> names = new ConcurrentHashMap<>();

    AttemptId attempt(String name) {
        AttemptId attempt = AttemptId.random();
        names.put(attempt, name);
        return attempt;
    }

    String of(AttemptId attempt) {
        return names.getOrDefault(attempt, "a stranger");
    }

    String of(Optional<AttemptId> attempt) {
        return attempt.map(this::of).orElse("nobody");
    }

    String of(Hold hold) {
        return of(hold.attempt());
    }

    String of(Incumbent incumbent) {
        return of(incumbent.attempt());
    }

    String incumbent(Optional<Incumbent> incumbent) {
        return incumbent.map(this::of).orElse("nobody");
    }

    String told(@Nullable Renewal renewal) {
        return renewal == null
                ? World.NO_WORD
                : renewal.fold(held -> "held", lost -> "lost to " + incumbent(lost.to()));
    }

    String told(Eviction eviction) {
        return eviction.fold(
                evicted -> "evicted, takeable " + (evicted.takeableIn().isZero() ? "now" : "later"),
                moved -> "moved to " + incumbent(moved.now()));
    }
}
