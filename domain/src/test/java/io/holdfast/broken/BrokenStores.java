package io.holdfast.broken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.contract.Evidence;
import io.holdfast.contract.Evidence.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What is tested of the broken stores of one port.
 *
 * @param <S> the store in memory, of which they are made
 */
abstract class BrokenStores<S> {
    /** Some races are lost in a moment that a busy machine may miss: then it is looked for again. */
    private static final int EXAMINATIONS = 3;

    private final Class<?> suite;
    private final Class<S> sound;
    private final String rules;
    private final List<Class<?>> themes;

    /**
     * @param suite the port's contract, asking for its {@link Examination#store}
     * @param rules all that have a test in it, in the order of the contract
     * @param themes classes that the broken stores are nested in
     */
    BrokenStores(Class<?> suite, Class<S> sound, String rules, Class<?>... themes) {
        this.suite = suite;
        this.sound = sound;
        this.rules = rules;
        this.themes = List.of(themes);
    }

    private List<Class<? extends S>> stores() {
        return themes.stream()
                .flatMap(theme -> Arrays.stream(theme.getDeclaredClasses()))
                .filter(sound::isAssignableFrom)
                .sorted(Comparator.comparing(Class::getName))
                .<Class<? extends S>>map(store -> store.asSubclass(sound))
                .toList();
    }

    @TestFactory
    Stream<DynamicTest> aBrokenStoreIsReportedWithExactlyItsRules() {
        return stores().stream().map(store -> {
            String name = store.getEnclosingClass().getSimpleName() + "." + store.getSimpleName();
            return dynamicTest(name, () -> {
                Examination examination = Examination.of(suite, () -> make(store));
                List<String> expected = expected(store.getAnnotation(TurnsRed.class));
                for (int i = 1; i < EXAMINATIONS && !expected.contains(examination.red()); i++) {
                    examination.again();
                }
                boolean caught = expected.contains(examination.red());
                Evidence.of(Method.BROKEN_STORES, "memory", expected.get(0), name, 1, caught ? 0 : 1, "")
                        .tell();
                assertThat(examination.red()).as("%s%n%s", name, examination).isIn(expected);
            });
        });
    }

    /** With what only luck shows, and without it. */
    private List<String> expected(TurnsRed red) {
        Set<String> all = Set.of((red.value() + " " + red.byLuck()).split(" "));
        return List.of(
                red.value(), Stream.of(rules.split(" ")).filter(all::contains).collect(Collectors.joining(" ")));
    }

    @Test
    void theStoreThatTheyAreMadeOfBreaksNoRule() {
        Examination examination = Examination.of(suite, () -> make(sound));
        assertThat(examination.red()).as(examination.toString()).isEmpty();
        assertThat(examination.rules()).isEqualTo(rules);
    }

    @Test
    void everyRuleIsBrokenBySomeStore() {
        Set<String> broken = stores().stream()
                .flatMap(store -> Arrays.stream(
                        store.getAnnotation(TurnsRed.class).value().split(" ")))
                .collect(Collectors.toSet());
        assertThat(broken).containsExactlyInAnyOrder(rules.split(" "));
    }

    private static <T> T make(Class<T> store) {
        try {
            return store.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a store under examination is made without arguments: " + store, e);
        }
    }
}
