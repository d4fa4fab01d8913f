package io.holdfast.contract;

import io.holdfast.postgres.PostgresStores;

/** On purpose: a contract that knows one of the stores that it is for. */
interface PlantedFixture {
    PostgresStores store();
}
