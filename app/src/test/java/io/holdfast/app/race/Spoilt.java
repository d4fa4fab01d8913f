package io.holdfast.app.race;

import io.holdfast.AttemptId;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.Succession;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/** Contenders whose claims are wrong on purpose. */
final class Spoilt {
    private Spoilt() {}

    /** Everybody has it. */
    static final class Greedy {
        public static void main(String[] args) throws IOException {
            spoil((request, outcome) -> outcome instanceof Refusal.InProgress busy
                    ? new ClaimOutcome.Claimed(
                            new Claim(
                                    request.app(),
                                    request.attempt(),
                                    busy.running().fence()),
                            request.limit().value(),
                            Optional.empty())
                    : outcome);
        }
    }

    /** Somebody else has it, who does not exist. */
    static final class Liar {
        public static void main(String[] args) throws IOException {
            spoil((request, outcome) ->
                    outcome instanceof Refusal.InProgress busy ? busyWithNobody(busy.running()) : outcome);
        }
    }

    /** The dead owner is taken over, and not named. */
    static final class Silent {
        public static void main(String[] args) throws IOException {
            spoil((request, outcome) -> outcome instanceof ClaimOutcome.Claimed won
                    ? new ClaimOutcome.Claimed(won.claim(), won.remaining(), Optional.empty())
                    : outcome);
        }
    }

    private static Refusal busyWithNobody(Incumbent running) {
        return new Refusal.InProgress(new Incumbent(
                AttemptId.random(),
                running.holder(),
                running.fence(),
                running.since(),
                running.silentFor(),
                running.takeableIn()));
    }

    private static void spoil(BiFunction<ClaimRequest, ClaimOutcome, ClaimOutcome> spoilt) throws IOException {
        Contender.run(claims -> new ClaimStore() {
            @Override
            public ClaimOutcome claim(ClaimRequest request) {
                return spoilt.apply(request, claims.claim(request));
            }

            @Override
            public FinishOutcome finish(Claim claim, Ending ending) {
                return claims.finish(claim, ending);
            }

            @Override
            public Map<Claim, Renewal> renew(Collection<Claim> holds) {
                return claims.renew(holds);
            }

            @Override
            public Eviction evict(AppId app, Fence seen, Succession succession) {
                return claims.evict(app, seen, succession);
            }

            @Override
            public List<Claim> endSilent(int atMost, Duration inContact) {
                return claims.endSilent(atMost, inContact);
            }
        });
    }
}
