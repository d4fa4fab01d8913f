package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseStore;
import io.holdfast.lease.UnderLease;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Conclusion;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Orchestrator;
import io.holdfast.publish.PublishOutcome;
import io.holdfast.publish.Refusal;
import io.holdfast.refresh.RotateOutcome;
import io.holdfast.sanction.Sanction;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.SaveOutcome;
import io.holdfast.save.SaveTokenStore;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A fold has one function per case, in the order in which the cases are declared: at release 17 no compiler asks for it, so
 * that a case that is forgotten would be a ClassCastException.
 */
final class FoldTest {
    @ParameterizedTest
    @ValueSource(
            classes = {
                ClaimOutcome.class,
                ClaimStore.FinishOutcome.class,
                Conclusion.class,
                Ending.class,
                Eviction.class,
                LeaseOutcome.class,
                LeaseStore.Release.class,
                Orchestrator.Work.class,
                Renewal.class,
                ReserveOutcome.class,
                RotateOutcome.class,
                io.holdfast.save.Ending.class,
                UnderLease.Run.class
            })
    void aFoldHasAFunctionForEachCase(Class<?> outcome) {
        assertThat(folded(outcome)).containsExactly(outcome.getPermittedSubclasses());
    }

    @Test
    void aPublishIsStartedOrRefusedForOneOfTheReasons() {
        assertThat(folded(PublishOutcome.class))
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                Stream.of(PublishOutcome.Started.class),
                                Arrays.stream(Refusal.class.getPermittedSubclasses()))
                        .toList());
    }

    @Test
    void aSaveIsDoneOrLostOrRefusedForOneOfTheReasonsInTheOrderOfThese() {
        assertThat(folded(SaveOutcome.class)).startsWith(SaveOutcome.Saved.class, SaveTokenStore.Lost.class);
        assertThat(folded(SaveOutcome.class))
                .endsWith(io.holdfast.save.Refusal.class.getPermittedSubclasses())
                .hasSize(2 + io.holdfast.save.Refusal.class.getPermittedSubclasses().length);
    }

    @Test
    void aReservationIsEndedInOneOfTheWaysOrLost() {
        assertThat(folded(SaveTokenStore.EndOutcome.class))
                .startsWith(io.holdfast.save.Ending.class.getPermittedSubclasses())
                .endsWith(SaveTokenStore.Lost.class)
                .hasSize(io.holdfast.save.Ending.class.getPermittedSubclasses().length + 1);
    }

    @Test
    void aDeploymentIsFoldedByItsState() {
        assertThat(folded(Deployment.class)).containsExactly(Deployment.State.class.getPermittedSubclasses());
    }

    @Test
    void aSanctionIsFoldedByItsState() {
        assertThat(folded(Sanction.class)).containsExactly(Sanction.State.class.getPermittedSubclasses());
    }

    /** What the functions that the fold takes are functions of. */
    private static List<Class<?>> folded(Class<?> outcome) {
        Method fold = Arrays.stream(outcome.getDeclaredMethods())
                .filter(method -> method.getName().equals("fold") && !method.isBridge())
                .findFirst()
                .orElseThrow();
        return Arrays.stream(fold.getGenericParameterTypes())
                .<Class<?>>map(FoldTest::argument)
                .toList();
    }

    /** T of {@code Function<? super T, ? extends R>}. */
    private static Class<?> argument(Type function) {
        WildcardType argument = (WildcardType) ((ParameterizedType) function).getActualTypeArguments()[0];
        Type folded = argument.getLowerBounds()[0];
        return (Class<?>) (folded instanceof ParameterizedType generic ? generic.getRawType() : folded);
    }
}
