package io.holdfast.app.race;

import io.holdfast.Budget;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.app.Backend;
import io.holdfast.app.StoreAddress;
import io.holdfast.publish.Publishing;
import io.holdfast.release.Releasing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** All ways of one process. */
final class Ways {
    /**
     * The silence limit of the slow scenarios, where somebody waits until something has outlasted it; elsewhere it is the one
     * that services have.
     */
    static final Duration SHORT_LIMIT = Duration.ofSeconds(3);

    private static final Duration SHORT_BEAT = Duration.ofMillis(500);

    private final OrdinaryTables tables;
    private final Effects effects;
    private final Stores stores;
    private final Passing passing;
    private final Setup setup;
    private final Holder me;
    private final Heartbeats heartbeats = Heartbeats.everyHalfMinute();
    private final Heartbeats quick = Heartbeats.every(SHORT_BEAT, Duration.ZERO);
    private final Map<Scenario, Map<Strategy, Way>> ways = new EnumMap<>(Scenario.class);

    private Ways(Setup setup, Backend backend, Stores stores) {
        this.tables = OrdinaryTables.on(backend, setup.prefix());
        this.effects = new Effects(setup.orchestrator());
        this.stores = stores;
        this.passing = Passing.on(backend, setup.prefix());
        this.setup = setup;
        this.me = new Holder(setup.name());
    }

    /**
     * @param stores what becomes of the stores
     */
    static Ways open(Setup setup, UnaryOperator<Stores> stores) {
        Backend backend = Backend.open(StoreAddress.parse(setup.store()), Path.of(""), setup.prefix(), Budget.DEFAULT);
        Ways ways = new Ways(setup, backend, stores.apply(Stores.of(backend)));
        SilenceLimit shortLimit = SilenceLimit.of(SHORT_LIMIT);
        Map<Strategy, Way> publishing = ways.publishing(Publishing.DEFAULT_LIMIT, ways.heartbeats);
        ways.ways.put(Scenario.FIRST_PUBLISH, publishing);
        ways.ways.put(Scenario.REPUBLISH, publishing);
        ways.ways.put(Scenario.DEAD_OWNER, publishing);
        ways.ways.put(Scenario.SLOW_BUILD, ways.publishing(shortLimit, ways.quick));
        ways.ways.put(Scenario.SAVE, ways.saving());
        ways.ways.put(Scenario.REFRESH, ways.refreshing());
        ways.ways.put(Scenario.FIRST_RELEASE, ways.releasing(Releasing.DEFAULT_LIMIT, ways.heartbeats));
        ways.ways.put(Scenario.SLOW_RELEASE, ways.releasing(shortLimit, ways.quick));
        ways.ways.put(Scenario.SANCTION, ways.sanctioning());
        return ways;
    }

    private Map<Strategy, Way> publishing(SilenceLimit limit, Heartbeats beats) {
        return Map.of(
                Strategy.IN_MEMORY, new InMemory(tables, effects),
                Strategy.CHECK_THEN_ACT, new CheckThenAct(tables, effects, limit.value()),
                Strategy.FAIL_THEN_START, new FailThenStart(tables, effects),
                Strategy.CLAIM, new Claiming(stores.claims(), beats, me, limit, effects, passing));
    }

    private Map<Strategy, Way> saving() {
        return Map.of(
                Strategy.IN_MEMORY, new OrdinarySave.InMemory(tables, effects),
                Strategy.CHECK_THEN_ACT, new OrdinarySave.CheckThenAct(tables, effects),
                Strategy.ACT_THEN_MARK, new OrdinarySave.ActThenMark(tables, effects),
                Strategy.CLAIM, new Redeeming(stores.saveTokens(), heartbeats, me, effects));
    }

    private Map<Strategy, Way> refreshing() {
        return Map.of(
                Strategy.IN_MEMORY, new OrdinaryRefresh.InMemory(tables, effects),
                Strategy.CHECK_THEN_ACT, new OrdinaryRefresh.CheckThenAct(tables, effects),
                Strategy.REVOKE_ON_REUSE, new OrdinaryRefresh.RevokeOnReuse(tables, effects),
                Strategy.CLAIM, new Rotating(stores.refreshTokens(), setup.prefix(), effects));
    }

    private Map<Strategy, Way> releasing(SilenceLimit limit, Heartbeats beats) {
        return Map.of(
                Strategy.IN_MEMORY, new OrdinaryRelease.InMemory(tables, effects),
                Strategy.CHECK_THEN_ACT, new OrdinaryRelease.CheckThenAct(tables, effects, limit.value()),
                Strategy.GUESSED_EXPIRY, new OrdinaryRelease.GuessedExpiry(tables, effects, limit.value()),
                Strategy.CLAIM, new Leasing(stores.leases(), beats, me, limit, effects));
    }

    private Map<Strategy, Way> sanctioning() {
        return Map.of(
                Strategy.IN_MEMORY, new OrdinarySanction.InMemory(tables, effects),
                Strategy.CHECK_THEN_ACT, new OrdinarySanction.CheckThenAct(tables, effects),
                Strategy.FAIL_THEN_START, new OrdinarySanction.FailThenStart(tables, effects),
                Strategy.CLAIM, new Imposing(stores.sanctions(), me, effects));
    }

    Way of(Order order) {
        Way way = Objects.requireNonNull(ways.get(order.scenario())).get(order.strategy());
        if (way == null) {
            throw new IllegalStateException("no way for " + order);
        }
        return way;
    }
}
