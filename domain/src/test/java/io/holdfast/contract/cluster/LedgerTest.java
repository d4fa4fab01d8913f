package io.holdfast.contract.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.contract.cluster.Ledger.Take;
import io.holdfast.publish.AppId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private final Map<AttemptId, Fence> database = new HashMap<>();
    private final Ledger ledger = new Ledger();

    @Test
    void oneAfterTheOtherIsWell() {
        take(10, 1);
        take(12, 3);
        ledger.addRefused(AttemptId.random());
        assertFindings().isEmpty();
    }

    @Test
    void whatWasAcknowledgedMustBeKept() {
        database.remove(take(10, 1));
        assertFindings().singleElement().asString().startsWith("acknowledged and not kept");
    }

    @Test
    void whoWasRefusedMustNotHaveTaken() {
        ledger.addRefused(take(10, 1));
        assertFindings().singleElement().asString().startsWith("refused, and");
    }

    @Test
    void aFenceIsGrantedOnce() {
        take(10, 1);
        take(10, 3);
        assertFindings().singleElement().asString().startsWith("one fence twice");
    }

    @Test
    void fencesDoNotGoBack() {
        take(10, 3);
        take(12, 1);
        assertFindings().singleElement().asString().startsWith("the fence went back");
    }

    private AttemptId take(long fence, long told) {
        AttemptId attempt = AttemptId.random();
        database.put(attempt, new Fence(fence));
        ledger.add(new Take(AppId.of("app"), attempt, new Fence(fence), told));
        return attempt;
    }

    private ListAssert<String> assertFindings() {
        return assertThat(ledger.findings(attempt -> Optional.ofNullable(database.get(attempt))));
    }
}
