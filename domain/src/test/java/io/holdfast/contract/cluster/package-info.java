/**
 * What must hold when a database is more than one server, and the one that decides dies in the middle of a race.
 */
@NullMarked
package io.holdfast.contract.cluster;

import org.jspecify.annotations.NullMarked;
