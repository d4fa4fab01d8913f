package io.holdfast.contract.mutation;

import java.util.function.UnaryOperator;

/**
 * One change of what is sent.
 *
 * @param <C> what an adapter sends: for JDBC, the text of a statement
 * @param name what is changed, in which statement: the same in each run, and another one when that statement's condition is
 *     another one
 * @param change returns what it does not concern as it is
 */
public record Mutant<C>(String name, UnaryOperator<C> change) {}
