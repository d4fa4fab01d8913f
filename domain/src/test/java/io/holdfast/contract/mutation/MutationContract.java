package io.holdfast.contract.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.contract.Evidence;
import io.holdfast.contract.Evidence.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Each condition of each statement is needed: without it, or with a weaker one, a test turns red.
 *
 * <p>All tests on all mutants would take hours. So for each mutant the test that kills it is kept in a {@link #table}, and that
 * one alone is run, on every mutant at every run. A mutant that the table does not know, because a statement was changed, is a
 * failure until its killer is found: {@code -Dholdfast.mutants=search} looks for it among all tests of {@link #suites}, and
 * writes the table; with {@code -Dholdfast.mutants.of=lease.take} only for the mutants whose names begin like that. For what
 * survives then a test is missing; or it is equivalent, and the table says by which argument.
 *
 * @param <C> as {@link Mutant}'s
 */
public interface MutationContract<C> {
    /** Such as "PostgreSQL 18.6". */
    String engine();

    /** On which all that {@link #suites} send is. */
    Wire<C> wire();

    /** All mutants, each with a name of its own. */
    List<Attack<C>> attacks();

    /** The tests that may kill: those on a database of their own last, which cost more. Their simple names must differ. */
    List<Class<?>> suites();

    /** Empties all tables, so that what a mutant has left there does not matter to the next one. */
    void wipe();

    /** The name of the table, beside the test class; one for each of those. */
    default String table() {
        return "mutants.txt";
    }

    @TestFactory
    default Stream<DynamicTest> everyConditionOfEveryStatementIsNeeded() {
        List<Attack<C>> attacks = attacks();
        Killers killers = new Killers(
                Path.of("src/test/resources", getClass().getPackageName().replace('.', '/'), table()));
        Judge<C> judge = new Judge<>(wire(), new Suites(suites()), this::wipe);
        if ("search".equals(System.getProperty("holdfast.mutants"))) {
            return Stream.of(dynamicTest("search", () -> search(attacks, killers, judge)));
        }
        return Stream.concat(
                attacks.stream().map(attack -> dynamicTest(attack.what(), () -> hold(attack, killers, judge))),
                Stream.of(
                        dynamicTest("the killers pass on what is not mutated", () -> assertKillersPass(killers, judge)),
                        dynamicTest(
                                "the table knows no other mutants",
                                () -> assertThat(killers.without(names(attacks)))
                                        .as("run with -Dholdfast.mutants=search")
                                        .isEmpty())));
    }

    private static <C> Set<String> names(List<Attack<C>> attacks) {
        Set<String> names = new HashSet<>();
        attacks.stream()
                .flatMap(attack -> attack.mutants().stream())
                .forEach(mutant -> assertThat(names.add(mutant.name()))
                        .as("two mutants are called " + mutant.name())
                        .isTrue());
        return names;
    }

    private void hold(Attack<C> attack, Killers killers, Judge<C> judge) {
        List<String> findings = judge.findings(attack.mutants(), killers);
        new Evidence(
                        Method.MUTANTS,
                        engine(),
                        List.of(attack.rules().split(" ")),
                        attack.what(),
                        attack.mutants().size(),
                        attack.mutants().stream()
                                .filter(mutant -> killers.isExcused(mutant.name()))
                                .count(),
                        findings.size(),
                        "killers and excuses in " + table())
                .tell();
        assertThat(findings).isEmpty();
    }

    /** Otherwise they would kill anything. */
    private static <C> void assertKillersPass(Killers killers, Judge<C> judge) {
        for (String test : killers.tests()) {
            assertThat(judge.failure(test)).as(test).isEmpty();
        }
    }

    /** Tells each verdict at once, and writes it: a search may take long, and can be broken off. */
    private static <C> void search(List<Attack<C>> attacks, Killers killers, Judge<C> judge) {
        killers.without(names(attacks)).forEach(killers::remove);
        String which = System.getProperty("holdfast.mutants.of", "");
        List<Mutant<C>> unknown = attacks.stream()
                .flatMap(attack -> attack.mutants().stream())
                .filter(mutant -> mutant.name().startsWith(which))
                .filter(mutant -> !killers.isExcused(mutant.name()))
                .filter(mutant -> killers.of(mutant.name())
                        .filter(test -> judge.judge(mutant, test).isCaught())
                        .isEmpty())
                .toList();
        if (unknown.isEmpty()) {
            return;
        }
        List<String> survivors = new ArrayList<>();
        Judge<C>.Search search = judge.new Search();
        for (Mutant<C> mutant : unknown) {
            Verdict verdict = search.verdict(mutant);
            System.out.println(verdict.of(mutant));
            if (verdict.isCaught()) {
                killers.put(mutant.name(), verdict.why());
            } else {
                killers.remove(mutant.name());
                survivors.add(verdict.of(mutant));
            }
        }
        assertThat(survivors).as("what survives").isEmpty();
    }
}
