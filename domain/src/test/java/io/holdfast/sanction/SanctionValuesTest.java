package io.holdfast.sanction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.Holder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the values of sanctions refuse, and what they make of the rest. */
final class SanctionValuesTest {
    @Test
    void anAccountHas255BytesAndIsCalledByItsName() {
        assertThat(Account.of("\u00e4".repeat(127) + "x").value()).hasSize(128);
        for (String text : new String[] {"", " \t", "\u00e4".repeat(128), "a\0b", "\ud83d"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Account.of(text))
                    .withMessageStartingWith("account ");
        }
    }

    @Test
    void aReasonIsCleanedAndCutAndNeverRefused() {
        assertThat(terms("\u00e4".repeat(1_000), Optional.empty()).reason().getBytes(StandardCharsets.UTF_8))
                .hasSize(Terms.MAX_REASON);
        assertThat(terms("a\0b\ud83d", Optional.empty()).reason()).isEqualTo("a\ufffdb\ufffd");
        assertThat(terms("", Optional.empty()).reason()).isEmpty();
    }

    @Test
    void aTimeIsRoundedUpToAMillisecond() {
        assertThat(lasting(Duration.ofNanos(1))).contains(Duration.ofMillis(1));
        assertThat(lasting(Duration.ofMillis(1))).contains(Duration.ofMillis(1));
        assertThat(lasting(Duration.ofMillis(1).plusNanos(1))).contains(Duration.ofMillis(2));
        assertThat(lasting(Duration.ofDays(365))).contains(Duration.ofDays(365));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-0.000000001S", "P-365D", "PT-2562047788015215H"})
    void aTimeIsMoreThanNothing(String lasting) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lasting(Duration.parse(lasting)))
                .withMessage("sanction must last more than 0: " + Duration.parse(lasting));
    }

    @ParameterizedTest
    @ValueSource(strings = {"P365DT0.000000001S", "P366D", "PT2562047788015215H"})
    void aTimeHasABound(String lasting) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lasting(Duration.parse(lasting)))
                .withMessageContaining("at most 365 days");
    }

    private static Optional<Duration> lasting(Duration lasting) {
        return terms("reason", Optional.of(lasting)).lasting();
    }

    private static Terms terms(String reason, Optional<Duration> lasting) {
        return new Terms(Account.of("account"), reason, new Holder("operator"), lasting);
    }
}
