package io.holdfast.postgres;

import io.holdfast.mysql.MysqlStores;

/** On purpose: an adapter that knows its sibling, and a second public type. */
public interface PlantedSibling {
    MysqlStores sibling();
}
