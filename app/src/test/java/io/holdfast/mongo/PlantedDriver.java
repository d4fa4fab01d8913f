package io.holdfast.mongo;

/** On purpose: an adapter that knows more than its own engine's driver. */
interface PlantedDriver {
    com.zaxxer.hikari.HikariDataSource pool();
}
