/**
 * Stores that are wrong on purpose, each a small change of the one in memory. The contract suite must report each of them
 * with exactly the rules that are written beside it: a suite that cannot fail proves nothing.
 */
@NullMarked
package io.holdfast.broken;

import org.jspecify.annotations.NullMarked;
