/**
 * Interleavings: two or three sessions call the ports at once, stop before every statement and every commit, and go on one
 * at a time, in every order that there is. After PostgreSQL's own isolationtester; for adapters on JDBC.
 */
@NullMarked
package io.holdfast.contract.interleaving;

import org.jspecify.annotations.NullMarked;
