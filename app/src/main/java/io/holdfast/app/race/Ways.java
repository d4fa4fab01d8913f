package io.holdfast.app.race;

import io.holdfast.Budget;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.app.Backend;
import io.holdfast.app.StoreAddress;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Publishing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** All ways to publish, of one process. */
final class Ways {
    /**
     * The silence limit of {@link Scenario#SLOW_BUILD}, where somebody waits until a build has outlasted it; elsewhere it is
     * the one that services have.
     */
    static final Duration SHORT_LIMIT = Duration.ofSeconds(3);

    private static final Duration SHORT_BEAT = Duration.ofMillis(500);

    private final Map<Strategy, Way> ways = new EnumMap<>(Strategy.class);
    private final Map<Strategy, Way> impatient = new EnumMap<>(Strategy.class);

    private Ways() {}

    /**
     * @param claims what becomes of the store's claims
     */
    static Ways open(Setup setup, UnaryOperator<ClaimStore> claims) {
        Backend backend = Backend.open(StoreAddress.parse(setup.store()), Path.of(""), setup.prefix(), Budget.DEFAULT);
        OrdinaryTables tables = OrdinaryTables.on(backend, setup.prefix());
        Builds builds = new Builds(setup.orchestrator());
        Way inMemory = new InMemory(tables, builds);
        Way failThenStart = new FailThenStart(tables, builds);
        Ways ways = new Ways();
        for (Map<Strategy, Way> each : List.of(ways.ways, ways.impatient)) {
            each.put(Strategy.IN_MEMORY, inMemory);
            each.put(Strategy.FAIL_THEN_START, failThenStart);
        }
        SilenceLimit limit = Publishing.DEFAULT_LIMIT;
        SilenceLimit shortLimit = SilenceLimit.of(SHORT_LIMIT);
        ways.ways.put(Strategy.CHECK_THEN_ACT, new CheckThenAct(tables, builds, limit.value()));
        ways.impatient.put(Strategy.CHECK_THEN_ACT, new CheckThenAct(tables, builds, shortLimit.value()));
        ClaimStore store = claims.apply(backend.claims());
        Holder me = new Holder(setup.name());
        Passing passing = Passing.on(backend, setup.prefix());
        ways.ways.put(Strategy.CLAIM, new Claiming(store, Heartbeats.everyHalfMinute(), me, limit, builds, passing));
        ways.impatient.put(
                Strategy.CLAIM,
                new Claiming(store, Heartbeats.every(SHORT_BEAT, Duration.ZERO), me, shortLimit, builds, passing));
        return ways;
    }

    Way of(Order order) {
        Map<Strategy, Way> those = order.scenario() == Scenario.SLOW_BUILD ? impatient : ways;
        Way way = those.get(order.strategy());
        if (way == null) {
            throw new IllegalStateException("no way for " + order);
        }
        return way;
    }
}
