package io.holdfast.broken;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.memory.MemoryPublishes;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class BrokenStoresTest {
    private static final String RULES =
            "G1 G2 G3 G4 G5 G6 G7 G8 G9 G10 G11 G12 G13 G14 C1 C2 C3 C4 C5 C6 C7 C8 C10 C11 C12";

    static List<Class<? extends MemoryPublishes>> stores() {
        return Stream.of(
                        BrokenTakes.class,
                        BrokenRepeats.class,
                        BrokenFences.class,
                        BrokenHolds.class,
                        BrokenAnswers.class,
                        BrokenTexts.class,
                        BrokenSlugs.class,
                        BrokenHistories.class,
                        BrokenRequestKeys.class)
                .flatMap(theme -> Arrays.stream(theme.getDeclaredClasses()))
                .filter(MemoryPublishes.class::isAssignableFrom)
                .sorted(Comparator.comparing(Class::getName))
                .<Class<? extends MemoryPublishes>>map(store -> store.asSubclass(MemoryPublishes.class))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aBrokenStoreIsReportedWithExactlyItsRules(Class<? extends MemoryPublishes> store) {
        Examination examination = Examination.of(() -> make(store));
        assertThat(examination.red())
                .as("%s%n%s", store.getEnclosingClass().getSimpleName() + "." + store.getSimpleName(), examination)
                .isIn(expected(store.getAnnotation(TurnsRed.class)));
    }

    /** With what only luck shows, and without it. */
    private static List<String> expected(TurnsRed rules) {
        Set<String> all = Set.of((rules.value() + " " + rules.byLuck()).split(" "));
        return List.of(
                rules.value(), Stream.of(RULES.split(" ")).filter(all::contains).collect(Collectors.joining(" ")));
    }

    @Test
    void theStoreThatTheyAreMadeOfBreaksNoRule() {
        Examination examination = Examination.of(MemoryPublishes::new);
        assertThat(examination.red()).as(examination.toString()).isEmpty();
        assertThat(examination.rules()).isEqualTo(RULES);
    }

    @Test
    void everyRuleIsBrokenBySomeStore() {
        Set<String> broken = stores().stream()
                .flatMap(store -> Arrays.stream(
                        store.getAnnotation(TurnsRed.class).value().split(" ")))
                .collect(Collectors.toSet());
        assertThat(broken).containsExactlyInAnyOrder(RULES.split(" "));
    }

    private static MemoryPublishes make(Class<? extends MemoryPublishes> store) {
        try {
            return store.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a broken store is made without arguments: " + store, e);
        }
    }
}
