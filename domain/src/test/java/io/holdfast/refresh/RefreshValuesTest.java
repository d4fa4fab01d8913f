package io.holdfast.refresh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the values of refresh tokens refuse, and what they make of the rest. */
final class RefreshValuesTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void allTermsArePositiveAndAtMostAYear() {
        for (Duration none : List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            assertRefused("validity of a family must be more than 0", none, HOUR, MINUTE);
            assertRefused("validity of a token must be more than 0", DAY, none, MINUTE);
            assertRefused("grace must be more than 0", DAY, HOUR, none);
        }
        Duration year = Duration.ofDays(365);
        for (Duration more : List.of(year.plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertRefused("validity of a family must be at most 365 days", more, HOUR, MINUTE);
            assertRefused("validity of a token must be at most 365 days", year, more, MINUTE);
            assertRefused("grace must be at most 365 days", year, year, more);
        }
        assertThat(new FamilyTerms(year, year, year).grace()).isEqualTo(year);
    }

    @Test
    void aTokenDoesNotOutliveItsFamilyNorAGraceItsToken() {
        assertRefused("grace must not be longer", HOUR, DAY, MINUTE);
        assertRefused("grace must not be longer", DAY, MINUTE, HOUR);
        assertThat(new FamilyTerms(HOUR, HOUR, HOUR).grace()).isEqualTo(HOUR);
    }

    private static void assertRefused(String message, Duration family, Duration token, Duration grace) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FamilyTerms(family, token, grace))
                .withMessageStartingWith(message);
    }

    @Test
    void aFractionOfAMillisecondIsRoundedUp() {
        Duration fraction = Duration.ofNanos(1);
        assertThat(new FamilyTerms(DAY.plus(fraction), HOUR.plus(fraction), fraction))
                .isEqualTo(new FamilyTerms(DAY.plusMillis(1), HOUR.plusMillis(1), Duration.ofMillis(1)));
    }

    @Test
    void aFamilyIsReadAsItWasWritten() {
        FamilyId family = FamilyId.random();
        assertThat(FamilyId.parse(family.toString())).isEqualTo(family);
        for (String text : List.of("", "1-1-1-1-1", family + " ", "{" + family + "}")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> FamilyId.parse(text))
                    .withMessageContaining("not a UUID");
        }
    }

    @Test
    void generationsAreCountedFromOne() {
        FamilyId family = FamilyId.random();
        assertThat(Generation.first(family)).isEqualTo(new Generation(family, 1));
        assertThat(Generation.first(family).next()).isEqualTo(new Generation(family, 2));
        for (long none : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Generation(family, none))
                    .withMessage("generation must be positive: " + none);
        }
        assertThatIllegalStateException()
                .isThrownBy(new Generation(family, Long.MAX_VALUE)::next)
                .withMessageContainingAll(family.toString(), "exhausted");
    }
}
