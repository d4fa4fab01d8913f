/**
 * The ports of the domain, kept by MySQL 9 and its driver, Connector/J. {@link io.holdfast.mysql.MysqlStores} is the door;
 * the statements that decide stand in {@code MysqlStatements}, as text.
 */
@NullMarked
package io.holdfast.mysql;

import org.jspecify.annotations.NullMarked;
