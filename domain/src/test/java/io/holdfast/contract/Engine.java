package io.holdfast.contract;

import io.holdfast.Budget;
import io.holdfast.StoreUnavailable.Effect;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A database engine under an adapter, and the hands that do to it what networks, strangers and settings do. */
public interface Engine {
    /** Name and version, such as "PostgreSQL 18.6". */
    String name();

    /** The stores as their users make them, on the schema that its {@code migrate()} made. */
    EngineSubject subject();

    /** Stores of the same data with this budget for each call. */
    Ports within(Budget budget);

    /**
     * The same, reaching the server through a proxy on this machine's {@code port}. By one connection, which is opened by
     * the first call, kept, and replaced when it broke; and nothing but the store's calls is sent on it (no validation, no
     * monitoring), because round trips are counted there.
     */
    Ports through(int port, Budget budget);

    /** Where a proxy finds the server. */
    String host();

    int port();

    /** A stranger locks the row, until closed. */
    Lock lock(Row row);

    /**
     * What a call says that such a lock outlasts. UNKNOWN only where the client cannot be made to wait longer than its server
     * does, and so does not hear that the server has given up.
     */
    default Effect lockedOut() {
        return Effect.NOT_APPLIED;
    }

    /** A lock that a stranger holds. */
    interface Lock extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Opens a transaction on the pool that the store uses, writes to it, runs {@code call} on the same thread with a store
     * on that pool, rolls the transaction back, and fails if that transaction had been committed or rolled back meanwhile
     * (E1). Where the server has no transactions, the nearest thing that a caller can have open (a session).
     */
    void inCallersTransaction(Consumer<Ports> call);

    /** The ports on each setting of pool, session, URL and JVM that must not matter, by name (E2). */
    Map<String, Ports> settings();

    /**
     * Ports that surely cannot write, by the reason: the table is missing, the session is read-only, the user may not,
     * whatever the engine has of it (E3, G9). Each call on them must end as NOT_APPLIED.
     */
    Map<String, Ports> unable();

    /** Ports whose server ends by a limit of its own whatever takes long, and what is idle, by the limit (E3). */
    default Map<String, Ports> hasty() {
        return Map.of();
    }

    /** How many round trips each operation takes at most (E7). */
    Trips trips();

    /** Round trips on an existing key, but for {@code newKeyMore}. */
    record Trips(int take, int loser, int renewMany, int finish, int finishAgain, int newKeyMore) {}

    /** Runs {@code migrate()} and then {@code check()} once more on the schema that the store uses; both must be content. */
    void migrateAndCheck();

    /**
     * Ways to spoil a schema or a setting, each on a schema that is fresh and is thrown away afterwards (E8).
     */
    List<Defect> defects();

    /**
     * @param name what is spoilt, as the test's display name
     * @param check spoils it and runs {@code check()}, which must throw UnfitDatabase
     * @param said what its message must contain, one of them the remedy
     */
    record Defect(String name, Runnable check, List<String> said) {}

    /** Runs {@code work} while every connection of the work pool is busy; the store has a heartbeat source of its own (E9). */
    void whilePoolIsExhausted(Consumer<Ports> work);
}
