package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the values of the domain refuse, and what they make of the rest. */
final class ValuesTest {
    @Test
    void anAttemptIsReadAsItIsWritten() {
        AttemptId attempt = AttemptId.random();
        assertThat(AttemptId.parse(attempt.toString())).isEqualTo(attempt);
        assertThat(attempt).isNotEqualTo(AttemptId.random());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1-1-1-1-1",
                "no-uuid",
                "123e4567e89b12d3a456426614174000",
                "{123e4567-e89b-12d3-a456-426614174000}",
                "123e4567-e89b-12d3-a456-42661417400g",
                " 123e4567-e89b-12d3-a456-42661417400",
                "'; drop table deployment; -- 12345678"
            })
    void anAttemptHasOneSpelling(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AttemptId.parse(text))
                .withMessageContaining("UUID");
    }

    @Test
    void anAttemptMayBeAnyUuid() {
        for (UUID uuid : List.of(new UUID(0, 0), new UUID(-1, -1), UUID.nameUUIDFromBytes(new byte[] {1}))) {
            assertThat(AttemptId.parse(uuid.toString()).value()).isEqualTo(uuid);
        }
    }

    @Test
    void fencesAreOrderedAndPositive() {
        assertThat(List.of(new Fence(1), new Fence(2), new Fence(Long.MAX_VALUE)))
                .isSorted();
        assertThat(new Fence(Long.MAX_VALUE)).hasToString("9223372036854775807");
        for (long wrapped : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThatIllegalArgumentException().isThrownBy(() -> new Fence(wrapped));
        }
    }

    @Test
    void aLimitIsRoundedUpToAMillisecond() {
        assertThat(limit(Duration.ofNanos(1))).isEqualTo(Duration.ofMillis(1));
        assertThat(limit(Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(1));
        assertThat(limit(Duration.ofMillis(1).plusNanos(1))).isEqualTo(Duration.ofMillis(2));
        assertThat(limit(Duration.ofMinutes(5).plusNanos(999_999))).isEqualTo(Duration.ofMillis(300_001));
        assertThat(limit(SilenceLimit.MAX)).isEqualTo(SilenceLimit.MAX);
        assertThat(limit(SilenceLimit.MAX.minusNanos(1))).isEqualTo(SilenceLimit.MAX);
    }

    @Test
    void aLimitIsPositiveAndCapped() {
        for (Duration none : List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> limit(none))
                    .withMessageContaining("silence limit must be more than 0");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Budget.of(none))
                    .withMessageContaining("budget must be more than 0");
        }
        for (Duration endless :
                List.of(SilenceLimit.MAX.plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE, 999_999_999))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> limit(endless))
                    .withMessageContaining("at most 365 days");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Budget.of(endless))
                    .withMessageContaining("at most 365 days");
        }
    }

    private static Duration limit(Duration value) {
        return SilenceLimit.of(value).value();
    }

    @Test
    void aDeadlineCountsDownAndPausesEndWithIt() {
        assertThat(Budget.of(Duration.ofNanos(1)).begin().pause()).isFalse();
        assertThat(Budget.DEFAULT.begin().left()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(5));
        assertThat(Budget.of(SilenceLimit.MAX).begin().left()).isGreaterThan(Duration.ofDays(364));
    }

    @Test
    void aPauseThatIsInterruptedKeepsTheFlagAndGivesUp() {
        Deadline deadline = Budget.DEFAULT.begin();
        Thread.currentThread().interrupt();
        assertThat(deadline.pause()).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void anIncumbentsTimesAreNeverNegative() {
        Incumbent told = new Incumbent(
                AttemptId.random(),
                new Holder("a"),
                new Fence(1),
                Instant.EPOCH,
                Duration.ofSeconds(-1),
                Duration.ofSeconds(-1));
        assertThat(told.silentFor()).isZero();
        assertThat(told.takeableIn()).isZero();
    }

    @Test
    void aHoldersLabelIsForAPersonAndBounded() {
        assertThat(new Holder("x".repeat(200)).label()).hasSize(200);
        assertThatIllegalArgumentException().isThrownBy(() -> new Holder("x".repeat(201)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Holder(" "));
    }

    @Test
    void anUnfitDatabaseSaysWhatIsWrongAndHowToMendIt() {
        UnfitDatabase unfit = new UnfitDatabase(
                List.of(new Finding("index a is missing", "Create it."), new Finding("table b is gone", "Migrate.")));
        assertThat(unfit)
                .hasMessageContaining("index a is missing. Create it.")
                .hasMessageContaining("table b is gone. Migrate.");
        assertThat(unfit.findings()).hasSize(2);
    }
}
