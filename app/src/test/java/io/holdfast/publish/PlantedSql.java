package io.holdfast.publish;

/** On purpose: a domain that knows SQL. */
interface PlantedSql {
    java.sql.Connection connection();
}
