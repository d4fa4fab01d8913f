package io.holdfast.app.race;

import io.holdfast.app.Backend;
import java.io.Serial;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The tables that a service without Holdfast keeps. Each operation is one statement of its own, and right by itself; what
 * the strategies make of them is not. Thread-safe.
 */
interface OrdinaryTables {
    /** Of sites, by slug; save tokens, with what came of them; sessions, with their refresh token; locks, with their owner. */
    List<String> KEYED = List.of("site", "save", "session", "lock");

    /** Of deployments by app, releases by content, sanctions by account. */
    List<String> LISTED = List.of("deployment", "release", "sanction");

    /** On the connections of a backend, which is not closed here. */
    static OrdinaryTables on(Backend backend, String prefix) {
        return backend.on(
                sql -> new SqlTables(sql, SqlTables.Dialect.of(backend.url()), prefix),
                mongo -> new MongoTables(mongo, prefix));
    }

    /** Creates them all. */
    void create();

    /**
     * One of the tables that have one row for each key.
     *
     * @param table of {@link #KEYED}
     */
    Keyed keyed(String table);

    /**
     * One of the tables that have any number of rows for each key.
     *
     * @param table of {@link #LISTED}
     */
    Listed listed(String table);

    /** A table with a unique index on its key. */
    interface Keyed {
        /**
         * Inserts a row.
         *
         * @throws Duplicate if there is one with this key
         */
        void insert(String key, String value);

        Optional<String> find(String key);

        /**
         * Finds what is not too old.
         *
         * @param youngerThan since it was inserted
         */
        Optional<String> find(String key, Duration youngerThan);

        /** Sets the value, whatever it was. */
        void set(String key, String value);

        /**
         * Sets the value if it is still the old one.
         *
         * @return false if it is not
         */
        boolean set(String key, String old, String value);

        void delete(String key);
    }

    /** A table whose rows have a state. */
    interface Listed {
        /**
         * Inserts a row.
         *
         * @param age how long ago it was started
         */
        void insert(String id, String key, String state, Duration age);

        /**
         * The newest row in that state.
         *
         * @param youngerThan older ones are taken for dead
         */
        Optional<String> newest(String key, String state, Duration youngerThan);

        /** Sets the state of a row. */
        void mark(String id, String state);

        /** Sets the state of all rows that are in another. */
        void markAll(String key, String old, String state, String error);
    }

    /** The unique index on the key has refused it. */
    final class Duplicate extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        Duplicate(String key, Throwable cause) {
            super(key + " is taken", cause);
        }
    }
}
