package io.holdfast.contract.mutation;

import static java.util.stream.Collectors.toMap;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The tests that mutants have to fear, by their names, such as {@code PostgresLeaseTest#g1_ofManyOneHolds}. */
final class Suites {
    private final Launcher launcher = LauncherFactory.create();
    private final Map<String, Named> tests = new LinkedHashMap<>();

    private record Named(Class<?> suite, Method method) {}

    Suites(List<Class<?>> suites) {
        for (Class<?> suite : suites) {
            tests.putAll(Stream.concat(Stream.of(suite.getMethods()), Stream.of(suite.getDeclaredMethods()))
                    .filter(method -> AnnotationSupport.isAnnotated(method, Testable.class))
                    .collect(toMap(
                            method -> suite.getSimpleName() + "#" + method.getName(),
                            method -> new Named(suite, method),
                            (a, b) -> a)));
        }
    }

    Set<String> names() {
        return tests.keySet();
    }

    /** Runs one test, and all that it is made of. Says why it failed; empty if it passed. */
    Optional<String> run(String name) {
        Named test = tests.get(name);
        if (test == null) {
            throw new IllegalStateException("there is no test " + name);
        }
        Listener listener = new Listener();
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectMethod(test.suite(), test.method()))
                        .build(),
                listener);
        if (listener.finished == 0) {
            throw new IllegalStateException(name + " did not run");
        }
        return Optional.ofNullable(listener.failure);
    }

    private static final class Listener implements TestExecutionListener {
        private int finished;
        private @Nullable String failure;

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            throw new IllegalStateException(test.getDisplayName() + " was skipped");
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest()) {
                finished++;
            }
            if (failure == null && result.getStatus() != Status.SUCCESSFUL) {
                finished++;
                failure = test.getDisplayName() + ": "
                        + result.getThrowable().map(Throwable::toString).orElse("aborted");
            }
        }
    }
}
