package io.holdfast.contract;

import java.time.Duration;
import org.junit.platform.engine.TestTag;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Shares the minutes of a soak out among the attacks that are to be run in this JVM, those with the tag "soak": half an hour on
 * an engine is half an hour, however many attacks there are. JUnit finds this class as a service.
 */
public final class SoakShares implements TestExecutionListener {
    private static volatile long attacks = 1;

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        TestTag soak = TestTag.create("soak");
        long planned = plan.countTestIdentifiers(
                test -> test.isTest() && test.getTags().contains(soak));
        // Not of the plans that a test makes for its own ends.
        attacks = Math.max(attacks, planned);
    }

    /** Of one attack; zero if this is no soak. */
    static Duration each() {
        return Duration.ofMinutes(Long.getLong("holdfast.soak", 0)).dividedBy(attacks);
    }
}
