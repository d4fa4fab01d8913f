package io.holdfast.contract.soak;

import org.junit.platform.engine.TestTag;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Counts the attacks that are to be run in this JVM, those with the tag "soak", so that {@link io.holdfast.contract.Seeds} can
 * share the minutes of a soak out among them: half an hour on an engine is half an hour, however many there are. JUnit finds
 * this class as a service; the count is the system property {@value #PROPERTY}.
 */
public final class AttackCount implements TestExecutionListener {
    private static final String PROPERTY = "holdfast.soak.attacks";

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        TestTag soak = TestTag.create("soak");
        long planned = plan.countTestIdentifiers(
                test -> test.isTest() && test.getTags().contains(soak));
        // A plan that a test makes for its own ends counts less.
        System.setProperty(PROPERTY, Long.toString(Math.max(planned, Long.getLong(PROPERTY, 1))));
    }
}
