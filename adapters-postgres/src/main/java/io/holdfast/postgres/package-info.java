/**
 * The ports of the domain, kept by PostgreSQL: {@link io.holdfast.postgres.PostgresStores} makes them.
 */
@NullMarked
package io.holdfast.postgres;

import org.jspecify.annotations.NullMarked;
