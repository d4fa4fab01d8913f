package io.holdfast.mongo;

/** On purpose: an adapter that uses another engine's driver. */
interface PlantedDriver {
    org.postgresql.PGConnection connection();
}
