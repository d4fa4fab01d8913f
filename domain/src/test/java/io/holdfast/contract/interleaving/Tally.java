package io.holdfast.contract.interleaving;

import io.holdfast.contract.Evidence;
import io.holdfast.contract.Evidence.Method;
import io.holdfast.contract.interleaving.Interleaver.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What came of many orders. */
final class Tally {
    private final List<String> findings = new ArrayList<>();
    private final Map<String, Long> errors = new TreeMap<>();
    private long combinations;
    private long orders;

    void add(Result result) {
        combinations++;
        orders += result.orders();
        findings.addAll(result.findings());
        result.errors().forEach(code -> errors.merge(code, 1L, Long::sum));
    }

    List<String> findings() {
        return List.copyOf(findings);
    }

    /** By its codes, what the server has refused. */
    Set<String> errors() {
        return Set.copyOf(errors.keySet());
    }

    void tell(String engine, String rules, String what, String note) {
        String told = combinations + " combinations" + (note.isEmpty() ? "" : ", " + note)
                + (errors.isEmpty() ? "" : ", errors of the server " + errors);
        Evidence.of(Method.INTERLEAVINGS, engine, rules, what, orders, findings.size(), told)
                .tell();
    }
}
