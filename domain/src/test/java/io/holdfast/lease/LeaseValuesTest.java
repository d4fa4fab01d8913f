package io.holdfast.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.release.ContentId;
import io.holdfast.release.Releasing;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the values of leases and releases refuse, and what they make of the rest. */
final class LeaseValuesTest {
    @Test
    void aNameIsRefusedBeforeAnyIo() {
        for (String name : List.of("", " \t", "a\0b", "\ud83d", "x".repeat(256), "\u00e4".repeat(128))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LeaseName.of(name))
                    .withMessageStartingWith("lease ");
        }
        assertThat(LeaseName.of("\u00e4".repeat(127) + "x").value()).hasSize(128);
    }

    @Test
    void everyContentHasItsLease() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ContentId.of("x".repeat(241)))
                .withMessageStartingWith("content ");
        assertThat(Releasing.leaseOf(ContentId.of("x".repeat(240))).value())
                .hasSize(248)
                .startsWith("release/x");
        assertThat(Releasing.leaseOf(ContentId.of("game/7"))).isEqualTo(LeaseName.of("release/game/7"));
    }

    @Test
    void aMinimumIsRoundedUpToAMillisecondAndCapped() {
        assertThat(LeaseStore.checkedMinimum(Duration.ZERO)).isZero();
        assertThat(LeaseStore.checkedMinimum(Duration.ofNanos(1))).isEqualTo(Duration.ofMillis(1));
        assertThat(LeaseStore.checkedMinimum(Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(1));
        assertThat(LeaseStore.checkedMinimum(Duration.ofDays(365))).isEqualTo(Duration.ofDays(365));
        for (Duration minimum :
                List.of(Duration.ofNanos(-1), Duration.ofDays(365).plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LeaseStore.checkedMinimum(minimum))
                    .withMessage("minimum hold must be from 0 to 365 days: " + minimum);
        }
    }
}
