package io.holdfast.contract.mutation;

import java.util.List;

/**
 * The mutants of statements that belong together.
 *
 * @param rules that the statements keep, such as "G1 L2"
 * @param what such as "statements of leases"
 */
public record Attack<C>(String rules, String what, List<Mutant<C>> mutants) {
    public Attack {
        mutants = List.copyOf(mutants);
    }
}
