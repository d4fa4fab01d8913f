package io.holdfast.broken;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs a whole suite on one store, and says which rules it saw, and which of them were broken. One at a time. */
final class Examination implements TestExecutionListener {
    /** In the order of the contract: G before C, and G2 before G10. */
    private static final Comparator<String> ORDER = Comparator.<String>comparingInt(
                    rule -> "GCLSRBE".indexOf(rule.charAt(0)))
            .thenComparingInt(rule -> Integer.parseInt(rule.substring(1)));

    /** A store for each test, made by whatever is examined just now. */
    private static Supplier<?> stores = () -> {
        throw new IllegalStateException("nothing is examined");
    };

    private final Class<?> suite;
    private final Supplier<?> examined;

    /** The first failure of each rule, or "" if it has none. */
    private final Map<String, String> failures = new TreeMap<>(ORDER);

    /**
     * @param suite a test class that only examinations run, and that asks for its {@link #store}
     * @param stores makes one for each test
     */
    static Examination of(Class<?> suite, Supplier<?> stores) {
        Examination examination = new Examination(suite, stores);
        examination.again();
        return examination;
    }

    private Examination(Class<?> suite, Supplier<?> examined) {
        this.suite = suite;
        this.examined = examined;
    }

    /** Once more, for what a machine that was busy with something else has not shown yet. Whatever was red stays so. */
    void again() {
        synchronized (Examination.class) {
            stores = examined;
            LauncherFactory.create()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(selectClass(suite))
                                    .build(),
                            this);
        }
    }

    /** A new one of those that are examined, for a test of their suite. */
    static <S> S store(Class<S> subject) {
        return subject.cast(stores.get());
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> rule(((MethodSource) source).getMethodName()))
                .ifPresent(rule -> failures.merge(rule, failure(test, result), (a, b) -> a.isEmpty() ? b : a));
    }

    private static String rule(String method) {
        return method.substring(0, method.indexOf('_')).toUpperCase(Locale.ROOT);
    }

    private static String failure(TestIdentifier test, TestExecutionResult result) {
        return result.getStatus() == Status.SUCCESSFUL
                ? ""
                : test.getDisplayName() + ": "
                        + result.getThrowable().map(Throwable::toString).orElse("aborted");
    }

    /** All rules that have a test, such as "G1 C2". */
    String rules() {
        return join(failures.keySet().stream());
    }

    /** Those that have a test that failed. */
    String red() {
        return join(
                failures.keySet().stream().filter(rule -> !failures.get(rule).isEmpty()));
    }

    /** Why, for whoever reads a report. */
    @Override
    public String toString() {
        return failures.values().stream().filter(failure -> !failure.isEmpty()).collect(Collectors.joining("\n"));
    }

    private static String join(Stream<String> rules) {
        return rules.collect(Collectors.joining(" "));
    }
}
